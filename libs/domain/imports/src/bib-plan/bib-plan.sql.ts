import { statement, typed } from '#platform/database';
import type { BibPlan } from './bib-plan.dto';

/** The criteria of an order. */
export const MOST_ORDERS = 3;
const EXAMPLES = 50;
const GAPS = 20;

const ORDERS = Array.from({ length: MOST_ORDERS }, (_, n) => n);

/** Of a range, so that its JSON is not parsed again for each participant. */
const CRITERIA = ORDERS.map(
  (n) => `r."order"->${n}->>'by' AS by_${n}, r."order"->${n}->>'fieldId' AS field_${n},
        CASE WHEN (r."order"->${n}->>'descending')::boolean THEN -1 ELSE 1 END AS sign_${n}`,
).join(', ');

const isBy = (n: number, by: string) => `r.by_${n} = '${by}'`;

/** Of a participant in the order of a range: numbers and texts, of which each criterion has one. */
const KEYS = ORDERS.map(
  (n) => /* sql */ `
        CASE WHEN ${isBy(n, 'WAVE')} THEN w.place::numeric
          WHEN ${isBy(n, 'ANSWER')} THEN r.sign_${n} * said.numbers[${n + 1}] END AS number_${n},
        CASE WHEN ${isBy(n, 'NAME')} THEN said.name END AS text_${n}`,
).join(',');
const IN_ORDER = [
  ...ORDERS.flatMap((n) => [`number_${n}`, `text_${n} COLLATE "C"`]),
  'created_at',
  'participant_id',
].join(', ');

/** The answer to a question, if it is a number. */
const numberOf = (n: number) => /* sql */ `max(CASE WHEN f->>'id' = r.field_${n}
            AND f->>'value' ~ '^-?[0-9]{1,15}([.,][0-9]{1,10})?$' THEN replace(f->>'value', ',', '.')::numeric END)`;

const nameOf = (of: string, key: string) =>
  `(SELECT f->>'value' FROM json_array_elements(${of}.fields) f WHERE f->>'key' = '${key}' LIMIT 1)`;

const planned = (rows: string) => /* sql */ `(
      SELECT coalesce(json_agg(json_build_object('range', b.range, 'bibNumber', b.bib, 'participantId', b.participant_id,
        'firstName', ${nameOf('e', 'firstName')}, 'lastName', ${nameOf('e', 'lastName')}) ORDER BY b.range, b.n, b.bib), '[]')
      FROM (${rows} ORDER BY range, n, bib LIMIT ${EXAMPLES}) b
      LEFT JOIN start_list_entries e ON e.organization_id = $1 AND e.participant_id = b.participant_id)`;

/**
 * Plans the bibs of race $2 with the ranges $3, and makes the job $4 of at most $5 rows that gives them, unless it is null.
 * A single statement, so that the job is what it answers.
 *
 * Messages that are not processed yet count as if they gave the bibs that they claim: whoever they name is left out, and
 * the numbers are not given to others. The job checks both again.
 */
