/** About a third of the participants with a paid ticket buy an add-on of their event. */
export const BATCH_ADD_ONS = /* sql */ `
CREATE TEMP TABLE batch_add_ons ON COMMIT DROP AS
SELECT p.booking_id, p.participant_id, p.n, p.cohort, p.cancelled_at, p.created_at, a.id AS add_on_id, a.title,
  v.id AS variant_id, v.title AS variant_title, a.price_value AS unit_price, 1 + pg_temp.demo_pick(p.n, 41, 20) / 18 AS quantity,
  CASE WHEN c.cancelled IS NOT NULL THEN 'CANCELLED' WHEN c.results_at IS NOT NULL THEN 'FULFILLED' ELSE 'ALLOCATED' END AS operational_status,
  CASE WHEN c.refunded THEN 'REFUNDED' WHEN c.source <> 'WEBSITE' AND pg_temp.demo_pick(p.n, 42, 25) = 0 THEN 'UNPAID' ELSE 'PAID' END
    AS financial_status,
  pg_temp.demo_id('add-on line', p.n, p.created_at + interval '2 milliseconds') AS line_item_id
FROM batch_people p
JOIN demo_cohorts c ON c.no = p.cohort
JOIN add_ons a ON a.organization_id = c.organization_id AND a.currency_code = c.currency
  AND a.id = c.add_ons[1 + pg_temp.demo_pick(p.n, 40, 3 * cardinality(c.add_ons))]
LEFT JOIN LATERAL (
  SELECT id, title FROM add_on_variants v
  WHERE v.organization_id = a.organization_id AND v.add_on_id = a.id
  ORDER BY position OFFSET pg_temp.demo_pick(p.n, 43, (
    SELECT count(*) FROM add_on_variants v WHERE v.organization_id = a.organization_id AND v.add_on_id = a.id
  )) LIMIT 1
) v ON true
WHERE c.approval = 'APPROVED' AND NOT c.redacted AND cardinality(c.add_ons) > 0
`;

/**
 * All line items of the batch; `line` is the position on the receipt. The total of a booking is the sum of those that count: not of
 * add-ons that are unpaid, refunded or cancelled.
 */
export const BATCH_LINE_ITEMS = /* sql */ `
CREATE TEMP TABLE batch_line_items ON COMMIT DROP AS
WITH charged AS (
  SELECT p.booking_id, p.participant_id, p.n, p.created_at, 1 AS line, pg_temp.demo_id('ticket line', p.n, p.created_at) AS id,
    'TICKET' AS item_type, c.ticket_title AS name, c.ticket_id::text AS item_id, NULL::text AS item_selection_id, c.price AS amount, true AS counts
  FROM batch_people p JOIN demo_cohorts c ON c.no = p.cohort
  UNION ALL
  SELECT booking_id, participant_id, n, created_at, 2, line_item_id,
    'ADD_ON', title || coalesce(', ' || variant_title, ''), add_on_id::text, variant_id::text, unit_price * quantity,
    financial_status = 'PAID' AND operational_status <> 'CANCELLED'
  FROM batch_add_ons
  UNION ALL
  SELECT p.booking_id, p.participant_id, p.n, p.created_at, 3, pg_temp.demo_id('donation line', p.n, p.created_at + interval '3 milliseconds'),
    'DONATION', 'Donation', c.partner_id::text, NULL, c.price * (ARRAY[10, 20, 50, 200])[1 + pg_temp.demo_pick(p.n, 44, 4)] / 100, true
  FROM batch_people p JOIN demo_cohorts c ON c.no = p.cohort
  WHERE p.donated
  UNION ALL
  SELECT p.booking_id, p.participant_id, p.n, p.created_at, 4, pg_temp.demo_id('discount line', p.n, p.created_at + interval '4 milliseconds'),
    'DISCOUNT', c.discount_name, c.discount_item, NULL, -least(c.price, coalesce(c.discount_flat, round(c.price * c.discount_percent / 100)::bigint)), true
  FROM batch_people p JOIN demo_cohorts c ON c.no = p.cohort
  WHERE c.discount_each AND coalesce(c.discount_flat, c.discount_percent) IS NOT NULL
  UNION ALL
  SELECT p.booking_id, NULL, p.n, p.created_at, whole.line, pg_temp.demo_id(whole.item_type, p.n, p.created_at + whole.line * interval '1 millisecond'),
    whole.item_type, whole.name, whole.item_id, NULL, whole.amount, true
  FROM batch_people p
  JOIN demo_cohorts c ON c.no = p.cohort
  CROSS JOIN LATERAL (VALUES
    (5, 'DISCOUNT', c.discount_name, c.discount_item, CASE WHEN NOT c.discount_each THEN
      -least(c.price * c.party, coalesce(c.discount_flat, round(c.price * c.party * c.discount_percent / 100)::bigint)) END),
    (6, 'BOOKING_FEE', 'Booking fee', NULL, CASE WHEN c.source = 'WEBSITE' AND c.price > 0 THEN
      round((c.price * c.party * 0.05 + 50) * (100 - CASE WHEN c.discount_on_fee THEN c.discount_percent ELSE 0 END) / 100)::bigint END),
    (7, 'CREDIT', CASE c.credit_kind WHEN 'GIFT_CARD' THEN 'Gift card' ELSE 'Credit' END,
      pg_temp.demo_id('credit', p.n, p.created_at - interval '10 days')::text, -c.credit_value)
  ) whole (line, item_type, name, item_id, amount)
  WHERE p.participant_index = 0 AND whole.amount <> 0
)
SELECT * FROM charged
UNION ALL
SELECT p.booking_id, NULL, p.n, p.cancelled_at, 8, pg_temp.demo_id('refund line', p.n, p.cancelled_at), 'REFUND', 'Refund: ' || c.cancelled, NULL, NULL,
  -(SELECT sum(amount) FROM charged x WHERE x.booking_id = p.booking_id AND x.counts), true
FROM batch_people p JOIN demo_cohorts c ON c.no = p.cohort
WHERE c.refunded AND p.participant_index = 0
`;

