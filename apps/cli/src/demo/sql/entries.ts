import { FIELDS } from '../answers';

export const INSERT_TEAMS = /* sql */ `
INSERT INTO teams (organization_id, id, created_at, event_occurrence_id, name)
SELECT c.organization_id, b.team_id, b.created_at, c.event_occurrence_id, pg_temp.demo_team(c.team_from + b.i)
FROM batch_bookings b JOIN demo_cohorts c ON c.no = b.cohort
WHERE b.team_id IS NOT NULL
`;

/**
 * One row per participant. Bibs and shipping are equal to the projection of the batch's race-day log (race-day.ts): the
 * last message of a cancelled entry removes its bib.
 */
export const INSERT_ENTRIES = /* sql */ `
INSERT INTO start_list_entries (organization_id, id, created_at, participant_id, participant_index, booking_id, event_id,
  event_occurrence_id, race_id, ticket_id, wave_id, team_id, team_roles, approval_status, application_resolution_type, ballot_draw,
  application_notes, participant_notes, status_details, fields, email_normalized, tags, original_price_value, original_price_currency,
  incremental, partner_id, reserved_entry_group_id, holds_reserved_place, takes_place, partner_marketing_opt_ins, has_donated,
  result_url, result_submitted_at, bib_number, bib_claim, bib_changed_at, shipping_status, shipped_at, shipping_carrier,
  tracking_number, tracking_url, shipping_changed_at, race_day_fields, external_participant_id, external_assignment_id, metadata,
  gdpr_redacted, cancelled_at)
SELECT c.organization_id, p.entry_id, p.created_at, p.participant_id, p.participant_index, p.booking_id, c.event_id,
  c.event_occurrence_id, c.race_id, c.ticket_id, c.waves[1 + p.i % nullif(cardinality(c.waves), 0)], p.team_id,
  CASE WHEN c.team IS NULL THEN '{}' WHEN c.team = 'relay' THEN
      CASE p.participant_index WHEN 0 THEN ARRAY['Captain', 'Leg 1'] ELSE ARRAY['Leg ' || p.participant_index + 1] END
    ELSE CASE p.participant_index WHEN 0 THEN ARRAY['Captain'] ELSE ARRAY['Member'] END END,
  c.approval, c.resolution,
  CASE WHEN c.resolution = 'BALLOT' AND c.approval IN ('APPROVED', 'REJECTED') THEN 'Draw ' || 1 + p.n % 2 END,
  CASE WHEN c.notes AND p.n % 3 > 0 THEN (ARRAY['Finish of Ultra-Trail Cork checked.', 'Asked for proof of a 50 km finish.'])[p.n % 3] END,
  CASE WHEN c.approval = 'APPROVED' AND pg_temp.demo_pick(p.n, 60, 40) = 0 THEN ARRAY['Asked to start with a guide runner.'] ELSE '{}' END,
  CASE WHEN c.cancelled IS NOT NULL THEN
      jsonb_build_array(jsonb_build_object('status', 'CANCELLED', 'at', pg_temp.demo_iso(p.cancelled_at), 'reason', c.cancelled))
    WHEN c.resolution <> 'INSTANT' AND c.approval <> 'PENDING' THEN
      jsonb_build_array(jsonb_build_object('status', c.approval, 'at', pg_temp.demo_iso(decided.at),
        'reason', CASE WHEN c.approval = 'REJECTED' AND c.resolution = 'BALLOT' THEN 'Not drawn' END))
    ELSE '[]' END,
  (${FIELDS})::json,
  CASE WHEN NOT c.redacted THEN lower(coalesce(p.email, c.booker->>'email', first_of.email)) END,
  c.tags || CASE WHEN pg_temp.demo_pick(p.n, 61, 12) = 0 THEN ARRAY['first-timer'] WHEN pg_temp.demo_pick(p.n, 61, 40) = 1 THEN ARRAY['volunteer-2025'] ELSE '{}' END,
  c.price, c.currency, c.group_id IS NOT NULL OR c.partner_id IS NOT NULL, c.partner_id, c.group_id, c.holds_place, c.takes_place,
  CASE WHEN c.partner_id IS NULL THEN '[]' ELSE
    jsonb_build_array(jsonb_build_object('partnerId', c.partner_id, 'optedIn', pg_temp.demo_pick(p.n, 62, 3) > 0)) END,
  CASE WHEN c.donates THEN p.donated END,
  CASE WHEN result.has THEN c.results_url || '/' || p.bib END,
  CASE WHEN result.has THEN c.results_at + pg_temp.demo_pick(p.n, 64, 86400) * interval '1 second' END,
  worn.bib, claim.bib, CASE WHEN p.bib IS NOT NULL THEN coalesce(p.cancelled_at, p.bib_at) END,
  CASE WHEN sent.was THEN coalesce(p.arrived, 'SHIPPED') END, CASE WHEN sent.was THEN p.shipped_at END,
  CASE WHEN sent.was THEN 'Royal Mail' END, CASE WHEN sent.was THEN 'RM' || p.n || 'GB' END,
  CASE WHEN sent.was THEN 'https://track.example/RM' || p.n || 'GB' END,
  CASE WHEN sent.was THEN p.shipped_at + CASE WHEN p.arrived IS NULL THEN interval '0' ELSE interval '2 days' END END,
  coalesce(p.race_day_fields, '[]'),
  c.external_prefix || '-P' || p.n % 100000000,
  CASE WHEN c.source = 'API' AND c.group_id IS NOT NULL THEN c.external_prefix || '-R' || p.n % 100000000 END,
  CASE WHEN c.redacted THEN '{}'
    WHEN c.source = 'API' THEN jsonb_build_object('sourcePlatform', 'RACE_ROSTER', 'legacyReference', 'RR-' || p.n)
    WHEN c.source = 'DASHBOARD' THEN '{"enteredBy":"box-office"}'
    WHEN pg_temp.demo_pick(p.n, 65, 2) = 0 THEN '{"checkoutLocale":"en-GB","device":"mobile"}' ELSE '{"checkoutLocale":"en-GB","device":"desktop"}' END,
  c.redacted, p.cancelled_at
FROM batch_people p
JOIN demo_cohorts c ON c.no = p.cohort
JOIN batch_people first_of ON first_of.booking_id = p.booking_id AND first_of.participant_index = 0
CROSS JOIN LATERAL (SELECT p.created_at + (c.today - p.created_at) / 3 AS at) decided
CROSS JOIN LATERAL (SELECT c.results_at IS NOT NULL AND NOT c.redacted AND pg_temp.demo_pick(p.n, 63, 10) < 9 AS has) result
CROSS JOIN LATERAL (SELECT CASE WHEN c.cancelled IS NULL THEN p.bib END AS bib) claim
CROSS JOIN LATERAL (SELECT CASE WHEN NOT c.bibs_taken THEN claim.bib END AS bib) worn
CROSS JOIN LATERAL (SELECT c.ships_at IS NOT NULL AS was) sent
ORDER BY p.created_at
`;
