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
  /** The row has an outcome, or its job ended before it. Others are not processed yet, and must not be changed. */
  done: boolean;
}

/** Ids of assignments are those of the partner whose key sent them. */
const isAssigned = (id: string) => /* sql */ `${id} = ANY ($5) AND EXISTS (SELECT FROM import_jobs j
        JOIN unnest($5::text[], $15::uuid[]) a (id, by) ON a.by = coalesce(j.partner_id, '${NIL_ID}')
        WHERE j.organization_id = $1 AND j.id = r.job_id AND a.id = ${id})`;

/**
 * Finds rows by the origin of the entries, by ids in the row (earlier attempts, repetitions, line items and add-ons), and
 * by email. The payload of a row is cleared completely, also if it names several people; its outcome stays.
 * External ids of participants are unique in their booking only, and can be changed after an add-on was imported.
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
    'uuid[]',
    'text[]',
    'uuid[]',
  ],
  columns: { read: 'int!', last: typed<string[] | null>('json?'), found: typed<ImportRowKey[]>('json!') },
  sql: `
    WITH step AS MATERIALIZED (
      SELECT * FROM import_rows WHERE organization_id = $1 AND (job_id, row_number) > ($12, $13)
      ORDER BY job_id, row_number LIMIT $14::int
    )
    SELECT (SELECT count(*)::int FROM step) AS read,
      (SELECT json_build_array(job_id, row_number) FROM step ORDER BY job_id DESC, row_number DESC LIMIT 1) AS last,
      (SELECT coalesce(json_agg(json_build_object('jobId', r.job_id, 'row', r.row_number, 'done',
        r.outcome IS NOT NULL OR EXISTS (SELECT FROM import_jobs j
          WHERE j.organization_id = $1 AND j.id = r.job_id AND j.status = 'FAILED'))), '[]')
    FROM step r
    WHERE ((r.external_id = ANY ($4::text[] || $9) OR ${isAssigned('r.external_id')}) AND ${mentions('r.external_id', '$11')}
      OR r.payload <> '{}' AND ((r.job_id, r.row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))
      OR r.payload->>'externalBookingId' = ANY ($4) AND r.payload ? 'participants'
      OR r.payload->>'referredExternalBookingId' = ANY ($4)
      OR ${isAssigned("(r.payload->>'externalAssignmentId')")}
      OR r.payload->>'participantId' = ANY ($6)
      OR (r.payload->>'externalBookingId', r.payload->>'externalParticipantId')
        IN (SELECT * FROM unnest($16::text[], $7::text[]))
      OR r.result->>'allocationId' = ANY (ARRAY(SELECT a.id::text FROM add_on_allocations a
        WHERE a.organization_id = $1 AND a.booking_id = ANY ($17) AND a.participant_id = ANY ($6::text[]::uuid[])))
      OR coalesce(r.payload->>'participantId', r.payload->>'externalParticipantId') IS NULL
        AND (r.payload->>'bookingId' = ANY ($8) OR r.payload->>'externalBookingId' = ANY ($9))
      OR ${mentions('r.payload::text', '$10')}))) AS found
  `,
});

/** So that no retry begins meanwhile. */
const LOCK_FAILED_JOBS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `
    SELECT id FROM import_jobs WHERE organization_id = $1 AND id = ANY ($2) AND status = 'FAILED'
    ORDER BY id FOR NO KEY UPDATE
  `,
});

/** A retry of the job must not process rows whose content is removed. */
const GIVE_UP_UNREACHED = statement({
  parameters: ['uuid', 'uuid[]', 'int[]', 'uuid[]'],
  sql: `
    WITH unreached AS (
      UPDATE import_rows r SET outcome = 'FAILED', error_code = 'NOT_REACHED',
        error_message = 'The import ended before this row. The row was not written.'
      FROM unnest($2::uuid[], $3::int[]) named (job_id, row_number)
      WHERE r.organization_id = $1 AND r.job_id = named.job_id AND r.row_number = named.row_number
        AND r.job_id = ANY ($4) AND r.outcome IS NULL
      RETURNING r.job_id
    )
    UPDATE import_jobs j SET failed_rows = j.failed_rows + u.rows
    FROM (SELECT job_id, count(*)::int AS rows FROM unreached GROUP BY job_id) u
    WHERE j.organization_id = $1 AND j.id = u.job_id
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
      AND r.outcome IS NOT NULL
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
  const assigned = entries.filter(({ externalAssignmentId }) => externalAssignmentId !== null);
  const numbered = entries.filter(
    ({ externalBookingId, externalParticipantId }) => (externalBookingId && externalParticipantId) !== null,
  );
  const values = [
    organizationId,
    named.map(({ importJobId }) => importJobId),
    named.map(({ importRow }) => importRow),
    present([...entries, ...booked].map(({ externalBookingId }) => externalBookingId)),
    assigned.map(({ externalAssignmentId }) => externalAssignmentId as string),
    present(entries.flatMap(({ id, participantId }) => [id, participantId])),
    numbered.map(({ externalParticipantId }) => externalParticipantId as string),
    present([...own.map(({ bookingId }) => bookingId), ...booked.map(({ id }) => id)]),
    present([...own, ...booked].map(({ externalBookingId }) => externalBookingId)),
    mentionOf(emails),
    mentionInIdsOf(emails),
  ] as const;
  return searched(database, (manager, [jobId, row] = [NIL_ID, '0'], most) =>
    FIND.one(manager, [
      ...([...values, jobId as string, Number(row), most] as const),
      assigned.map(({ assignedBy }) => assignedBy),
      numbered.map(({ externalBookingId }) => externalBookingId as string),
      entries.map(({ bookingId }) => bookingId),
    ]),
  );
}

/** Their outcomes stay. Those that their job did not reach fail; those whose job is being retried meanwhile do not change. */
export async function emptyImportRows(
  manager: EntityManager,
  removal: Removal,
  erasure: IdErasure,
  rows: readonly ImportRowKey[],
): Promise<void> {
  const { organizationId } = erasure;
  const jobIds = rows.map(({ jobId }) => jobId);
  const named = [organizationId, jobIds, rows.map(({ row }) => row)] as const;
  const ended = await LOCK_FAILED_JOBS.rows(manager, [organizationId, [...new Set(jobIds)]]);
  if (ended.length > 0) await GIVE_UP_UNREACHED.run(manager, [...named, ended.map(({ id }) => id)]);
  await eraseReportedIds(manager, removal, erasure, rows);
  removal.add('import_rows', await EMPTY.rows(manager, [...named, mentionInIdsOf(erasure.emails)]));
}