export const INSERT_LINE_ITEMS = /* sql */ `
INSERT INTO line_items (organization_id, id, created_at, booking_id, participant_id, item_type, name, item_id, item_selection_id,
  amount_value, currency_code, external_line_item_id, released_at)
SELECT c.organization_id, l.id, CASE l.line WHEN 8 THEN l.created_at ELSE l.created_at + l.line * interval '1 millisecond' END,
  l.booking_id, l.participant_id, l.item_type, l.name, l.item_id, l.item_selection_id, l.amount, c.currency,
  c.external_prefix || '-' || l.n % 100000000 || '-' || l.line, b.cancelled_at
FROM batch_line_items l
JOIN batch_bookings b USING (booking_id)
JOIN demo_cohorts c ON c.no = b.cohort
`;

export const INSERT_ALLOCATIONS = /* sql */ `
INSERT INTO add_on_allocations (organization_id, id, created_at, booking_id, participant_id, purchase_line_item_id, add_on_id,
  variant_id, quantity, unit_price_value, currency_code, operational_status, financial_status, external_allocation_id, released_at)
SELECT c.organization_id, pg_temp.demo_id('allocation', a.n, a.created_at), a.created_at, a.booking_id, a.participant_id, a.line_item_id,
  a.add_on_id, a.variant_id, a.quantity, a.unit_price, c.currency,
  a.operational_status, a.financial_status,
  c.external_prefix || '-' || a.n % 100000000 || '-A', a.cancelled_at
FROM batch_add_ons a JOIN demo_cohorts c ON c.no = a.cohort
`;

/** The credits and gift cards that were spent on the batch's bookings, ten days after their creation. */
export const INSERT_SPENT_CREDITS = /* sql */ `
INSERT INTO credits (organization_id, id, created_at, kind, email, email_normalized, amount_value, currency_code, reason)
SELECT c.organization_id, pg_temp.demo_id('credit', p.n, p.created_at - interval '10 days'), p.created_at - interval '10 days',
  c.credit_kind, p.email, lower(p.email), c.credit_value, c.currency, CASE c.credit_kind WHEN 'CREDIT' THEN 'Goodwill' ELSE 'Gift card' END
FROM batch_people p JOIN demo_cohorts c ON c.no = p.cohort
WHERE c.credit_kind IS NOT NULL AND p.participant_index = 0
`;
