import type { EntityManager } from 'typeorm';
import { lockRaceDay } from '#libs/race-day';
import { findEntry } from './find-entry';

export interface Redaction {
  participantId: string;
  applicationId: string;
  /** False where it had been redacted before: what has come in since is removed all the same. */
  changed: boolean;
  bookerRedacted: boolean;
  importRows: number;
  raceDayMessages: number;
  /** Import rows that name the person and are still to be carried out: redact again when they are. */
  importRowsAhead: number;
}

const LOCK_BOOKING = /* sql */ `
  SELECT FROM bookings WHERE organization_id = $1 AND id = $2 FOR UPDATE
`;

const LOCK_ENTRIES = /* sql */ `
  SELECT FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2 ORDER BY id FOR NO KEY UPDATE
`;

/** What of the person is known elsewhere: read before it is gone. */
const TRACES = /* sql */ `
  WITH entry AS (
    SELECT e.*,
      lower((SELECT f->>'value' FROM json_array_elements(e.fields) f WHERE f->>'key' = 'email' LIMIT 1)) AS own_email,
      lower(btrim((SELECT string_agg(f->>'value', ' ' ORDER BY f->>'key') FROM json_array_elements(e.fields) f
        WHERE f->>'key' IN ('firstName', 'lastName')))) AS full_name
    FROM start_list_entries e WHERE e.organization_id = $1 AND e.id = $2
  )
  SELECT e.gdpr_redacted AS redacted,
    array_remove(ARRAY[nullif(e.email_normalized, ''), nullif(e.own_email, '')], NULL) AS emails,
    array_remove(ARRAY[b.external_booking_id, e.external_assignment_id], NULL) AS "externalIds",
    ours->>'importJobId' AS "importJobId", (ours->>'importRow')::int AS "importRow",
    -- The booker goes with the person who booked, and with the last whom the booking is for.
    coalesce(lower(btrim(b.booker_email)) IN (e.email_normalized, e.own_email), false)
      OR coalesce(lower(btrim(concat_ws(' ', b.booker_first_name, b.booker_last_name))) = e.full_name, false)
      OR NOT EXISTS (SELECT FROM start_list_entries other
        WHERE other.organization_id = e.organization_id AND other.booking_id = e.booking_id
          AND other.id <> e.id AND NOT other.gdpr_redacted) AS "takesBooker"
  FROM entry e JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id
  CROSS JOIN LATERAL coalesce(e.metadata->'startline', e.metadata) ours
`;

interface Traces {
  redacted: boolean;
  emails: string[];
  externalIds: string[];
  importJobId: string | null;
  importRow: number | null;
  takesBooker: boolean;
}

/** What an import brings along is free text; where it came from is not. Earlier releases kept that beside the text. */
const OUR_METADATA = `(SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM jsonb_each(metadata) kept (name, value)
      WHERE CASE WHEN metadata ? 'startline' THEN name = 'startline' ELSE name IN ('importJobId', 'importRow') END)`;

/** What says nothing of who it was stays: ids, places, bib, status and its times. */
const REDACT_ENTRY = /* sql */ `
  UPDATE start_list_entries SET
    gdpr_redacted = true, fields = '[]', email_normalized = NULL, application_notes = NULL, participant_notes = '{}',
    partner_marketing_opt_ins = '[]', result_url = NULL, result_submitted_at = NULL,
    tracking_number = NULL, tracking_url = NULL, race_day_fields = '[]', external_participant_id = NULL,
    status_details = (SELECT coalesce(jsonb_agg(detail || '{"reason": null}' ORDER BY place), '[]')
      FROM jsonb_array_elements(status_details) WITH ORDINALITY details (detail, place)),
    metadata = ${OUR_METADATA}
  WHERE organization_id = $1 AND id = $2
`;

const REDACT_BOOKER = /* sql */ `
  UPDATE bookings SET booker_first_name = NULL, booker_last_name = NULL, booker_email = NULL, booker_phone = NULL,
    tracking = '{}'
  WHERE organization_id = $1 AND id = $2
    AND (coalesce(booker_first_name, booker_last_name, booker_email, booker_phone) IS NOT NULL OR tracking <> '{}')
`;

/**
 * The booking's other entries show its booker: they change too. Those without an email of their own lose the
 * booker's, and all of them what was imported along with the booking, which may name who booked.
 */
