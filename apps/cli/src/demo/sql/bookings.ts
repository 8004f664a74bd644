export const INSERT_BOOKINGS = /* sql */ `
INSERT INTO bookings (organization_id, id, created_at, external_booking_id, source, status, event_id, event_occurrence_id, transaction_id,
  booker_first_name, booker_last_name, booker_email, booker_phone, booker_type, partner_id, currency_code, total_value,
  discount_code_id, discount_uses, referral_codes, tracking, booked_at, cancelled_at)
SELECT c.organization_id, b.booking_id, b.created_at, c.external_prefix || '-' || b.i, c.source,
  CASE WHEN c.cancelled IS NULL THEN 'CONFIRMED' ELSE 'CANCELLED' END, c.event_id, c.event_occurrence_id, b.transaction_id,
  who.first_name, who.last_name, who.email, who.phone, CASE WHEN c.booker IS NULL THEN 'CONSUMER' ELSE 'PARTNER' END, c.partner_id,
  c.currency, charged.total, c.discount_code_id,
  CASE WHEN c.discount_code_id IS NULL THEN 0 WHEN c.discount_each THEN c.party ELSE 1 END,
  CASE WHEN c.referral_codes IS NULL THEN '{}' ELSE ARRAY[c.referral_codes[1 + b.i % cardinality(c.referral_codes)]] END,
  CASE WHEN c.source <> 'WEBSITE' OR c.redacted OR pg_temp.demo_pick(p.n, 50, 5) < 3 THEN '{}'::jsonb
    ELSE (ARRAY['{"source":"newsletter","medium":"email","campaign":"season-opener"}', '{"source":"instagram","medium":"social","campaign":"finishers"}',
      '{"source":"google","medium":"cpc","campaign":"half-marathon-uk"}', '{"source":"club-site","medium":"referral"}'])[1 + pg_temp.demo_pick(p.n, 51, 4)]::jsonb END,
  CASE WHEN c.source = 'API' THEN b.created_at - interval '3 days' END, b.cancelled_at
FROM batch_bookings b
JOIN demo_cohorts c ON c.no = b.cohort
JOIN batch_people p ON p.booking_id = b.booking_id AND p.participant_index = 0
JOIN (SELECT booking_id, sum(amount) FILTER (WHERE counts) AS total FROM batch_line_items GROUP BY 1) charged ON charged.booking_id = b.booking_id
CROSS JOIN LATERAL (
  SELECT coalesce(c.booker->>'firstName', p.first_name) AS first_name, coalesce(c.booker->>'lastName', p.last_name) AS last_name,
    coalesce(c.booker->>'email', p.email) AS email,
    CASE WHEN c.booker IS NOT NULL THEN c.booker->>'phone'
      WHEN pg_temp.demo_pick(p.n, 52, 3) > 0 THEN '+44 7700 900' || lpad(pg_temp.demo_pick(p.n, 20, 1000)::text, 3, '0') END AS phone
  WHERE NOT c.redacted
  UNION ALL SELECT NULL, NULL, NULL, NULL WHERE c.redacted
) who
ORDER BY b.created_at
`;

/** Owners of referral codes, and referred bookings. */
export const INSERT_REFERRAL_OWNERS = /* sql */ `
INSERT INTO referrer_owner_bookings (organization_id, referrer_id, booking_id)
SELECT c.organization_id, c.owned_referrers[1 + b.i / c.per_checkout], b.booking_id
FROM batch_bookings b JOIN demo_cohorts c ON c.no = b.cohort
WHERE c.owned_referrers IS NOT NULL
`;

export const INSERT_REFERRALS = /* sql */ `
INSERT INTO referrals (organization_id, id, created_at, referrer_id, referred_booking_id, start_list_entry_id, event_id, event_occurrence_id)
SELECT c.organization_id, pg_temp.demo_id('referral', p.n, p.created_at), p.created_at,
  c.referred_by[1 + p.i % cardinality(c.referred_by)], p.booking_id, p.entry_id, c.event_id, c.event_occurrence_id
FROM batch_people p JOIN demo_cohorts c ON c.no = p.cohort
WHERE c.referred_by IS NOT NULL
`;
