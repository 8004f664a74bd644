import type { EntityManager } from 'typeorm';
import { NIL_ID, statement, typed } from '#platform/database';

/**
 * Links claims: each ends with its participant's next claim, or with the cancellation. The claim before a new one now ends
 * earlier, so it is linked again. A claim belongs to the race of its time: whoever leaves a race gives up the bib in it
 * (`leaveRace`), so it is the race of the next claim without a bib, otherwise that of the entry. Returns the affected bibs by race, with the first and the last changed claim.
 */
const LINK = statement({
  parameters: ['uuid', 'bigint'],
  columns: { taken: 'int', affected: typed<unknown[]>('json') },
  sql: `
    WITH unlinked AS MATERIALIZED (
      SELECT c.organization_id, c.participant_id, c.changed_at, c.seq FROM bib_claims c
      WHERE c.organization_id = $1 AND c.until IS NULL
      ORDER BY c.bib_number, c.changed_at LIMIT $2
    ), touched AS MATERIALIZED (
      SELECT organization_id, participant_id, changed_at, seq FROM unlinked
      UNION
      SELECT u.organization_id, u.participant_id, before.changed_at, before.seq FROM unlinked u
      CROSS JOIN LATERAL (
        SELECT b.changed_at, b.seq, b.until FROM bib_claims b
        WHERE b.organization_id = $1 AND b.participant_id = u.participant_id
          AND (b.changed_at, b.seq) < (u.changed_at, u.seq)
        ORDER BY b.changed_at DESC, b.seq DESC LIMIT 1
      ) before
      -- One that isn't linked yet has its own turn, and then the claim before it is linked again as well.
      WHERE before.until IS NOT NULL
    ), linked AS (
      UPDATE bib_claims c SET until = t.until, race_id = coalesce(c.race_id, t.race_id),
        event_occurrence_id = coalesce(t.event_occurrence_id, c.event_occurrence_id)
      FROM (
        SELECT touched.*, coalesce(left_later.race_id, e.race_id) AS race_id, e.event_occurrence_id,
          CASE WHEN e.approval_status = 'APPROVED'
            THEN least(coalesce(following.changed_at, 'infinity'), coalesce(e.cancelled_at, 'infinity'))
            ELSE '-infinity' END AS until
        FROM touched
        LEFT JOIN start_list_entries e
          ON e.organization_id = touched.organization_id AND e.participant_id = touched.participant_id
        LEFT JOIN LATERAL (
          SELECT n.changed_at FROM bib_claims n
          WHERE n.organization_id = $1 AND n.participant_id = touched.participant_id
            AND (n.changed_at, n.seq) > (touched.changed_at, touched.seq)
          ORDER BY n.changed_at, n.seq LIMIT 1
        ) following ON true
        LEFT JOIN LATERAL (
          SELECT n.race_id FROM bib_claims n
          WHERE n.organization_id = $1 AND n.participant_id = touched.participant_id AND n.bib_number IS NULL
            AND n.race_id IS NOT NULL AND (n.changed_at, n.seq) >= (touched.changed_at, touched.seq)
          ORDER BY n.changed_at, n.seq LIMIT 1
        ) left_later ON true
      ) t
      WHERE c.organization_id = t.organization_id AND c.participant_id = t.participant_id AND c.changed_at = t.changed_at
        AND c.seq = t.seq AND c.until IS DISTINCT FROM t.until
      RETURNING c.race_id, c.bib_number, c.changed_at, c.participant_id, c.seq
    )
    SELECT (SELECT count(*) FROM unlinked)::int AS taken, coalesce(json_agg(affected) FILTER (WHERE race_id IS NOT NULL), '[]') AS affected
    FROM (
      SELECT race_id, bib_number,
        (array_agg(changed_at ORDER BY changed_at, participant_id, seq))[1] AS first_at,
        (array_agg(participant_id ORDER BY changed_at, participant_id, seq))[1] AS first_participant,
        (array_agg(seq ORDER BY changed_at, participant_id, seq))[1] AS first_seq,
        (array_agg(changed_at ORDER BY changed_at DESC, participant_id DESC, seq DESC))[1] AS last_at,
        (array_agg(participant_id ORDER BY changed_at DESC, participant_id DESC, seq DESC))[1] AS last_participant,
        (array_agg(seq ORDER BY changed_at DESC, participant_id DESC, seq DESC))[1] AS last_seq
      FROM linked WHERE race_id IS NOT NULL AND bib_number IS NOT NULL
      GROUP BY race_id, bib_number
    ) affected
  `,
});

