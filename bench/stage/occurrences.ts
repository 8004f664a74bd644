/** Upcoming, discoverable occurrences with a race and a ticket each, of 200 organizations. Triggers write what search needs. */
export const OCCURRENCES = /* sql */ `
SET synchronous_commit = off;
CREATE TEMP TABLE made AS
SELECT i, i % 200 AS o, uuid_v7() AS event_id, uuid_v7() AS occurrence_id, uuid_v7() AS race_id,
  uuid_v7() AS ticket_id, current_date + 30 + i % 700 AS day,
  (ARRAY['Harbour','River','Summit','Forest','Castle','Valley','Lighthouse','Moor','Island','Canal','Abbey','Orchard','Quarry','Meadow','Viaduct','Glen'])[1 + i % 16] AS first,
  (ARRAY['Marathon','Half Marathon','10K','Trail Run','Triathlon','Swim','Duathlon','Relay','Ultra','Sportive','Night Run'])[1 + i / 16 % 11] AS second,
  (ARRAY['London','Leeds','Bristol','Cardiff','Glasgow','Dublin','Cork','Nantes','Lyon','Berlin','Hamburg','Madrid','Sevilla','Porto','Gent','Malmö','Kraków','Brno','Graz','Oslo'])[1 + i / 176 % 20] AS city
FROM generate_series(0, $count$ - 1) i;
CREATE TEMP TABLE owners AS SELECT o, uuid_v7() AS id FROM generate_series(0, 199) o;

INSERT INTO organizations (id, slug, name) SELECT id, 'organizer-' || o, 'Organizer ' || o FROM owners;
SET session_replication_role = replica;
INSERT INTO events (organization_id, id, created_at, updated_at, slug, title)
SELECT w.id, m.event_id, now(), now(), 'event-' || i, city || ' ' || first || ' ' || second FROM made m JOIN owners w USING (o);
INSERT INTO races (organization_id, id, created_at, updated_at, event_occurrence_id, event_id, title, discipline, distance_value, distance_unit, start_date, start_time)
SELECT w.id, m.race_id, now(), now(), m.occurrence_id, m.event_id, second, 'RUNNING', 5 + i % 40, 'KM', day, '09:00' FROM made m JOIN owners w USING (o);
INSERT INTO tickets (organization_id, id, created_at, updated_at, race_id, event_occurrence_id, event_id, slug, title, price_value, currency_code)
SELECT w.id, m.ticket_id, now(), now(), m.race_id, m.occurrence_id, m.event_id, 'entry', 'General entry', 4500, 'GBP' FROM made m JOIN owners w USING (o);
SET session_replication_role = origin;
INSERT INTO event_occurrences (organization_id, id, created_at, event_id, slug, title, tags, content, start_date, time_zone, latitude, longitude, address)
SELECT w.id, m.occurrence_id, now(), m.event_id, 'occurrence-' || i, city || ' ' || first || ' ' || second,
  CASE i % 3 WHEN 0 THEN '{charity}'::text[] ELSE '{}' END, '{"shortDescription":"Through the old town and back along the water."}', day,
  'Europe/London', 40 + (i % 1900) / 100.0, -8 + (i % 2700) / 100.0,
  jsonb_build_object('city', city, 'formatted', city, 'countryCode', 'GB', 'countryName', 'United Kingdom')
FROM made m JOIN owners w USING (o);
`;
