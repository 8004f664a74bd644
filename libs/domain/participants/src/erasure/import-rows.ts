import type { EntityManager } from 'typeorm';
import { NIL_ID, statement, typed } from '#platform/database';
import { isBooker, type KnownEntry } from './entries';
import { mentionInIdsOf, mentionOf, mentions, withoutMention } from './mention';
import { eraseReportedIds, type IdErasure } from './own-ids';
import type { Removal } from './removal';
import { searched } from './search';
import type { Transactions } from './transactions';

export interface ImportRowKey {
  jobId: string;
  row: number;
  /** The row has an outcome. Rows without one are not processed yet, and must not be changed. */
  done: boolean;
}

/**
 * Finds rows by the origin of the entries, by ids in the row (earlier attempts, repetitions, line items and add-ons), and
 * by email. The payload of a row is cleared completely, also if it names several people; its outcome stays.
 */
const FIND = statement({
  parameters: [
    'uuid',
    'uuid[]',
    'int[]',
    'text[]',
    'text[]',
    'text[]',
    'text[]',
    'text[]',
    'text[]',
    'text[]',
    'text[]',
    'uuid',
    'int',
    'int',
  ],
  columns: { read: 'int!', last: typed<string[] | null>('json?'), found: typed<ImportRowKey[]>('json!') },
  sql: `
    WITH step AS MATERIALIZED (
      SELECT * FROM import_rows WHERE organization_id = $1 AND (job_id, row_number) > ($12, $13)
      ORDER BY job_id, row_number LIMIT $14::int
    )
    SELECT (SELECT count(*)::int FROM step) AS read,
      (SELECT json_build_array(job_id, row_number) FROM step ORDER BY job_id DESC, row_number DESC LIMIT 1) AS last,
      (SELECT coalesce(json_agg(json_build_object('jobId', r.job_id, 'row', r.row_number, 'done', r.outcome IS NOT NULL)), '[]')
    FROM step r
    WHERE (r.external_id = ANY ($4::text[] || $5 || $9) AND ${mentions('r.external_id', '$11')}
      OR r.payload <> '{}' AND ((r.job_id, r.row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))
      OR r.payload->>'externalBookingId' = ANY ($4) AND r.payload ? 'participants'
      OR r.payload->>'referredExternalBookingId' = ANY ($4)
      OR r.payload->>'externalAssignmentId' = ANY ($5)
      OR r.payload->>'participantId' = ANY ($6)
      OR r.payload->>'externalParticipantId' = ANY ($7)
      OR coalesce(r.payload->>'participantId', r.payload->>'externalParticipantId') IS NULL
        AND (r.payload->>'bookingId' = ANY ($8) OR r.payload->>'externalBookingId' = ANY ($9))
      OR ${mentions('r.payload::text', '$10')}))) AS found
  `,
});

const EMPTY = statement({
  parameters: ['uuid', 'uuid[]', 'int[]', 'text[]'],
  columns: { job_id: 'uuid', row_number: 'int' },
  sql: `
    UPDATE import_rows r SET payload = '{}',
      error_message = ${withoutMention('error_message', '$4')}, error_path = ${withoutMention('error_path', '$4')}
    FROM unnest($2::uuid[], $3::int[]) named (job_id, row_number)
    WHERE r.organization_id = $1 AND r.job_id = named.job_id AND r.row_number = named.row_number
    RETURNING r.job_id, r.row_number
  `,
});

/**
 * The import rows about the entries, or about their booker if that is the person.
 *
 * @param booked the bookings whose booker is erased
 */
export async function findImportRows(
  database: Transactions,
  organizationId: string,
  entries: readonly KnownEntry[],
  emails: readonly string[],
  booked: readonly { id: string; externalBookingId: string | null }[] = [],
): Promise<ImportRowKey[]> {
  const named = entries.flatMap(({ importJobId, importRow }) =>
    importJobId !== null && importRow !== null ? [{ importJobId, importRow }] : [],
  );
  const present = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))];
  const own = entries.filter(isBooker);
  const values = [
    organizationId,
    named.map(({ importJobId }) => importJobId),
    named.map(({ importRow }) => importRow),
    present([...entries, ...booked].map(({ externalBookingId }) => externalBookingId)),
    present(entries.map(({ externalAssignmentId }) => externalAssignmentId)),
    present(entries.flatMap(({ id, participantId }) => [id, participantId])),
    present(entries.map(({ externalParticipantId }) => externalParticipantId)),
    present([...own.map(({ bookingId }) => bookingId), ...booked.map(({ id }) => id)]),
    present([...own, ...booked].map(({ externalBookingId }) => externalBookingId)),
    mentionOf(emails),
    mentionInIdsOf(emails),
  ] as const;
  return searched(database, (manager, [jobId, row] = [NIL_ID, '0'], most) =>
    FIND.one(manager, [...values, jobId as string, Number(row), most]),
  );
}

/** Their outcomes stay. */
export async function emptyImportRows(
  manager: EntityManager,
  removal: Removal,
  erasure: IdErasure,
  rows: readonly ImportRowKey[],
): Promise<void> {
  await eraseReportedIds(manager, removal, erasure, rows);
  removal.add(
    'import_rows',
    await EMPTY.rows(manager, [
      erasure.organizationId,
      rows.map(({ jobId }) => jobId),
      rows.map(({ row }) => row),
      mentionInIdsOf(erasure.emails),
    ]),
  );
}