const key = (row: string) => `(${row}.changed_at, ${row}.participant_id, ${row}.seq)`;
const ofBib = (row: string, bib: string) =>
  `${row}.organization_id = $1 AND ${row}.race_id = ${bib}.race_id AND ${row}.bib_number = ${bib}.bib_number`;

/**
 * Recomputes the holders of bibs and their periods. The earliest claim holds a bib until it ends; then the earliest claim
 * that has not ended. In the order of claims, the holders are therefore the claims that end later than all before them,
 * each from the end of the previous holder or from its own start, whichever is later.
 *
 * `chain` starts at the last holder before the first changed claim and continues from holder to holder, until there is
 * none or, after the last changed claim, it reaches a holder that is already recorded (`settled`). If a change of holders
 * affects messages with the bib, it adds a task to identify them again. The LIMITs and OFFSETs make the planner use the
 * full key of the index for each bib.
 *
 * Example: claims of one bib, by the hour. Q's ends before P's, so Q never holds the bib. Then S's claim arrives, which is the earliest.
 * No holder precedes it, so `chain` is S, P and R. R's period is the recorded one, so `chain` ends there; only S and P are
 * written. A test runs the example.
 *
 * | participant | claims at | until | holds   | holds after S |
 * |-------------|-----------|-------|---------|---------------|
 * | S           | 8         | 10    |         | 8 to 10       |
 * | P           | 9         | 12    | 9 to 12 | 10 to 12      |
 * | Q           | 10        | 11    |         |               |
 * | R           | 11        |       | from 12 | from 12       |
 */
