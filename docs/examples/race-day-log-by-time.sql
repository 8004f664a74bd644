-- Partitions the race-day log by month: first write the months of your data. See docs/scaling.md.
BEGIN;
ALTER TABLE race_day_log RENAME TO race_day_log_whole;
CREATE TABLE race_day_log (
  LIKE race_day_log_whole INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING CONSTRAINTS,
  PRIMARY KEY (organization_id, seq, received_at)
) PARTITION BY RANGE (received_at);
ALTER TABLE race_day_log ADD FOREIGN KEY (organization_id) REFERENCES organizations (id);
CREATE INDEX ON race_day_log (organization_id, waiting_for) WHERE waiting_for IS NOT NULL;
CREATE INDEX ON race_day_log (organization_id, seq) WHERE applied_at IS NULL;
CREATE INDEX ON race_day_log (organization_id, bib_number, changed_at, seq) WHERE named_by_bib;
CREATE INDEX ON race_day_log (organization_id, bib_number) WHERE sets_bib AND applied_at IS NULL;
CREATE INDEX ON race_day_log (organization_id, participant_id, changed_at, seq);
CREATE INDEX ON race_day_log (applied_at) WHERE waiting_for IS NOT NULL;
CREATE INDEX ON race_day_log (organization_id, participant_id,
    (sets_bib::int + (shipping_status IS NOT NULL)::int * 2 + (shipping_carrier IS NOT NULL)::int * 4
      + (tracking_number IS NOT NULL)::int * 8 + (tracking_url IS NOT NULL)::int * 16), changed_at, seq)
  WHERE applied_at IS NOT NULL AND waiting_for IS NULL AND (sets_bib OR shipping_status IS NOT NULL);
CREATE TABLE race_day_log_2026_05 PARTITION OF race_day_log FOR VALUES FROM ('2026-05-01') TO ('2026-06-01');
CREATE TABLE race_day_log_2026_06 PARTITION OF race_day_log FOR VALUES FROM ('2026-06-01') TO ('2026-07-01');
CREATE TABLE race_day_log_other PARTITION OF race_day_log DEFAULT;
INSERT INTO race_day_log OVERRIDING SYSTEM VALUE SELECT * FROM race_day_log_whole;
SELECT setval(pg_get_serial_sequence('race_day_log', 'seq'), (SELECT coalesce(max(seq), 0) + 1 FROM race_day_log), false);
DROP VIEW own_race_day_log;
DROP TABLE race_day_log_whole;
CREATE TRIGGER record_inserted AFTER INSERT ON race_day_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_race_day_messages();
CREATE TRIGGER record_updated AFTER UPDATE ON race_day_log
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_race_day_messages();
COMMIT;