const REDACT_BOOKER_OF_OTHERS = /* sql */ `
  UPDATE start_list_entries SET
    email_normalized = CASE WHEN email_normalized = ANY ($4) THEN NULL ELSE email_normalized END,
    metadata = ${OUR_METADATA},
    updated_at = clock_timestamp()
  WHERE organization_id = $1 AND booking_id = $2 AND id <> $3
`;

/** The projection of what is left gives the same bib and shipping, without the person. */
const REDACT_RACE_DAY_LOG = /* sql */ `
  UPDATE race_day_log SET custom_fields = NULL, tracking_number = NULL, tracking_url = NULL
  WHERE organization_id = $1 AND participant_id = $2
    AND (custom_fields IS NOT NULL OR tracking_number IS NOT NULL OR tracking_url IS NOT NULL)
`;

/** By where the entry came from, by its external ids (earlier tries, repeats), and by the person's email. */
const IMPORT_ROWS = /* sql */ `
  SELECT r.job_id AS "jobId", r.row_number AS "row", r.outcome IS NOT NULL AS done
  FROM import_jobs j JOIN import_rows r ON r.organization_id = j.organization_id AND r.job_id = j.id
  WHERE j.organization_id = $1 AND r.payload <> '{}' AND (
    r.job_id = $2::uuid AND r.row_number = $3::int
    OR j.surface IN ('bookingsImport', 'reservedEntriesImport') AND (
      r.external_id = ANY ($4)
      OR EXISTS (SELECT FROM unnest($5::text[]) email WHERE strpos(lower(r.payload::text), email) > 0)))
`;

const REDACT_IMPORT_ROWS = /* sql */ `
  UPDATE import_rows r SET payload = '{}' FROM unnest($2::uuid[], $3::int[]) named (job_id, row_number)
  WHERE r.organization_id = $1 AND r.job_id = named.job_id AND r.row_number = named.row_number
`;

/** TypeORM answers an UPDATE with its rows and how many it touched. */
const touchedBy = async (manager: EntityManager, sql: string, values: unknown[]): Promise<number> => {
  const [, count] = (await manager.query(sql, values)) as [unknown[], number];
  return count;
};

/**
 * Removes the person from an entry, its booking, import rows and the race-day log, for good; the entry and what it
 * counts for stay, and pollers learn of it (decisions, section 5). Again, it removes what has come in since. Call it
 * in a transaction; the search through import rows comes before its first write, so that it holds no poller back.
 *
 * @param id a participant's, or an application's
 * @returns undefined where there is none
 */
export async function redactParticipant(manager: EntityManager, id: string): Promise<Redaction | undefined> {
  const found = await findEntry(manager, id);
  if (!found) return undefined;
  const { organizationId, id: applicationId, participantId, bookingId } = found;
  const [traces] = (await manager.query(TRACES, [organizationId, applicationId])) as [Traces];
  const rows: { jobId: string; row: number; done: boolean }[] = await manager.query(IMPORT_ROWS, [
    organizationId,
    traces.importJobId,
    traces.importRow,
    traces.externalIds,
    traces.emails,
  ]);
  const done = rows.filter((each) => each.done);

  await lockRaceDay(manager, organizationId);
  await manager.query(LOCK_BOOKING, [organizationId, bookingId]);
  await manager.query(LOCK_ENTRIES, [organizationId, bookingId]);
  await manager.query(REDACT_ENTRY, [organizationId, applicationId]);
  const booking = [organizationId, bookingId];
  const bookerRedacted = traces.takesBooker && (await touchedBy(manager, REDACT_BOOKER, booking)) > 0;
  if (bookerRedacted)
    await manager.query(REDACT_BOOKER_OF_OTHERS, [...booking, applicationId, traces.emails]);
  const rowsOf = [organizationId, done.map(({ jobId }) => jobId), done.map(({ row }) => row)];
  return {
    participantId,
    applicationId,
    changed: !traces.redacted,
    bookerRedacted,
    importRows: await touchedBy(manager, REDACT_IMPORT_ROWS, rowsOf),
    importRowsAhead: rows.length - done.length,
    raceDayMessages: await touchedBy(manager, REDACT_RACE_DAY_LOG, [organizationId, participantId]),
  };
}