const HOLD = statement({
  parameters: ['uuid', 'json'],
  sql: `
    WITH RECURSIVE affected AS MATERIALIZED (
      SELECT $1::uuid AS organization_id, a.* FROM json_to_recordset($2::json) AS a (race_id uuid, bib_number text, first_at timestamptz,
        first_participant uuid, first_seq bigint, last_at timestamptz, last_participant uuid, last_seq bigint)
    ), chain AS (
      SELECT a.*, 0 AS place, false AS settled, '-infinity'::timestamptz AS ended_before,
        coalesce(h.changed_at, '-infinity') AS changed_at, coalesce(h.participant_id, '${NIL_ID}') AS participant_id,
        coalesce(h.seq, -1) AS seq, h.held_from AS since, coalesce(h.held_until, '-infinity') AS until,
        h.held_from AS was_from, h.held_until AS was_until, h.holds_last AS was_last
      FROM affected a
      LEFT JOIN LATERAL (
        SELECT b.* FROM bib_claims b
        WHERE ${ofBib('b', 'a')} AND b.held_from IS NOT NULL
          AND ${key('b')} < (a.first_at, a.first_participant, a.first_seq)
        ORDER BY b.changed_at DESC, b.participant_id DESC, b.seq DESC LIMIT 1
      ) h ON true
      UNION ALL
      SELECT c.organization_id, c.race_id, c.bib_number, c.first_at, c.first_participant, c.first_seq, c.last_at, c.last_participant, c.last_seq,
        c.place + 1,
        ${key('n')} > (c.last_at, c.last_participant, c.last_seq)
          AND n.held_from IS NOT DISTINCT FROM greatest(n.changed_at, c.until) AND n.held_until = n.until,
        c.until, n.changed_at, n.participant_id, n.seq, greatest(n.changed_at, c.until), n.until,
        n.held_from, n.held_until, n.holds_last
      FROM chain c
      CROSS JOIN LATERAL (
        SELECT b.* FROM bib_claims b
        WHERE ${ofBib('b', 'c')} AND ${key('b')} > ${key('c')} AND b.until > c.until AND b.until > b.changed_at
        ORDER BY b.changed_at, b.participant_id, b.seq LIMIT 1
      ) n
      WHERE c.until < 'infinity' AND NOT c.settled
    ), ends AS MATERIALIZED (
      SELECT DISTINCT ON (race_id, bib_number) *,
        CASE WHEN settled THEN changed_at ELSE 'infinity' END AS upto_at
      FROM chain ORDER BY race_id, bib_number, place DESC
    ), former AS MATERIALIZED (
      SELECT f.organization_id, f.race_id, f.bib_number, f.changed_at, f.participant_id, f.seq, f.held_from, f.held_until, f.holds_last,
        coalesce(before.held_until, '-infinity') AS ended_before
      FROM ends
      CROSS JOIN LATERAL (
        SELECT b.* FROM bib_claims b
        WHERE ${ofBib('b', 'ends')} AND b.held_from IS NOT NULL
          AND ${key('b')} >= (ends.first_at, ends.first_participant, ends.first_seq)
          AND ${key('b')} <= (ends.upto_at, ends.participant_id, ends.seq)
        OFFSET 0
      ) f
      LEFT JOIN LATERAL (
        SELECT b.held_until FROM bib_claims b
        WHERE ${ofBib('b', 'f')} AND b.held_from IS NOT NULL AND ${key('b')} < ${key('f')}
        ORDER BY b.changed_at DESC, b.participant_id DESC, b.seq DESC LIMIT 1
      ) before ON true
      WHERE ${key('f')} NOT IN (SELECT changed_at, participant_id, seq FROM chain)
    ), changes AS MATERIALIZED (
      SELECT c.organization_id, c.race_id, c.bib_number, c.changed_at, c.participant_id, c.seq, c.ended_before,
        c.was_from, c.was_until, c.was_last, c.since AS now_from, c.until AS now_until, is_last.now AS now_last
      FROM chain c
      JOIN ends ON ends.race_id = c.race_id AND ends.bib_number = c.bib_number
      CROSS JOIN LATERAL (SELECT NOT ends.settled AND ends.place = c.place AS now) is_last
      WHERE c.since IS NOT NULL AND NOT c.settled
        AND (c.was_from, c.was_until, c.was_last) IS DISTINCT FROM (c.since, c.until, is_last.now)
      UNION ALL
      SELECT organization_id, race_id, bib_number, changed_at, participant_id, seq, ended_before, held_from, held_until, holds_last,
        NULL, NULL, false
      FROM former
    ), held AS (
      UPDATE bib_claims b SET held_from = c.now_from, held_until = c.now_until, holds_last = c.now_last
      FROM changes c
      WHERE b.organization_id = c.organization_id AND b.participant_id = c.participant_id
        AND b.changed_at = c.changed_at AND b.seq = c.seq
    ), periods AS (
      SELECT DISTINCT c.bib_number, p.since, p.until
      FROM changes c CROSS JOIN LATERAL (VALUES
        (CASE WHEN c.was_from IS NULL OR c.now_from IS NULL THEN c.ended_before END, coalesce(c.now_until, c.was_until)),
        (least(c.was_until, c.now_until), greatest(c.was_until, c.now_until)),
        (least(c.was_from, c.now_from), greatest(c.was_from, c.now_from)),
        -- Messages after the last holder are about that one.
        (CASE WHEN c.was_last <> c.now_last THEN least(c.was_until, c.now_until) END, 'infinity')
      ) p (since, until)
      WHERE p.since < p.until
    )
    INSERT INTO race_day_tasks (organization_id, bib_number, since, until)
    SELECT $1, p.bib_number, p.since, p.until FROM periods p
    CROSS JOIN LATERAL (
      SELECT FROM race_day_log l
      WHERE l.organization_id = $1 AND l.bib_number = p.bib_number AND l.named_by_bib
        AND l.changed_at >= p.since AND l.changed_at < p.until
      LIMIT 1
    ) concerned
  `,
});

/**
 * Links new claims of an organization and records the bib holders. Call it within `lockRaceDay`. The cost depends on the
 * changes only, not on the number of earlier claims of a bib.
 *
 * @param most the most claims
 * @returns the number of claims
 */
export async function linkClaims(
  manager: EntityManager,
  organizationId: string,
  most: number,
): Promise<number> {
  const { taken, affected } = await LINK.one(manager, [organizationId, most]);
  if (affected.length > 0) await HOLD.run(manager, [organizationId, JSON.stringify(affected)]);
  return taken;
}
