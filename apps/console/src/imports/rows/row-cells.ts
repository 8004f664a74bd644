import {
  type Body,
  FREE,
  flat,
  type ImportKind,
  type Lookups,
  type Mistake,
  planOf,
  put,
  type StaffImportRow,
} from '../../api';
import { today } from '../../upload/today';

/** The texts of cells by the path of their field, as in a table that is imported. */
export type Cells = Readonly<Record<string, string>>;

/** A failed row as a line of a table. */
export interface OpenRow {
  /** Its index in the import. */
  row: number;
  code: string;
  message: string;
  /** Of the error. */
  path: string | undefined;
  externalId: string | undefined;
  /** What was sent; null if it is no longer stored. */
  sent: Body | null;
  cells: Cells;
}

/** With the error of its newest correction. */
export function openRowOf({ row, error, sent, correction }: StaffImportRow): OpenRow {
  const { code = '', message = '', path } = correction?.error ?? error ?? {};
  const externalId = error?.externalId;
  return { row, code, message, path, externalId, sent, cells: sent ? cellsOf(sent) : {} };
}

/** The cells of a row, with amounts in whole units, and texts that could not be read under the field that they were for. */
function cellsOf(sent: Body): Cells {
  const typed = unreadIn(sent).flatMap(({ path = '' }) => (path.includes(':') ? path : []));
  return Object.fromEntries(
    Object.entries(flat(sent)).map(([path, text], _, all) => {
      const amount = path.replace(/\.value$/, '');
      if (amount === path || FREE.test(path))
        return [typed.find((each) => each.startsWith(`${path}:`)) ?? path, text];
      if (typeof at(sent, path) === 'string') return [amount, text];
      if (!all.some(([other]) => other === `${amount}.currencyCode`)) return [path, text];
      const minor = Number(text);
      // A part of a minor unit is no amount.
      return [amount, Number.isInteger(minor) ? (minor / 100).toFixed(2) : `${minor / 100}`];
    }),
  );
}

/** What the console could not read of a row when it sent the file. */
export const unreadIn = (sent: Body | null): readonly Mistaken[] => {
  const { unread } = sent ?? {};
  if (!Array.isArray(unread)) return [];
  // Another sender's can have any shape.
  return unread.filter(
    (each) => typeof each?.message === 'string' && ['string', 'undefined'].includes(typeof each.path),
  );
};

/** Without a path, the row as a whole is meant. */
export type Mistaken = Pick<Mistake, 'path' | 'code' | 'message'>;

/** Mistakes that reading the row again, alone, does not find: only a change of what is wrong is a correction. */
const OF_FILE: readonly Mistake['code'][] = ['AMBIGUOUS', 'DUPLICATE', 'BOOKING_DIFFERS', 'UNREADABLE'];

/**
 * What is sent instead of a row with changed cells: the row as it was, and the changed fields as they are read of an imported table.
 * Of a row that could not be read, all fields. A value that could be read in two ways is a mistake, because one row does not say how the
 * others are written.
 */
export function corrected(
  { row, sent, cells }: OpenRow,
  changes: Cells,
  kind: ImportKind,
  lookups: Lookups,
): { body: Body } | { mistakes: Mistaken[] } {
  const texts = { ...cells, ...changes };
  const columns = Object.keys(texts);
  const sheet = {
    ...{ format: 'csv' as const, sheets: [], header: 1, above: [], repeated: [], ours: true },
    notices: [],
    columns,
    rows: [{ line: row + 1, cells: columns.map((path) => texts[path] ?? '') }],
  };
  const mapping = { columns: Object.fromEntries(columns.map((path) => [path, path])) };
  const plan = planOf(sheet, kind, mapping, { lookups, today: today() });
  const unread = unreadIn(sent);
  const mistakes = unread.filter(
    ({ code, path }) => OF_FILE.includes(code) && !(path ? path in changes : Object.keys(changes).length > 0),
  );
  for (const failed of plan.failed)
    for (const { code, column, message } of failed.mistakes)
      mistakes.push({ code, message, ...(column && { path: column }) });
  for (const asked of plan.questions) {
    const path = asked.kind === 'field' ? asked.field.path : asked.column;
    const code = asked.kind === 'field' || asked.kind === 'currency' ? 'REQUIRED' : 'AMBIGUOUS';
    // Of an amount in whole units, the cell that is shown is the amount.
    mistakes.push({ code, path: path.replace(/\.value$/, ''), message: '' });
  }
  const [item] = plan.items;
  if (mistakes.length > 0 || !item) return { mistakes };
  if (unread.length > 0) return { body: item.body };
  const body = structuredClone(sent ?? {}) as Body;
  for (const path of Object.keys(changes)) {
    const place = FREE.exec(path)?.[1] ?? path;
    const value = at(item.body, place);
    if (value === undefined) remove(body, place);
    else put(body, place, value);
  }
  return { body };
}

const namesOfPath = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean);

export const at = (body: unknown, path: string): unknown =>
  namesOfPath(path).reduce<unknown>((inner, name) => (inner as Body | null | undefined)?.[name], body);

/** Removes a property, and what then is empty. */
function remove(body: Body, path: string): void {
  const names = namesOfPath(path);
  for (let length = names.length; length > 0; length -= 1) {
    const holder = at(body, names.slice(0, length - 1).join('.')) as Body | undefined;
    const name = names[length - 1] ?? '';
    const isEmptied = length < names.length && Object.keys((holder?.[name] as Body) ?? {}).length > 0;
    if (!holder || Array.isArray(holder) || isEmptied) return;
    delete holder[name];
  }
}
