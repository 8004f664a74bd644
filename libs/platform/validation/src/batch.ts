import { isLongerJson } from './json-length';
import { MOST_PROBLEMS, type Problem, pathOf, problem } from './problem';
import type { Rows } from './read-json';
import { schemas } from './schemas';
import { unknownAmong } from './words';

/** Rows are checked one by one, so that the check can stop at the maximum number of problems. */
export interface Batch {
  /** The name of one row's schema. */
  schema: string;
  /** The property of the body that holds the rows; undefined if the body itself is the array. */
  collection?: string;
  most: number;
  /** Another property that the body may have beside the collection, and its schema. */
  beside?: { name: string; schema: string };
  /** The row's property that holds its external id. */
  externalId?: string;
  /** The maximum length of the JSON of one row, in characters. */
  longest?: number;
}

const LONGEST_ID = 255;

/**
 * The rows of a batch, or the problems of the object around them.
 *
 * @param read the rows, if the body does not contain them
 */
export function rowsOf(
  body: unknown,
  { collection, most, beside }: Batch,
  read?: Rows,
): { rows: Rows } | { problems: Problem[] } {
  if (typeof body !== 'object' || body === null || (collection && Array.isArray(body)))
    return { problems: [problem('', 'INVALID_TYPE', 'must be a JSON object')] };
  const rows = collection ? (body as Record<string, unknown>)[collection] : body;
  const problems = [
    ...(collection ? problemsBeside(body, collection, beside) : []),
    ...problemsOfArray(rows, collection ?? '', most, read),
  ];
  return problems.length ? { problems } : { rows: read ?? (rows as unknown[]) };
}

function problemsOfArray(rows: unknown, place: string, most: number, read?: Rows): Problem[] {
  if (rows === undefined) return [problem(place, 'REQUIRED', 'is missing')];
  if (!Array.isArray(rows)) return [problem(place, 'INVALID_TYPE', 'must be an array')];
  const { length } = read ?? rows;
  const code = length < 1 ? 'TOO_SHORT' : 'TOO_LONG';
  const rule = place ? `must have 1 to ${most} rows` : `must be an array of 1 to ${most} items`;
  return length >= 1 && length <= most ? [] : [problem(place, code, rule)];
}

function problemsBeside(body: object, collection: string, beside: Batch['beside']): Problem[] {
  const known = beside ? [collection, beside.name] : [collection];
  const unknown = Object.keys(body)
    .filter((name) => !known.includes(name))
    .slice(0, MOST_PROBLEMS - 1)
    .map((name) => problem(name, 'UNKNOWN_PROPERTY', unknownAmong(name, known)));
  const given = beside && (body as Record<string, unknown>)[beside.name];
  if (!beside || given === undefined) return unknown;
  return [...unknown, ...schemas().problemsOf(beside.schema, given, [beside.name])];
}

type MoreRules = (row: object, index: number) => Problem[];

/** @returns at most MOST_PROBLEMS, of which each is of a row */
export function checkRows(rows: Rows, batch: Batch, more?: MoreRules): Problem[] {
  const found: Problem[] = [];
  for (const { problems } of invalidRows(rows, batch, more)) {
    found.push(...problems.slice(0, MOST_PROBLEMS - found.length));
    if (found.length === MOST_PROBLEMS) break;
  }
  return found;
}

/** A row that does not match its schema, or breaks another rule. */
export interface InvalidRow {
  row: number;
  problems: Problem[];
  /** An object that is not too long. */
  isStorable: boolean;
}

/**
 * @param more rules beyond the schema, for rows that match their schema
 * @param most problems of one row
 */
export function* invalidRows(
  rows: Rows,
  { schema, collection, externalId, longest }: Batch,
  more: MoreRules = () => [],
  most = MOST_PROBLEMS,
): Generator<InvalidRow> {
  let index = -1;
  for (const row of rows) {
    index += 1;
    const path = collection ? [collection, index] : [index];
    const tooLong = isTooLong(row, longest);
    const shape = tooLong
      ? [problem(pathOf(path), 'TOO_LONG', `must not be longer than ${longest} characters`)]
      : schemas().problemsOf(schema, row, path, most);
    const problems = shape.length ? shape : more(row as object, index).slice(0, most);
    if (problems.length === 0) continue;
    yield {
      row: index,
      problems: problems.map((one) => ({ ...one, row: index, externalId: idOf(row, externalId) })),
      isStorable: !tooLong && typeof row === 'object' && row !== null && !Array.isArray(row),
    };
  }
}

const isTooLong = (row: unknown, longest: number | undefined): boolean =>
  longest !== undefined && isLongerJson(row, longest);

/** Adds the row to problems that only have a path. */
export const inRows = (
  problems: readonly Problem[],
  rows: Rows,
  { collection = '', externalId }: Batch,
): Problem[] =>
  problems.map((one) => {
    const [, digits] = /^\[(\d+)\]/.exec(one.path.slice(collection.length)) ?? [];
    if (digits === undefined || !one.path.startsWith(collection)) return one;
    const row = Number(digits);
    return { ...one, row, externalId: idOf(rows.at(row), externalId) };
  });

function idOf(row: unknown, property: string | undefined): string | null {
  if (!property || typeof row !== 'object' || row === null) return null;
  const id = (row as Record<string, unknown>)[property];
  return typeof id === 'string' ? id.slice(0, LONGEST_ID).toWellFormed() : null;
}
