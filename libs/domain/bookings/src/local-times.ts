import { occurrencesById } from '#domain/catalogue';
import { type ImportContext, type ImportRow, instantIn } from '#platform/import-rows';
import { hasZone } from '#platform/validation';
import type { StartListRow } from './start-list-row.dto';

const timesOf = ({ bookedAt, createdAt, participants }: StartListRow) => [
  bookedAt,
  createdAt,
  ...participants.map(({ resultSubmission }) => resultSubmission?.submittedAt),
];

/** The rows with instants for times without a zone, which are local to the occurrence. */
export async function inInstants<Row extends StartListRow>(
  context: ImportContext,
  rows: ImportRow<Row>[],
): Promise<ImportRow<Row>[]> {
  const local = rows.filter(({ payload }) => timesOf(payload).some((time) => time && !hasZone(time)));
  if (local.length === 0) return rows;
  const occurrences = await occurrencesById(
    context,
    local.map(({ payload }) => payload.eventOccurrenceId),
  );
  return rows.map((row) => {
    const timeZone = occurrences.get(row.payload.eventOccurrenceId)?.timeZone;
    return timeZone ? { ...row, payload: withInstants(row.payload, timeZone) } : row;
  });
}

function withInstants<Row extends StartListRow>(row: Row, timeZone: string): Row {
  const { bookedAt, createdAt } = row;
  const participants = row.participants.map((participant) => {
    const { resultSubmission: result } = participant;
    if (!result) return participant;
    const submittedAt = instantIn(timeZone, result.submittedAt) as string;
    return { ...participant, resultSubmission: { ...result, submittedAt } };
  });
  return {
    ...row,
    participants,
    ...(bookedAt && { bookedAt: instantIn(timeZone, bookedAt) }),
    ...(createdAt && { createdAt: instantIn(timeZone, createdAt) }),
  };
}
