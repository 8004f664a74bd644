/**
 * Entries, set by set: five organizations of equal size, of which the first asks, on 20 occurrences with 40 races
 * and 80 tickets each. An entry with its booking and its ticket's line item; about 2 KB of JSON as lists answer it.
 * Triggers and foreign keys are off meanwhile, so these statements do what the triggers would.
 */
export const ORGANIZATIONS = 5;
const DAYS = 300;

/** A name-based id whose beginning rises with `n`, as those of UUID version 7 do with time. */
const id = (kind: string, n: string): string =>
  `overlay(overlay(overlay(md5('${kind}/' || (${n})) placing lpad(to_hex((1735689600000 + (${n}) * 5)::bigint), 12, '0') from 1)
    placing '7' from 13) placing '8' from 17)::uuid`;

const pick = (n: string, salt: number, texts: string[]): string =>
  `(ARRAY[${texts.map((text) => `'${text}'`).join(',')}])[1 + (hashint8extended(${n}, ${salt}) & 1048575) % ${texts.length}]`;

const at = (expression: string): string => `timestamptz '2025-01-01T00:00:00Z' + ${expression}`;

/** Everything that is sold, by organization `o`. */
export const CATALOGUE = /* sql */ `
INSERT INTO organizations (id, slug, name, created_at)
SELECT ${id('organization', 'o')}, 'bench-' || o, 'Bench ' || o, ${at("interval '0'")} FROM generate_series(1, ${ORGANIZATIONS}) o;

INSERT INTO organization_surfaces (organization_id, surface)
SELECT id, surface FROM organizations, unnest($surfaces$) surface;

INSERT INTO partners (organization_id, id, created_at, name, type)
SELECT g.id, ${id('partner', 'o')}, ${at("interval '0'")}, 'River Trust', 'CHARITY'
FROM generate_series(1, ${ORGANIZATIONS}) o CROSS JOIN LATERAL (SELECT ${id('organization', 'o')} AS id) g;

INSERT INTO discount_codes (organization_id, id, created_at, code, discount)
SELECT ${id('organization', 'o')}, ${id('code', 'o * 10 + c')}, ${at("interval '0'")}, 'SPRING-' || c, '{"type":"PERCENTAGE","amount":15,"isAppliedToBookingFee":false}'
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 4) c;

INSERT INTO events (organization_id, id, created_at, slug, title)
SELECT ${id('organization', 'o')}, ${id('event', 'o * 10 + e')}, ${at("interval '0'")}, 'event-' || e, 'City Marathon ' || e
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 3) e;

INSERT INTO event_occurrences (organization_id, id, created_at, event_id, slug, title, start_date, time_zone, latitude, longitude, address)
SELECT ${id('organization', 'o')}, ${id('occurrence', 'o * 100 + c')}, ${at("interval '0'")}, ${id('event', 'o * 10 + c % 4')},
  'occurrence-' || c, 'City Marathon ' || c, date '2026-03-01' + c, 'Europe/London', 51.5, -0.12,
  '{"city":"London","formatted":"The Mall, London","countryCode":"GB","countryName":"United Kingdom"}'
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 19) c;

INSERT INTO races (organization_id, id, created_at, event_occurrence_id, event_id, position, title, discipline, distance_value, distance_unit,
  start_date, start_time)
SELECT ${id('organization', 'o')}, ${id('race', 'o * 100 + r')}, ${at("interval '0'")}, ${id('occurrence', 'o * 100 + r / 2')},
  ${id('event', 'o * 10 + (r / 2) % 4')}, r % 2, CASE r % 2 WHEN 0 THEN 'Half marathon' ELSE '10K' END, 'RUNNING',
  CASE r % 2 WHEN 0 THEN 21.1 ELSE 10 END, 'KM', date '2026-03-01' + r / 2, '09:30'
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 39) r;

INSERT INTO waves (organization_id, id, created_at, race_id, position, title, start_date_time)
SELECT ${id('organization', 'o')}, ${id('wave', 'o * 1000 + w')}, ${at("interval '0'")}, ${id('race', 'o * 100 + w / 3')}, w % 3,
  'Wave ' || chr(65 + w % 3), timestamptz '2026-03-01T09:30:00Z' + w / 6 * interval '1 day' + w % 3 * interval '10 minutes'
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 119) w;

INSERT INTO tickets (organization_id, id, created_at, race_id, event_occurrence_id, event_id, position, slug, title, price_value, currency_code)
SELECT ${id('organization', 'o')}, ${id('ticket', 'o * 1000 + t')}, ${at("interval '0'")}, ${id('race', 'o * 100 + t / 2')},
  ${id('occurrence', 'o * 100 + t / 4')}, ${id('event', 'o * 10 + (t / 4) % 4')}, t % 4, 'ticket-' || t,
  CASE t % 2 WHEN 0 THEN 'Early bird' ELSE 'General entry' END, 4500, 'GBP'
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 79) t;

INSERT INTO reserved_entry_groups (organization_id, id, created_at, event_id, event_occurrence_id, partner_id, name, code, max_capacity)
SELECT ${id('organization', 'o')}, ${id('group', 'o * 100 + c')}, ${at("interval '0'")}, ${id('event', 'o * 10 + c % 4')},
  ${id('occurrence', 'o * 100 + c')}, ${id('partner', 'o')}, 'Runners of the River Trust', 'CHARITY-' || c, 1000000
FROM generate_series(1, ${ORGANIZATIONS}) o, generate_series(0, 19) c;
`;

const answer = (key: string, label: string, type: string, value: string): string =>
  `'{"id":"' || ${id(`field-${key}`, 'o')} || '","key":"${key}","label":"${label}","type":"${type}","value":"' || ${value} || '"}'`;

