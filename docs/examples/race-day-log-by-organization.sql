-- Partitions the race-day log by organization. See docs/scaling.md.
BEGIN;
ALTER TABLE race_day_log RENAME TO race_day_log_whole;
CREATE TABLE race_day_log (LIKE race_day_log_whole INCLUDING ALL) PARTITION BY HASH (organization_id);
ALTER TABLE race_day_log ADD FOREIGN KEY (organization_id) REFERENCES organizations (id);
CREATE TABLE race_day_log_0 PARTITION OF race_day_log FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE race_day_log_1 PARTITION OF race_day_log FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE race_day_log_2 PARTITION OF race_day_log FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE race_day_log_3 PARTITION OF race_day_log FOR VALUES WITH (MODULUS 4, REMAINDER 3);
INSERT INTO race_day_log OVERRIDING SYSTEM VALUE SELECT * FROM race_day_log_whole;
SELECT setval(pg_get_serial_sequence('race_day_log', 'seq'), (SELECT coalesce(max(seq), 0) + 1 FROM race_day_log), false);
DROP VIEW own_race_day_log;
DROP TABLE race_day_log_whole;
CREATE TRIGGER record_inserted AFTER INSERT ON race_day_log
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_race_day_messages();
CREATE TRIGGER record_updated AFTER UPDATE ON race_day_log
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_race_day_messages();
COMMIT;