export const PLAN = statement({
  parameters: ['uuid', 'uuid', 'json', 'uuid?', 'int', 'text?', 'uuid?', 'text'],
  columns: { plan: typed<Omit<BibPlan, 'raceId' | 'dryRun' | 'jobId' | 'jobUrl'>>('json') },
  sql: `
    WITH ranges AS MATERIALIZED (
      SELECT (place - 1)::int AS range, r.*, (
          SELECT range_agg(int4range(x."from", coalesce(x."to", x."from"), '[]'))
          FROM json_to_recordset(r.intervals) x ("from" int, "to" int)
        ) AS reserved, ${CRITERIA}
      FROM ROWS FROM (json_to_recordset($3::json) AS ("from" int, "to" int, prefix text, digits int,
        "ticketIds" uuid[], "waveIds" uuid[], tags text[], reserved json, "order" json, "teamsTogether" boolean)) WITH ORDINALITY
        r ("from", "to", prefix, digits, "ticketIds", "waveIds", tags, intervals, "order", "teamsTogether", place)
    ), numbers AS MATERIALIZED (
      SELECT DISTINCT ON (compared(bib)) range, n, bib, compared(bib) AS compared, is_reserved FROM (
        SELECT r.range, n, coalesce(r.reserved @> n, false) AS is_reserved, coalesce(r.prefix, '') || lpad(n::text, greatest(length(n::text), coalesce(r.digits, 1)), '0') AS bib
        FROM ranges r CROSS JOIN LATERAL generate_series(r."from", r."to") n
      ) every ORDER BY compared(bib), range
    ), pending AS MATERIALIZED (
      SELECT DISTINCT participant_id, bib_number FROM race_day_log
      WHERE organization_id = $1 AND applied_at IS NULL AND sets_bib AND bib_number IS NOT NULL
    ), entrants AS MATERIALIZED (
      SELECT e.participant_id, e.booking_id, e.wave_id, e.team_id, e.created_at, e.bib_number, matching.range, matching.ranges,
        e.bib_number IS NOT NULL OR e.participant_id IN (SELECT participant_id FROM pending) AS has_bib
      FROM start_list_entries e
      CROSS JOIN LATERAL (
        SELECT min(r.range) AS range, count(*) AS ranges FROM ranges r
        WHERE (r."ticketIds" IS NULL OR e.ticket_id = ANY (r."ticketIds"))
          AND (r."waveIds" IS NULL OR e.wave_id = ANY (r."waveIds")) AND (r.tags IS NULL OR e.tags && r.tags)
      ) matching
      WHERE e.organization_id = $1 AND e.race_id = $2 AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL
    ), taken AS MATERIALIZED (
      SELECT DISTINCT ON (bib) bib, participant_id, range FROM (
        SELECT bib_number AS bib, participant_id, range FROM entrants WHERE bib_number IS NOT NULL
        UNION ALL
        SELECT p.bib_number, p.participant_id, e.range FROM pending p JOIN entrants e ON e.participant_id = p.participant_id
      ) bibs ORDER BY bib, range
    ), free AS MATERIALIZED (
      SELECT n.range, n.n, n.bib, row_number() OVER (PARTITION BY n.range ORDER BY n.n, n.bib) AS place FROM numbers n
      LEFT JOIN taken t ON t.bib = n.compared
      WHERE t.bib IS NULL AND NOT n.is_reserved
    ), newcomers AS MATERIALIZED (
      SELECT e.participant_id, e.booking_id, e.range, e.created_at,
        CASE WHEN r."teamsTogether" THEN e.team_id END AS team_id,${KEYS}
      FROM entrants e
      JOIN ranges r ON r.range = e.range
      LEFT JOIN (
        SELECT id, row_number() OVER (ORDER BY start_date_time, position, title, id) AS place FROM waves
        WHERE organization_id = $1 AND race_id = $2
      ) w ON w.id = e.wave_id
      LEFT JOIN LATERAL (
        SELECT lower(unaccent(max(f->>'value') FILTER (WHERE f->>'key' = 'lastName')
            || chr(1) || coalesce(max(f->>'value') FILTER (WHERE f->>'key' = 'firstName'), ''))) AS name,
          ARRAY[${ORDERS.map(numberOf).join(', ')}] AS numbers
        FROM start_list_entries x CROSS JOIN LATERAL json_array_elements(x.fields) f
        WHERE x.organization_id = $1 AND x.participant_id = e.participant_id
          AND (${ORDERS.map((n) => `${isBy(n, 'NAME')} OR ${isBy(n, 'ANSWER')}`).join(' OR ')})
      ) said ON true
      WHERE NOT e.has_bib
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY range ORDER BY ${IN_ORDER}) AS rank FROM newcomers
    ), grouped AS (
      SELECT *, min(rank) OVER (PARTITION BY range, coalesce(team_id, participant_id)) AS of_team FROM ranked
    ), placed AS (
      SELECT range, participant_id, booking_id, row_number() OVER (PARTITION BY range ORDER BY of_team, rank) AS place FROM grouped
    ), assigned AS MATERIALIZED (
      SELECT f.range, f.n, f.bib, p.participant_id, row_number() OVER (ORDER BY f.range, f.n, f.bib) - 1 AS row
      FROM placed p JOIN free f ON f.range = p.range AND f.place = p.place
    ), job AS (
      INSERT INTO import_jobs (organization_id, id, surface, mode, total_rows, source, request_id, sent_by_member_id, event_occurrence_ids)
      SELECT $1, $4, 'bookingsImport', 'CHANGE', made.rows,
        coalesce((SELECT name FROM api_keys WHERE organization_id = $1 AND id = $7), $8), $6,
        (SELECT id FROM staff_members WHERE organization_id = $1 AND id = $7),
        ARRAY(SELECT event_occurrence_id FROM races WHERE organization_id = $1 AND id = $2)
      FROM (SELECT count(*)::int AS rows FROM assigned) made WHERE $4::uuid IS NOT NULL AND made.rows BETWEEN 1 AND $5
      RETURNING organization_id, id
    ), rows AS (
      INSERT INTO import_rows (organization_id, job_id, row_number, payload)
      SELECT job.organization_id, job.id, a.row, jsonb_build_object('participantId', a.participant_id, 'raceId', $2::uuid,
        'change', jsonb_build_object('type', 'BIB', 'bibNumber', a.bib))
      FROM assigned a CROSS JOIN job
    ), used AS MATERIALIZED (
      SELECT range, max(n) AS highest FROM (
        SELECT range, n FROM assigned
        UNION ALL
        SELECT n.range, n.n FROM numbers n JOIN taken t ON t.bib = n.compared
      ) every GROUP BY range
    ), spare AS MATERIALIZED (
      SELECT f.range, f.n, f.bib, f.n < coalesce(u.highest, r."from") AS in_gap,
        f.n - row_number() OVER (PARTITION BY f.range ORDER BY f.n, f.bib) AS island
      FROM free f
      JOIN ranges r ON r.range = f.range
      LEFT JOIN assigned a ON a.bib = f.bib
      LEFT JOIN used u ON u.range = f.range
      WHERE a.bib IS NULL
    ), others AS MATERIALIZED (
      SELECT n.range, n.n, n.bib, t.participant_id FROM numbers n JOIN taken t ON t.bib = n.compared WHERE t.range IS DISTINCT FROM n.range
    ), gaps AS MATERIALIZED (
      SELECT range, (array_agg(bib ORDER BY n))[1] AS first, (array_agg(bib ORDER BY n DESC))[1] AS last,
        row_number() OVER (PARTITION BY range ORDER BY min(n)) AS place
      FROM spare WHERE in_gap GROUP BY range, island
    ), counted AS MATERIALIZED (
      SELECT range, count(*)::int AS participants, count(*) FILTER (WHERE has_bib)::int AS with_bib FROM entrants GROUP BY range
    ), given AS MATERIALIZED (
      SELECT range, count(*)::int AS assigned, (array_agg(bib ORDER BY n, bib))[1] AS first,
        (array_agg(bib ORDER BY n DESC, bib DESC))[1] AS last
      FROM assigned GROUP BY range
    ), numbered AS MATERIALIZED (
      SELECT range, count(*)::int AS numbers, count(*) FILTER (WHERE is_reserved)::int AS reserved FROM numbers GROUP BY range
    ), unused AS MATERIALIZED (
      SELECT range, count(*)::int AS numbers, count(*) FILTER (WHERE in_gap)::int AS in_gaps FROM spare GROUP BY range
    ), of_others AS MATERIALIZED (
      SELECT range, count(*)::int AS numbers FROM others GROUP BY range
    )
    SELECT json_build_object(
      'participants', (SELECT count(*)::int FROM entrants),
      'withBib', (SELECT count(*)::int FROM entrants WHERE has_bib),
      'assigned', (SELECT count(*)::int FROM assigned),
      'inNoRange', (SELECT count(*)::int FROM entrants WHERE range IS NULL AND NOT has_bib),
      'inSeveralRanges', (SELECT count(*)::int FROM entrants WHERE ranges > 1),
      'ranges', (SELECT json_agg(json_build_object(
          'participants', coalesce(c.participants, 0), 'withBib', coalesce(c.with_bib, 0), 'assigned', coalesce(g.assigned, 0),
          'withoutNumber', coalesce(c.participants - c.with_bib, 0) - coalesce(g.assigned, 0), 'first', g.first, 'last', g.last,
          'numbersLeft', coalesce(u.numbers, 0), 'reserved', coalesce(n.reserved, 0),
          'inEarlierRanges', r."to" - r."from" + 1 - coalesce(n.numbers, 0), 'takenByOthers', coalesce(o.numbers, 0),
          'inGaps', coalesce(u.in_gaps, 0),
          'gaps', (SELECT coalesce(json_agg(json_build_object('from', gap.first, 'to', gap.last) ORDER BY gap.place), '[]')
            FROM gaps gap WHERE gap.range = r.range AND gap.place <= ${GAPS})
        ) ORDER BY r.range)
        FROM ranges r LEFT JOIN counted c ON c.range = r.range LEFT JOIN given g ON g.range = r.range
        LEFT JOIN numbered n ON n.range = r.range LEFT JOIN unused u ON u.range = r.range
        LEFT JOIN of_others o ON o.range = r.range),
      'conflicts', ${planned('SELECT range, n, bib, participant_id FROM others')},
      'examples', ${planned('SELECT range, n, bib, participant_id FROM assigned')}
    ) AS plan
  `,
});