/** Who enters: numbers $1 to $2 of $3 entries. The days are spread over all of them, so that organizations mix. */
export const BATCH = /* sql */ `
CREATE TEMP TABLE batch AS
SELECT i, o, k, ${id('organization', 'o')} AS organization_id, ${id('entry', 'i')} AS entry_id, ${id('participant', 'i')} AS participant_id,
  ${id('booking', 'i')} AS booking_id, ${id('line', 'i')} AS line_id, ${id('transaction', 'i')} AS transaction_id,
  ${id('event', 'o * 10 + (t / 4) % 4')} AS event_id, ${id('occurrence', 'o * 100 + t / 4')} AS occurrence_id,
  ${id('race', 'o * 100 + t / 2')} AS race_id, ${id('ticket', 'o * 1000 + t')} AS ticket_id,
  ${id('wave', 'o * 1000 + t / 2 * 3 + k % 3')} AS wave_id,
  CASE WHEN k % 10 = 3 THEN ${id('code', 'o * 10 + k % 5')} END AS code_id,
  CASE WHEN k % 10 = 7 THEN ${id('group', 'o * 100 + t / 4')} END AS group_id,
  created_at, created_at + (hashint8extended(i, 5) & 1099511627775) * interval '1 microsecond' AS updated_at,
  'runner-' || k || '@example.com' AS email,
  ${pick('i', 1, ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Tim', 'Frances', 'Ken'])} AS first_name,
  ${pick('i', 2, ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Perlman', 'Allen', 'Thompson'])} AS last_name
FROM (
  SELECT i, 1 + i % ${ORGANIZATIONS} AS o, i / ${ORGANIZATIONS} AS k, (hashint8extended(i, 4) & 1048575) % 80 AS t,
    ${at(`(i::numeric * ${DAYS} * 86400000000 / $3::numeric)::bigint * interval '1 microsecond'`)} AS created_at
  FROM generate_series($1::bigint, $2::bigint) i) n
`;

export const INSERTS = [
  /* sql */ `
INSERT INTO bookings (organization_id, id, created_at, updated_at, external_booking_id, source, status, event_id, event_occurrence_id,
  transaction_id, booker_first_name, booker_last_name, booker_email, currency_code, total_value, discount_code_id, discount_uses)
SELECT organization_id, booking_id, created_at, created_at, 'order-' || k, 'WEBSITE', 'CONFIRMED', event_id, occurrence_id, transaction_id,
  first_name, last_name, email, 'GBP', 4500, code_id, CASE WHEN code_id IS NULL THEN 0 ELSE 1 END
FROM batch ORDER BY i`,
  /* sql */ `
INSERT INTO line_items (organization_id, id, created_at, updated_at, booking_id, participant_id, item_type, name, item_id, amount_value,
  currency_code, external_line_item_id)
SELECT organization_id, line_id, created_at, created_at, booking_id, participant_id, 'TICKET', 'General entry', ticket_id::text, 4500, 'GBP',
  'line-' || k
FROM batch ORDER BY i`,
  /* sql */ `
INSERT INTO start_list_entries (organization_id, id, created_at, updated_at, participant_id, participant_index, booking_id, event_id,
  event_occurrence_id, race_id, ticket_id, wave_id, approval_status, application_resolution_type, fields, email_normalized, tags,
  original_price_value, original_price_currency, reserved_entry_group_id, incremental, bib_number, bib_claim, bib_changed_at)
SELECT organization_id, entry_id, created_at, updated_at, participant_id, 0, booking_id, event_id, occurrence_id, race_id, ticket_id, wave_id,
  CASE WHEN k % 40 = 39 THEN 'PENDING' ELSE 'APPROVED' END, 'INSTANT',
  ('[' || ${[
    answer('firstName', 'First name', 'TEXT', 'first_name'),
    answer('lastName', 'Last name', 'TEXT', 'last_name'),
    answer('email', 'Email', 'EMAIL', 'email'),
  ].join(" || ',' || ")} || ']')::json,
  email, CASE k % 12 WHEN 0 THEN '{first-timer}'::text[] ELSE '{}' END, 4500, 'GBP', group_id, group_id IS NOT NULL,
  CASE WHEN k % 40 < 20 THEN k::text END, CASE WHEN k % 40 < 20 THEN k::text END,
  CASE WHEN k % 40 < 20 THEN updated_at END
FROM batch ORDER BY i`,
];

/** What the triggers keep: libs/database/src/migrations/2-rules.ts. */
export const COUNTS = [
  /* sql */ `
INSERT INTO tallies (organization_id, kind, subject_id, delta)
SELECT e.organization_id, counted.kind, counted.subject_id, count(*)
FROM start_list_entries e
CROSS JOIN LATERAL (VALUES
  ('applications', e.organization_id, true),
  ('eventApplications', e.event_id, true),
  ('participants', e.organization_id, e.approval_status = 'APPROVED'),
  ('raceParticipants', e.race_id, e.approval_status = 'APPROVED'),
  ('racePlaces', e.race_id, e.approval_status = 'APPROVED'),
  ('ticketPlaces', e.ticket_id, e.approval_status = 'APPROVED')
) counted (kind, subject_id, holds)
WHERE counted.holds GROUP BY 1, 2, 3`,
  /* sql */ `
UPDATE discount_codes d SET usage_count = used.count
FROM (SELECT organization_id, discount_code_id, count(*)::int FROM bookings GROUP BY 1, 2) used
WHERE used.organization_id = d.organization_id AND used.discount_code_id = d.id`,
];

/** The organization that asks. */
export const ASKING_SLUG = 'bench-1';
