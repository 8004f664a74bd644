/**
 * The applied messages for bibs, parcels and race-day fields of the batch's entries, whose projection is equal to the
 * entries. The second message of a parcel has no carrier and tracking number, which therefore do not change; the second
 * message of a cancelled entry removes its bib.
 */
export const INSERT_RACE_DAY_LOG = /* sql */ `
INSERT INTO race_day_log (organization_id, source, received_at, changed_at, participant_id, sets_bib, bib_number, shipping_status,
  shipped_at, shipping_carrier, tracking_number, tracking_url, custom_fields, applied_at)
SELECT c.organization_id, said.source, said.at, said.at, p.participant_id, said.sets_bib, said.bib, said.status,
  said.shipped_at, said.carrier, said.tracking_number, said.tracking_url, said.custom_fields, said.at
FROM batch_people p
JOIN demo_cohorts c ON c.no = p.cohort
CROSS JOIN LATERAL (VALUES
  (p.bib IS NOT NULL, CASE c.source WHEN 'API' THEN 'IMPORT' ELSE 'CATALOGUE' END, p.bib_at, true, p.bib,
    NULL, NULL::timestamptz, NULL, NULL, NULL, NULL::jsonb),
  (p.bib IS NOT NULL AND c.cancelled IS NOT NULL, 'RACE_DAY', p.cancelled_at, true, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (c.ships_at IS NOT NULL, 'TIMING', p.shipped_at, false, NULL, 'SHIPPED', p.shipped_at, 'Royal Mail', 'RM' || p.n || 'GB',
    'https://track.example/RM' || p.n || 'GB', NULL),
  (c.ships_at IS NOT NULL AND p.arrived IS NOT NULL, 'TIMING', p.shipped_at + interval '2 days', false, NULL, p.arrived, p.shipped_at,
    NULL, NULL, NULL, NULL),
  (p.race_day_fields IS NOT NULL, 'RACE_DAY', c.results_at - interval '16 hours', false, NULL, NULL, NULL, NULL, NULL, NULL, p.race_day_fields)
) said (holds, source, at, sets_bib, bib, status, shipped_at, carrier, tracking_number, tracking_url, custom_fields)
WHERE said.holds
ORDER BY said.at, p.n
`;
