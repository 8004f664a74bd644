import type { IMPORT_TABLE, UndoGroup } from '../../api';

export type ImportSurface = (typeof IMPORT_TABLE)[keyof typeof IMPORT_TABLE]['surface'];
export type UndoReason = UndoGroup['reasons'][number]['reason'];

/** A text for each name, so that one that is missing is a type error. A later release of the API may send other names. */
export type ByName<Name extends string> = Record<Name, string> & Record<string, string | undefined>;
export const byName = <Name extends string>(texts: ByName<Name>): ByName<Name> => texts;

export const LOCALE = 'en-GB';
export const number = (count: number) => count.toLocaleString(LOCALE);
/** @param one as it is said of one; `#` stands for the number in `many` */
export const counted = (count: number, one: string, many: string) =>
  count === 1 ? one : many.replace('#', number(count));
export const rows = (count: number) => counted(count, '1 row', '# rows');
export const bookings = (count: number) => counted(count, '1 booking', '# bookings');
