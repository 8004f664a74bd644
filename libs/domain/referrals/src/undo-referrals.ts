import { undoRecords } from '#domain/bookings';
import { statement, typed } from '#platform/database';
import type { ImportHandler } from '#platform/import-rows';

/** A row of a job that undoes an import. */
export interface UndoReferralRow {
  /** The first referral of the booking; the others of the code are deleted with it. */
  referralId: string;
  /** Deletes the referrals although they have changed since they were imported. */
  evenIfChanged?: boolean;
}

/** The referrals `s` of the same booking and code as `f`. */
const SAME = `s.organization_id = f.organization_id AND s.referrer_id = f.referrer_id AND s.referred_booking_id = f.referred_booking_id`;

/** A SELECT of the referrals of a booking by the id of the first, for statements of imports. */
export const referralsToUndo = (organizationId: string, id: string) => /* sql */ `
  SELECT f.id, NULL::text AS final, CASE WHEN EXISTS (SELECT FROM referrals s WHERE ${SAME} AND s.updated_at > s.created_at)
    THEN ARRAY['REPLACED'] ELSE '{}'::text[] END AS changes
  FROM referrals f WHERE f.organization_id = ${organizationId} AND f.id = ${id}`;

const FOUND = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', final: 'text?', changes: typed<string[]>('text[]'), bookingId: 'uuid' },
  sql: `
    SELECT r.id, r.final, r.changes, booked.referred_booking_id AS "bookingId"
    FROM unnest($2::uuid[]) given (id) CROSS JOIN LATERAL (${referralsToUndo('$1', 'given.id')}) r
    JOIN referrals booked ON booked.organization_id = $1 AND booked.id = r.id
  `,
});

/** The code is taken from the bookings that no other referral gives it. */
const DELETE = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: `
    WITH gone AS (
      DELETE FROM referrals s USING referrals f WHERE f.organization_id = $1 AND f.id = ANY ($2) AND ${SAME}
      RETURNING s.referred_booking_id, s.referrer_id
    )
    UPDATE bookings b SET referral_codes = ARRAY(SELECT code FROM unnest(b.referral_codes) WITH ORDINALITY used (code, place)
      WHERE code <> ALL (g.codes) ORDER BY place)
    FROM (SELECT gone.referred_booking_id, array_agg(o.generated_referral_code) AS codes FROM gone
      JOIN referrers o ON o.organization_id = $1 AND o.id = gone.referrer_id GROUP BY 1) g
    WHERE b.organization_id = $1 AND b.id = g.referred_booking_id
  `,
});

/** Deletes the referrals of an import that no other job has changed, so that their bookings count for no code. */
export const undoReferrals: ImportHandler<UndoReferralRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  const { outcomes, deleted } = await undoRecords(context, rows, {
    read: (ids) => FOUND.rows(manager, [organizationId, ids]),
    name: 'referralId',
    message: 'Another job has changed the referrals since they were imported.',
  });
  if (deleted.length > 0) await DELETE.run(manager, [organizationId, deleted.map(({ id }) => id)]);
  return outcomes;
};
