import { occurrencesById } from '#domain/catalogue';
import type { ImportContext, ImportRow, RowOutcome, Warning } from '#platform/import-rows';
import { hasZone, readLocal } from '#platform/validation';
import type { StartListRow } from './start-list-row.dto';

/**
 * Handles the rows with instants for times without a zone, which are local to the occurrence. Where clocks change, the first reading is
 * taken, and the outcome of the row warns of it.
 */
export async function inInstants<Row extends StartListRow>(
  context: ImportContext,
  rows: ImportRow<Row>[],
  handle: (rows: ImportRow<Row>[]) => Promise<RowOutcome[]>,
): Promise<RowOutcome[]> {
  const local = rows.filter(({ payload }) => timesOf(payload).some((time) => time && !hasZone(time)));
  if (local.length === 0) return handle(rows);
  const occurrences = await occurrencesById(
    context,
    local.map(({ payload }) => payload.eventOccurrenceId),
  );
  const warnings = new Map<number, Warning[]>();
  const read = rows.map(({ row, payload }) => {
    const timeZone = occurrences.get(payload.eventOccurrenceId)?.timeZone;
    if (!timeZone) return { row, payload };
    const times = new LocalTimes(timeZone);
    const converted = { row, payload: times.in(payload) };
    if (times.warnings.length > 0) warnings.set(row, times.warnings);
    return converted;
  });
  const outcomes = await handle(read);
  return outcomes.map((each) => {
    const found = warnings.get(each.row_number);
    const isWritten = each.outcome === 'IMPORTED' || each.outcome === 'UPDATED';
    if (!found || !isWritten) return each;
    const others = (each.result?.warnings ?? []) as Warning[];
    return { ...each, result: { ...each.result, warnings: [...found, ...others] } };
  });
}

const timesOf = ({ bookedAt, createdAt, participants }: StartListRow) => [
  bookedAt,
  createdAt,
  ...participants.map(({ resultSubmission }) => resultSubmission?.submittedAt),
];

class LocalTimes {
  readonly warnings: Warning[] = [];

  constructor(private readonly timeZone: string) {}

  in<Row extends StartListRow>(row: Row): Row {
    const { bookedAt, createdAt } = row;
    const participants = row.participants.map((participant, i) => {
      const { resultSubmission: result } = participant;
      if (!result) return participant;
      const submittedAt = this.instant(`participants[${i}].resultSubmission.submittedAt`, result.submittedAt);
      return { ...participant, resultSubmission: { ...result, submittedAt } };
    });
    return {
      ...row,
      participants,
      ...(bookedAt && { bookedAt: this.instant('bookedAt', bookedAt) }),
      ...(createdAt && { createdAt: this.instant('createdAt', createdAt) }),
    };
  }

  private instant(path: string, time: string): string {
    if (hasZone(time)) return time;
    const { instant, doubt } = readLocal(time, this.timeZone);
    if (doubt) {
      const [stored, other] = doubt.readings;
      const message = `${path} ${doubt.what}: ${stored} is stored, not ${other}`;
      this.warnings.push({ path, code: 'AMBIGUOUS_TIME', message });
    }
    return instant;
  }
}