/** Tickets and waves of the ranges $3 that race $2 does not have, and questions that the organization does not have, by their paths. */
export const UNKNOWN = statement({
  parameters: ['uuid', 'uuid', 'json'],
  columns: { path: 'text', what: typed<'TICKET' | 'WAVE' | 'FIELD'>('text') },
  sql: `
    WITH ranges AS (
      SELECT place - 1 AS range, r."ticketIds", r."waveIds", r."order" FROM ROWS FROM (json_to_recordset($3::json)
        AS ("ticketIds" uuid[], "waveIds" uuid[], "order" json)) WITH ORDINALITY r ("ticketIds", "waveIds", "order", place)
    )
    SELECT format('ranges[%s].ticketIds[%s]', range, given.place - 1) AS path, 'TICKET' AS what
    FROM ranges CROSS JOIN LATERAL unnest("ticketIds") WITH ORDINALITY given (id, place)
    WHERE NOT EXISTS (SELECT FROM tickets WHERE organization_id = $1 AND race_id = $2 AND id = given.id)
    UNION ALL
    SELECT format('ranges[%s].waveIds[%s]', range, given.place - 1), 'WAVE'
    FROM ranges CROSS JOIN LATERAL unnest("waveIds") WITH ORDINALITY given (id, place)
    WHERE NOT EXISTS (SELECT FROM waves WHERE organization_id = $1 AND race_id = $2 AND id = given.id)
    UNION ALL
    SELECT format('ranges[%s].order[%s].fieldId', range, given.place - 1), 'FIELD'
    FROM ranges CROSS JOIN LATERAL json_array_elements("order") WITH ORDINALITY given (item, place)
    WHERE given.item ->> 'fieldId' IS NOT NULL AND NOT EXISTS (
      SELECT FROM booking_form_fields WHERE organization_id = $1 AND id = (given.item ->> 'fieldId')::uuid)
    LIMIT 20
  `,
});
