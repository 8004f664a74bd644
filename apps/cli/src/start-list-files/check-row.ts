import { bookingsImport, type StartListRow } from '#domain/bookings';
import type { Item } from '#libs/sheets';
import { type BrokenRule, when } from '#platform/import-rows';
import { checkRows, type Problem, problem, trimProperties } from '#platform/validation';
import type { FileRow } from './read-rows';
import type { RowProblem } from './row-problems';

/** In characters of JSON. */
const LONGEST_ROW = 200_000;
const ROW = '[0]';

export interface CheckedRow {
  line: number;
  row: StartListRow;
  entries: number;
  bytes: number;
  /** The rows of a table that it was made from. */
  item?: Item;
}

/** The lines of the external ids in the file so far. */
export class SeenIds {
  private readonly lines = new Map<string, number>();

  /** The line with the first use of the id, if any. */
  firstOf(id: string, line: number): number | undefined {
    const first = this.lines.get(id);
    if (first === undefined) this.lines.set(id, line);
    return first;
  }
}

/** Checks a single row by the schema and the rules of the booking import, and by those of start lists. */
export function checkRow({ line, value, problems, item }: FileRow, seen: SeenIds): CheckedRow | RowProblem[] {
  trimProperties(value);
  const schema = { schema: 'StartListRow', most: 1, longest: LONGEST_ROW, externalId: 'externalBookingId' };
  const found =
    value === undefined || problems.length > 0
      ? problems
      : checkRows([value], schema, (row) => brokenRules(row as StartListRow)).map(inRow);
  const id = idOf(value);
  if (found.length > 0) return found.map((each) => asRowProblem(line, id, each));
  const row = value as StartListRow;
  const first = seen.firstOf(row.externalBookingId, line);
  if (first !== undefined) {
    const message = `externalBookingId is the same as in line ${first}; each booking must occur once in a file`;
    return [{ line, externalBookingId: id, code: 'DUPLICATE', message }];
  }
  return { line, row, entries: row.participants.length, bytes: JSON.stringify(row).length, item };
}

const brokenRules = (row: StartListRow): Problem[] =>
  [...(bookingsImport.broken?.(row) ?? []), ...rulesOf(row)].map(([path, code, rule]) =>
    problem(path ? `${ROW}.${path}` : ROW, code, rule),
  );

const rulesOf = ({ participants }: StartListRow): BrokenRule[] =>
  participants.flatMap(({ approvalStatus, resolution, bibNumber, resultSubmission }, i) => {
    const isApproved = (approvalStatus ?? 'APPROVED') === 'APPROVED';
    const path = `participants[${i}]`;
    return when(
      [
        bibNumber && !isApproved,
        `${path}.bibNumber`,
        'INVALID_COMBINATION',
        'is only valid when approvalStatus is APPROVED',
      ],
      [
        resolution === 'INSTANT' && !isApproved,
        `${path}.resolution`,
        'INVALID_COMBINATION',
        'is only INSTANT when approvalStatus is APPROVED',
      ],
      [
        resultSubmission && !/^https?:\/\//i.test(resultSubmission.url),
        `${path}.resultSubmission.url`,
        'INVALID_FORMAT',
        'must be a web address',
      ],
    );
  });

/** Paths start within the row, because it is checked alone. */
const inRow = ({ path, code, message }: Problem): Problem =>
  problem(path.slice(ROW.length).replace(/^\./, ''), code, message.slice(path.length + 1));

const asRowProblem = (
  line: number,
  externalBookingId: string | null,
  { path, code, message }: Problem,
): RowProblem => ({
  line,
  externalBookingId,
  code,
  message: path ? message : message.replace(/^The body/, 'The row'),
});

function idOf(value: unknown): string | null {
  const id = (value as { externalBookingId?: unknown } | null | undefined)?.externalBookingId;
  return typeof id === 'string' ? id.slice(0, 255).toWellFormed() : null;
}
