import type { EntityManager } from 'typeorm';
import { NIL_ID, statement } from '#platform/database';

/** Bookings per statement, which writes two rows for each, so that no transaction is long. */
const PAGE = 500;

/**
 * Gives a code to each of the bookings in `given` (organization_id, booking_id) without one, in every program of its
 * occurrence. The bookings of one checkout share a code: the unique index on the checkout finds it, also if another
 * transaction creates it at the same time. 48 random bits: if two codes of a program are equal, the statement fails,
 * and the next attempt creates others.
 *
 * `OFFSET 0` has each booking looked up by its key. While statistics do not contain an organization, PostgreSQL expects one
 * row of it, and would read all of its rows for each booking.
 */
const GIVE = /* sql */ `
  owners AS MATERIALIZED (
    SELECT b.organization_id, b.id AS booking_id, b.transaction_id, p.id AS program_id
    FROM given g
    CROSS JOIN LATERAL (
      SELECT * FROM bookings b WHERE b.organization_id = g.organization_id AND b.id = g.booking_id OFFSET 0) b
    JOIN referral_programs p ON p.organization_id = b.organization_id AND p.event_occurrence_id = b.event_occurrence_id
    WHERE NOT EXISTS (
      SELECT FROM referrer_owner_bookings o
      WHERE o.organization_id = b.organization_id AND o.booking_id = b.id AND p.id = (
        SELECT r.referral_program_id FROM referrers r WHERE r.organization_id = o.organization_id AND r.id = o.referrer_id)
      OFFSET 0)
  ), codes AS (
    INSERT INTO referrers (organization_id, id, referral_program_id, transaction_id, generated_referral_code)
    SELECT organization_id, uuid_v7(), program_id, transaction_id, upper(right(gen_random_uuid()::text, 12))
    FROM (SELECT DISTINCT organization_id, program_id, transaction_id FROM owners) checkouts
    ORDER BY organization_id, program_id, transaction_id
    ON CONFLICT (organization_id, referral_program_id, transaction_id) DO UPDATE SET transaction_id = EXCLUDED.transaction_id
    RETURNING organization_id, id, referral_program_id, transaction_id
  ), owned AS (
    INSERT INTO referrer_owner_bookings (organization_id, referrer_id, booking_id)
    SELECT w.organization_id, c.id, w.booking_id FROM owners w
    JOIN codes c ON c.organization_id = w.organization_id AND c.referral_program_id = w.program_id
      AND c.transaction_id = w.transaction_id
    ON CONFLICT DO NOTHING
  )`;

const HAS_PROGRAM = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    SELECT FROM referral_programs WHERE organization_id = $1 AND event_occurrence_id = ANY ($2) LIMIT 1
  `,
});

const GIVE_TO_BOOKINGS = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    WITH given AS (SELECT $1::uuid AS organization_id, booking_id FROM unnest($2::uuid[]) booking_id), ${GIVE}
    SELECT
  `,
});

/**
 * Gives codes to new bookings. Call it in the transaction that inserted them, after the insert: because the
 * transaction has written, `codeEarlierBookings` waits for it if it did not see a new program.
 */
export async function giveReferralCodes(
  manager: EntityManager,
  organizationId: string,
  bookings: readonly { id: string; event_occurrence_id: string }[],
): Promise<void> {
  const occurrences = [...new Set(bookings.map(({ event_occurrence_id }) => event_occurrence_id))];
  if (occurrences.length === 0) return;
  if (!(await HAS_PROGRAM.run(manager, [organizationId, occurrences]))) return;
  await GIVE_TO_BOOKINGS.run(manager, [organizationId, bookings.map(({ id }) => id)]);
}

/** From now on, new bookings in the occurrence of a new program get their codes directly. */
const BEGIN = statement({
  sql: `
    UPDATE referral_programs SET codes_from = clock_timestamp() WHERE codes_from IS NULL AND NOT codes_complete
  `,
});

/** Reads a bounded number of bookings of the organization, in any occurrence. */
const CODE_PAGE = statement({
  parameters: ['timestamptz'],
  sql: `
    WITH program AS (
      SELECT organization_id, id, event_occurrence_id, codes_after FROM referral_programs
      WHERE NOT codes_complete AND codes_from < $1::timestamptz
      ORDER BY codes_from, id LIMIT 1
    ), page AS MATERIALIZED (
      SELECT b.id, b.event_occurrence_id FROM program p
      CROSS JOIN LATERAL (
        SELECT b.id, b.event_occurrence_id FROM bookings b
        WHERE b.organization_id = p.organization_id
          AND b.id > coalesce(p.codes_after, '${NIL_ID}')
        ORDER BY b.id LIMIT ${PAGE}) b
    ), given AS (
      SELECT p.organization_id, b.id AS booking_id FROM program p
      JOIN page b ON b.event_occurrence_id = p.event_occurrence_id
    ), ${GIVE}
    UPDATE referral_programs r SET
      codes_complete = (SELECT count(*) FROM page) < ${PAGE},
      codes_after = coalesce((SELECT id FROM page ORDER BY id DESC LIMIT 1), r.codes_after)
    FROM program p WHERE r.organization_id = p.organization_id AND r.id = p.id
  `,
});

/** Organizations with a program whose earlier bookings have no codes yet. */
export const ORGANIZATIONS_TO_CODE = statement({
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM organizations_to_code() id',
});

const WATERMARK = statement({
  columns: { settled: 'text' },
  sql: 'SELECT horizon() AS settled',
});

/**
 * Gives codes to a page of an organization's bookings from before one of the programs. First waits until the
 * transactions that did not see the program have ended; later ones create the codes themselves. The wait is a
 * separate statement, so that the next one sees what they committed.
 *
 * @returns whether there may be more work
 */
export async function codeEarlierBookings(manager: EntityManager): Promise<boolean> {
  await BEGIN.run(manager);
  const { settled } = await WATERMARK.one(manager);
  return (await CODE_PAGE.run(manager, [settled])) > 0;
}
