import { type Cell, textOf } from './sheet';

/** White space, and characters that nobody sees: of zero width, marks of direction, soft hyphens. */
const AROUND = '[\\s\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF]+';
const ENDS = new RegExp(`^${AROUND}|${AROUND}$`, 'g');

/** The text of a cell without what nobody sees at its ends. Inside it stays. */
export const trimmed = (cell: Cell | undefined): string => textOf(cell).replace(ENDS, '');
