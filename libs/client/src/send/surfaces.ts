import type { ImportKind } from '../../../sheets/src';
import { IMPORT_TABLE } from '../import-table';
import type { ImportPath } from '../imports';
import { kindOfImport } from '../rows/kinds';
import { SendRefused } from './refused';

export interface Surface extends ImportKind {
  path: ImportPath;
  name: string;
}

/** Names as people type them: `bookings` or `bookingsImport`. */
export const SURFACE_NAMES: string[] = Object.values(IMPORT_TABLE).map(({ surface }) =>
  surface.replace(/Import$/, ''),
);

/** @throws SendRefused if there is no such surface */
export function surfaceOf(name: string): Surface {
  const paths = Object.keys(IMPORT_TABLE) as ImportPath[];
  const path = paths.find((each) => [name, `${name}Import`].includes(IMPORT_TABLE[each].surface));
  if (!path) {
    throw new SendRefused(
      'INVALID_COMMAND',
      `There is no surface "${name}". Use one of: ${SURFACE_NAMES.join(', ')}.`,
    );
  }
  return { path, name: IMPORT_TABLE[path].surface, ...kindOfImport(path) };
}
