import type { ImportCorrection } from '#platform/import-rows';
import {
  checkRows,
  compared,
  few,
  IMPORT_BOUNDS,
  inRows,
  type Problem,
  problem,
  readBatch,
  rowsOf,
  trimProperties,
} from '#platform/validation';
import { IMPORTS, type ImportSurface } from '../definitions';

/** As clients are told (docs/interface.md). */
const MOST_ROWS = 10_000;

export type CheckResult = { rows: number; corrects?: ImportCorrection } | { problems: Problem[] };

/**
 * Validates a whole batch: JSON, the schema of every row, other rules, and duplicate rows. Checks that need data are the
 * worker's.
 *
 * @param bytes the unchanged body; if it is valid, PostgreSQL parses it in the same way
 */
export function checkBatch(surface: ImportSurface, bytes: Uint8Array): CheckResult {
  const { collection, externalId, row } = IMPORTS[surface];
  // The body is stored unchanged: the worker trims again.
  const read = readBatch(bytes, IMPORT_BOUNDS, { name: collection, most: MOST_ROWS }, trimProperties);
  const { body, problems } = read;
  if (body === undefined) return { problems };
  const longest = bytes.length > LONGEST_ROW ? LONGEST_ROW : undefined;
  const batch = { schema: row, collection, externalId, most: MOST_ROWS, longest, beside: CORRECTS };
  const found = rowsOf(body, batch, read.rows);
  const all =
    'problems' in found
      ? [...problems, ...found.problems]
      : [...inRows(problems, found.rows, batch), ...checkRows(found.rows, batch, rulesOf(surface))];
  if ('problems' in found || all.length) return { problems: few(all) };
  const { corrects } = body as { corrects?: ImportCorrection };
  const wrong = corrects ? problemsOfCorrection(corrects, found.rows.length) : [];
  return wrong.length ? { problems: few(wrong) } : { rows: found.rows.length, corrects };
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
