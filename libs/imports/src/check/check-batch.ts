import { parseJson, unstorable } from '#libs/input';
import { IMPORTS, type ImportSurface } from '../surfaces';
import { trimRow } from '../trim-row';
import { BatchSchemas } from './batch-schema';

export type CheckResult = { rows: number } | { problem: string };

let schemas: BatchSchemas | undefined;

/**
 * Checks the shape of a whole batch: JSON, every row's schema, the rules that no schema says, and that no row is
 * there twice. What needs data is for the worker.
 *
 * @param bytes the request's body as it came
 * @param rowsLimit how many rows a batch may have
 */
export function checkBatch(surface: ImportSurface, bytes: Uint8Array, rowsLimit: number): CheckResult {
  const { collection, body } = IMPORTS[surface];
  let batch: unknown;
  try {
    batch = parseJson(bytes);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const rows = (batch as Record<string, unknown> | null)?.[collection];
  if (Array.isArray(rows) && (rows.length < 1 || rows.length > rowsLimit)) {
    return { problem: `${collection} must hold 1 to ${rowsLimit} rows` };
  }
  // What is kept is the body as it came: the worker trims again.
  trimRow(rows);
  schemas ??= new BatchSchemas();
  const problem =
    schemas.problemOf(body.name, batch) ??
    (mayBeUnstorable(bytes) ? unstorable(batch) : undefined) ??
    (bytes.length > LONGEST_ROW ? tooLongOf(collection, rows as object[]) : undefined) ??
    problemOfRows(surface, rows as object[]);
  return problem ? { problem } : { rows: (rows as object[]).length };
}

/** In characters of JSON. What one row holds is read back with hundreds of others on one page. */
const LONGEST_ROW = 200_000;

function tooLongOf(collection: string, rows: object[]): string | undefined {
  const at = rows.findIndex((row) => lengthOf(row) > LONGEST_ROW);
  return at < 0 ? undefined : `${collection}[${at}] must not be longer than ${LONGEST_ROW} characters`;
}

/** Nesting too deep to be written out is too long as well. */
function lengthOf(row: object): number {
  try {
    return JSON.stringify(row).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** In valid JSON such characters can only be escapes: without those there is nothing to look for. */
const mayBeUnstorable = (bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ['\\u0000', '\\ud', '\\uD'].some((written) => text.includes(written));
};

function problemOfRows(surface: ImportSurface, rows: object[]): string | undefined {
  const { collection, identity, problem, externalId } = IMPORTS[surface];
  const seen = new Map<string, number>();
  for (const [i, row] of rows.entries()) {
    const wrong = problem?.(row as never);
    if (wrong) return `${collection}[${i}]${wrong}`;
    const id = identity(row as never);
    if (id === undefined) continue;
    const first = seen.get(id);
    if (first !== undefined) {
      const what = externalId ? `.${externalId}` : '';
      return `${collection}[${i}]${what} is the same as that of ${collection}[${first}]: each may be in a batch once`;
    }
    seen.set(id, i);
  }
  return undefined;
}
