/**
 * The bookings of batch $1 of $2: a part of every cohort. A booking only depends on its cohort and its number, so the size
 * of the batches has no effect.
 */
export const BATCH_BOOKINGS = /* sql */ `
CREATE TEMP TABLE batch_bookings ON COMMIT DROP AS
SELECT c.no AS cohort, s.i::int AS i, t.at AS created_at,
  pg_temp.demo_id('booking', n.n, t.at) AS booking_id,
  pg_temp.demo_id('checkout', checkout.n, t.at) AS transaction_id,
  CASE WHEN c.team IS NOT NULL THEN pg_temp.demo_id('team', n.n, t.at) END AS team_id,
  CASE WHEN c.cancelled IS NOT NULL THEN t.at + (c.today - t.at) / 2 END AS cancelled_at
FROM demo_cohorts c
CROSS JOIN LATERAL generate_series(c.bookings * $1 / $2, c.bookings * ($1 + 1) / $2 - 1) s(i)
CROSS JOIN LATERAL (SELECT c.no * 100000000::bigint + s.i AS n) n
CROSS JOIN LATERAL (
  SELECT c.no * 100000000::bigint + s.i / c.per_checkout * c.per_checkout AS n, s.i / c.per_checkout * c.per_checkout AS i
) checkout
-- In order, at slightly irregular intervals during the sale.
CROSS JOIN LATERAL (
  SELECT c.sold_from + (c.sold_to - c.sold_from)
    * ((checkout.i + pg_temp.demo_pick(checkout.n, 0, 1000) / 1000.0) / c.bookings)::double precision AS at
) t
`;

/** The participants. Every fifth is from another country; names and ages depend on the seed. */
export const BATCH_PEOPLE = /* sql */ `
CREATE TEMP TABLE batch_people ON COMMIT DROP AS
SELECT b.cohort, b.i, b.booking_id, b.transaction_id, b.team_id, b.cancelled_at, p.p AS participant_index, k.n,
  t.at AS created_at,
  pg_temp.demo_id('entry', k.n, t.at) AS entry_id,
  pg_temp.demo_id('participant', k.n, t.at) AS participant_id,
  who.first_name, who.last_name, who.gender,
  CASE WHEN c.redacted OR (p.p > 0 AND pg_temp.demo_pick(k.n, 1, 20) = 0) THEN NULL
    WHEN pg_temp.demo_pick(k.n, 2, 12) = 0 THEN initcap(mail.email) ELSE mail.email END AS email,
  (c.today - make_interval(years => c.age_from + age.years, days => pg_temp.demo_pick(k.n, 3, 365)))::date AS date_of_birth,
  c.donates AND pg_temp.demo_pick(k.n, 4, 4) < 3 AS donated,
  CASE WHEN c.bib_from IS NOT NULL THEN (c.bib_from + b.i * c.party + p.p)::text END AS bib,
  CASE WHEN c.cancelled IS NOT NULL THEN t.at + interval '1 hour'
    ELSE greatest(c.bibs_at, t.at + interval '1 hour') END AS bib_at,
  greatest(c.ships_at, t.at + interval '1 day') + pg_temp.demo_pick(k.n, 5, 48) * interval '1 hour' AS shipped_at,
  -- Most parcels are delivered, a few are returned, some are in transit.
  CASE WHEN pg_temp.demo_pick(k.n, 6, 20) < 15 THEN 'DELIVERED'
    WHEN pg_temp.demo_pick(k.n, 6, 20) = 15 THEN 'RETURNED' END AS arrived,
  CASE WHEN c.pack_field IS NOT NULL AND pg_temp.demo_pick(k.n, 7, 3) > 0
    THEN jsonb_build_array(jsonb_build_object('id', c.pack_field, 'value', true)) END AS race_day_fields
FROM batch_bookings b
JOIN demo_cohorts c ON c.no = b.cohort
CROSS JOIN LATERAL generate_series(0, c.party - 1) p(p)
CROSS JOIN LATERAL (SELECT c.no * 100000000::bigint + b.i * c.party + p.p AS n) k
CROSS JOIN LATERAL (SELECT b.created_at + p.p * interval '1 millisecond' AS at) t
CROSS JOIN LATERAL (
  SELECT pg_temp.demo_pick(k.n, 8, c.age_to - c.age_from + 1) / 2 + pg_temp.demo_pick(k.n, 9, c.age_to - c.age_from + 1) / 2 AS years
) age
JOIN demo_names pool
  ON pool.no = CASE WHEN pg_temp.demo_pick(k.n, 10, 5) = 0
    THEN pg_temp.demo_pick(k.n, 11, (SELECT count(*) FROM demo_names)) ELSE c.names END
CROSS JOIN LATERAL (
  SELECT g.gender,
    CASE WHEN g.gender = 'FEMALE' OR (g.gender <> 'MALE' AND k.n % 2 = 0)
      THEN pool.female[1 + pg_temp.demo_pick(k.n, 12, cardinality(pool.female))]
      ELSE pool.male[1 + pg_temp.demo_pick(k.n, 12, cardinality(pool.male))] END AS first_name,
    -- Couples and families mostly have the same last name.
    pool.last[1 + pg_temp.demo_pick(
      CASE WHEN c.party <= 4 AND k.n % 5 > 0 THEN k.n - p.p ELSE k.n END, 13, cardinality(pool.last))] AS last_name
  FROM (SELECT (ARRAY['FEMALE', 'MALE', 'NON_BINARY', 'UNDISCLOSED'])[
    CASE WHEN pg_temp.demo_pick(k.n, 14, 100) < 48 THEN 1 WHEN pg_temp.demo_pick(k.n, 14, 100) < 96 THEN 2
      WHEN pg_temp.demo_pick(k.n, 14, 100) < 98 THEN 3 ELSE 4 END] AS gender) g
) who
CROSS JOIN LATERAL (
  SELECT lower(translate(unaccent(who.first_name || '.' || who.last_name), ' ''’-', '')) || (b.i * c.party + p.p) || '@'
    || coalesce(c.email_domain, 'example.' || (ARRAY['com', 'org', 'net'])[1 + pg_temp.demo_pick(k.n, 15, 3)]) AS email
) mail
`;
