import type { ImportCorrection } from '#platform/import-rows';
import {
  type Batch,
  checkRows,
  compared,
  few,
  IMPORT_BOUNDS,
  inRows,
  invalidRows,
  MOST_PROBLEMS,
  type Problem,
  problem,
  type Rows,
  readBatch,
  rowsOf,
  shortened,
  trimProperties,
} from '#platform/validation';
import { IMPORTS, type ImportSurface } from '../definitions';

/** As clients are told (docs/interface.md). */
const MOST_ROWS = 10_000;

/** The most problems of a row that is kept, and the most bytes of its message. */
const MOST_TOLD = 3;
const LONGEST_TOLD = 500;

/** A row that is stored although it is invalid: the path of its first problem in the row, and its problems as sentences. */
export interface KeptRow {
  row: number;
  path: string;
  message: string;
}

export type CheckResult =
  | { rows: number; corrects?: ImportCorrection; invalid?: KeptRow[] }
  | { problems: Problem[] };

/**
 * Validates a whole batch: JSON, the schema of every row, other rules, and duplicate rows. Checks that need data are the
 * worker's.
 *
 * @param bytes the unchanged body; if it is valid, PostgreSQL parses it in the same way
 * @param keepsInvalid keeps invalid rows, if they can be stored as they are and other rows are valid
 */
export function checkBatch(surface: ImportSurface, bytes: Uint8Array, keepsInvalid = false): CheckResult {
  const { collection, externalId, row } = IMPORTS[surface];
  // The body is stored unchanged: the worker trims again.
  const read = readBatch(bytes, IMPORT_BOUNDS, { name: collection, most: MOST_ROWS }, trimProperties);
  const { body, problems } = read;
  if (body === undefined) return { problems };
  const longest = bytes.length > LONGEST_ROW ? LONGEST_ROW : undefined;
  const batch = { schema: row, collection, externalId, most: MOST_ROWS, longest, beside: CORRECTS };
  const found = rowsOf(body, batch, read.rows);
  if ('problems' in found) return { problems: few([...problems, ...found.problems]) };
  const { rows } = found;
  const { corrects } = body as { corrects?: ImportCorrection };
  const wrong = corrects ? problemsOfCorrection(corrects, rows.length) : [];
  if (keepsInvalid && problems.length === 0 && wrong.length === 0) {
    const kept = keptOf(rows, batch, rulesOf(surface));
    return 'problems' in kept ? kept : { rows: rows.length, corrects, ...kept };
  }
  const all = [...inRows(problems, rows, batch), ...checkRows(rows, batch, rulesOf(surface))];
  if (all.length || wrong.length) return { problems: few(all.length ? all : wrong) };
  return { rows: rows.length, corrects };
}

/** The paths that the sender of a row could not read (`unread`). Without the texts, which are removed with the content of the row: an error stays. */
function unreadIn(row: unknown): string[] {
  const { unread } = row as { unread?: ({ path?: unknown } | null)[] };
  if (!Array.isArray(unread)) return [];
  return unread.slice(0, MOST_TOLD).map((item) => {
    const path = item?.path;
    return typeof path === 'string' ? shortened(path, LONGEST_TOLD) : '';
  });
}

/** The invalid rows of a batch; or problems, if one can't be stored, or none is valid and none is invalid because its sender says so. */
function keptOf(
  rows: Rows,
  batch: Batch,
  rules: ReturnType<typeof rulesOf>,
): { invalid: KeptRow[] } | { problems: Problem[] } {
  const invalid: KeptRow[] = [];
  const told: Problem[] = [];
  let isMeant = false;
  for (const { row, problems, isStorable } of invalidRows(rows, batch, rules, MOST_TOLD)) {
    if (!isStorable) return { problems: few(problems) };
    if (told.length < MOST_PROBLEMS) told.push(...problems);
    const here = `${batch.collection}[${row}]`;
    const unread = unreadIn(rows.at(row));
    isMeant ||= unread.length > 0;
    const said =
      unread.length > 0
        ? unread.map((path) => `${path || 'The row'} could not be read by its sender`)
        : problems.map(({ message }) =>
            message.startsWith(`${here}.`)
              ? message.slice(here.length + 1)
              : message.replace(here, 'The row'),
          );
    const path = unread[0] ?? problems[0]?.path.slice(here.length + 1) ?? '';
    invalid.push({ row, path, message: shortened(said.join('. '), LONGEST_TOLD) });
  }
  return invalid.length === rows.length && !isMeant ? { problems: few(told) } : { invalid };
}

const CORRECTS = { name: 'corrects', schema: 'ImportCorrection' };

/** Each row of the batch replaces a row of its own. */
function problemsOfCorrection({ rows }: ImportCorrection, count: number): Problem[] {
  if (rows.length !== count)
    return [
      problem('corrects.rows', 'INVALID_COMBINATION', `must have ${count} items, as the batch has rows`),
    ];
  const seen = new Map<number, number>();
  return rows.flatMap((row, index) => {
    const first = seen.get(row);
    if (first === undefined) seen.set(row, index);
    return first === undefined
      ? []
      : [problem(`corrects.rows[${index}]`, 'DUPLICATE', `is the same as corrects.rows[${first}]`)];
  });
}

/** In characters of JSON. Limited because a page returns the results of hundreds of rows. */
const LONGEST_ROW = 200_000;

/** The rules beyond the schema, for the rows of a batch in their order. */
function rulesOf(surface: ImportSurface) {
  const { collection, identity, broken, externalId } = IMPORTS[surface];
  const seen = new Map<string, number>();
  return (row: object, index: number): Problem[] => {
    const here = `${collection}[${index}]`;
    const problems = (broken?.(row) ?? []).map(([path, code, rule]) =>
      problem(path ? `${here}.${path}` : here, code, rule),
    );
    const id = identityOf(identity, row);
    if (id === undefined) return problems;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    else problems.push(repeatedRow({ collection, externalId }, index, first));
    return problems;
  };
}

/** `undefined` if the row has none: a blank id fails only its row. */
function identityOf(
  identity: Readonly<Record<string, 'exact' | 'compared' | undefined>>,
  row: object,
): string | undefined {
  const values = Object.entries(identity).map(([name, how]) => {
    const value: string | null | undefined = row[name as never];
    return value && how === 'compared' ? compared(value) : value;
  });
  return values.some(Boolean) ? JSON.stringify(values) : undefined;
}

/** The problem of a row that is the same as an earlier one. */
export const repeatedRow = (
  { collection, externalId }: { collection: string; externalId?: string },
  row: number,
  first: number,
): Problem =>
  problem(
    externalId ? `${collection}[${row}].${externalId}` : `${collection}[${row}]`,
    'DUPLICATE',
    `is the same as in ${collection}[${first}]; each must occur once in a batch`,
  );
