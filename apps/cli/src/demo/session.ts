import type { QueryRunner } from 'typeorm';
import { NAMES, TEAM_ADJECTIVES, TEAM_NOUNS } from './content/names';

/**
 * Temporary functions and tables for the set-based statements: ids and choices that depend on the seed, names, and
 * cohorts.
 */
export async function prepareSession(runner: QueryRunner, seed: number, cohorts: object[]): Promise<void> {
  await runner.query(functions(seed));
  await runner.query(TABLES);
  await runner.query('INSERT INTO demo_names SELECT * FROM jsonb_populate_recordset(NULL::demo_names, $1)', [
    JSON.stringify(
      NAMES.map(({ female, male, last }, no) => ({
        no,
        female: female.split(', '),
        male: male.split(', '),
        last: last.split(', '),
      })),
    ),
  ]);
  await runner.query(
    'INSERT INTO demo_cohorts SELECT * FROM jsonb_populate_recordset(NULL::demo_cohorts, $1)',
    [JSON.stringify(cohorts)],
  );
  await runner.query('ANALYZE demo_names, demo_cohorts');
}

const ADJECTIVES = TEAM_ADJECTIVES.split(', ').length;
const NOUNS = TEAM_NOUNS.split(', ').length;

/** Each is a single expression, so that PostgreSQL can inline it. */
const functions = (seed: number): string => /* sql */ `
-- A UUID version 7 of a time, a kind and a number.
CREATE FUNCTION pg_temp.demo_id(kind text, n bigint, at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT overlay(overlay(overlay(md5('${seed}/' || kind || '/' || n)
    placing lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') from 1)
    placing '7' from 13)
    placing '8' from 17)::uuid
$$;
-- A number below \`among\`, or null if that is 0; \`salt\` makes choices for the same n independent.
CREATE FUNCTION pg_temp.demo_pick(n bigint, salt int, among bigint) RETURNS int LANGUAGE sql STABLE AS $$
  SELECT ((hashint8extended(n * 128 + salt, ${seed}) & 9223372036854775807) % nullif(among, 0))::int
$$;
CREATE FUNCTION pg_temp.demo_iso(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
-- The adjectives repeat; the nouns shift by one each time, so that pairs do not repeat soon.
CREATE FUNCTION pg_temp.demo_team(n int) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (string_to_array('${TEAM_ADJECTIVES}', ', '))[1 + n % ${ADJECTIVES}] || ' '
    || (string_to_array('${TEAM_NOUNS}', ', '))[1 + (n / ${ADJECTIVES} + n) % ${NOUNS}]
    || CASE WHEN n < ${ADJECTIVES * NOUNS} THEN ''
       ELSE ' ' || n / ${ADJECTIVES * NOUNS} + 1 END
$$;
`;

const TABLES = /* sql */ `
CREATE TEMP TABLE demo_names (no int PRIMARY KEY, female text[], male text[], last text[]);
CREATE TEMP TABLE demo_cohorts (
  no int PRIMARY KEY,
  organization_id uuid,
  bookings bigint,
  party int,
  per_checkout int,
  sold_from timestamptz,
  sold_to timestamptz,
  -- No time of the demo is later.
  today timestamptz,
  event_id uuid,
  event_occurrence_id uuid,
  race_id uuid,
  ticket_id uuid,
  ticket_title text,
  price bigint,
  currency text,
  approval text,
  resolution text,
  source text,
  external_prefix text,
  cancelled text,
  refunded boolean,
  redacted boolean,
  booker jsonb,
  partner_id uuid,
  group_id uuid,
  holds_place boolean,
  takes_place boolean,
  email_domain text,
  discount_name text,
  discount_item text,
  discount_code_id uuid,
  discount_flat bigint,
  discount_percent numeric,
  discount_on_fee boolean,
  discount_each boolean,
  credit_kind text,
  credit_value bigint,
  donates boolean,
  add_ons uuid[],
  waves uuid[],
  bib_from int,
  bibs_taken boolean,
  bibs_at timestamptz,
  ships_at timestamptz,
  results_at timestamptz,
  results_url text,
  pack_field uuid,
  team text,
  team_from int,
  owned_referrers uuid[],
  referred_by uuid[],
  referral_codes text[],
  names int,
  age_from int,
  age_to int,
  notes boolean,
  tags text[],
  fields_template text
);
`;
