import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the database maintains itself: times, counts, and notifications of changed keys. */
export class Rules1795000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [STORAGE, IDS, TIMES, HORIZON, COUNTS, CATALOGUE, ACCESS]) await queryRunner.query(sql);
    for (const table of TIMED) await queryRunner.query(timesOf(table));
  }

  async down(): Promise<void> {
    throw new Error('The first migrations have nothing to go back to: drop the database instead.');
  }
}

const STORAGE = /* sql */ `
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX start_list_entries_tags_idx ON start_list_entries USING gin (organization_id, tags);
CREATE UNIQUE INDEX discount_codes_code_idx ON discount_codes (organization_id, lower(code)) WHERE deleted_at IS NULL;
ALTER TABLE rate_windows SET UNLOGGED;
`;

/** RFC 9562; PostgreSQL has a function for it only since version 18. */
const IDS = /* sql */ `
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
      52, 1), 53, 1), 'hex')::uuid
$$;
`;

/**
 * Prevents lost updates for pollers: a transaction gets its id before it reads the clock. So if a reader sees no
 * transaction in progress, every later updated_at is later than the reader's clock.
 */
const TIMES = /* sql */ `
CREATE FUNCTION keep_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_current_xact_id();
  NEW.updated_at := clock_timestamp();
  NEW.created_at := coalesce(NEW.created_at, NEW.updated_at);
  RETURN NEW;
END $$;
`;

/**
 * The earliest start of a writing transaction in progress, otherwise the clock; null if that is unknown. The order
 * matters: first the clock, then the writers, then transactions that another session prepared. pg_stat_activity hides
 * other roles unless ours can read all statistics; locks are not hidden, so a hidden writer stops the watermark
 * instead of being skipped. A replica knows no writers at all. Within a transaction, pg_stat_activity repeats its
 * first result, so it is cleared.
 */
const HORIZON = /* sql */ `
CREATE FUNCTION horizon() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  now_at timestamptz;
  writing_since timestamptz;
BEGIN
  PERFORM pg_stat_clear_snapshot();
  now_at := clock_timestamp();
  SELECT min(coalesce(a.xact_start, '-infinity')) INTO writing_since FROM pg_stat_activity a
    WHERE a.datname = current_database()
      AND (a.backend_xid IS NOT NULL OR a.query = '<insufficient privilege>' AND EXISTS (
        SELECT FROM pg_locks l
        WHERE l.pid = a.pid AND l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted));
  IF writing_since = '-infinity' OR pg_is_in_recovery()
    OR EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()) THEN
    RETURN NULL;
  END IF;
  RETURN to_char(least(now_at, writing_since) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
END $$;
`;

const TIMED = [
  'events',
  'event_occurrences',
  'races',
  'waves',
  'tickets',
  'booking_forms',
  'booking_form_fields',
  'add_ons',
  'add_on_variants',
  'add_on_allocations',
  'partners',
  'reserved_entry_groups',
  'referral_programs',
  'referrers',
  'referrals',
  'discount_codes',
  'credits',
  'bookings',
  'line_items',
  'teams',
  'start_list_entries',
  'import_jobs',
];

/** An update without changes does not change updated_at. */
const timesOf = (table: string) => /* sql */ `
CREATE TRIGGER keep_times_on_insert BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_times();
CREATE TRIGGER keep_times_on_update BEFORE UPDATE ON ${table} FOR EACH ROW
  WHEN (OLD.* *<> NEW.*) EXECUTE FUNCTION keep_times();
`;

const COUNTS = /* sql */ `
-- What one start list entry counts for. Tallies are sums of appended deltas; reserved groups are counted on
-- their own rows, which importers lock in id order before they hand out places.
CREATE FUNCTION count_start_list_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM old_rows'
    ELSE 'SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows'
  END;
  place record;
BEGIN
  EXECUTE format($sql$
    INSERT INTO tallies (organization_id, kind, subject_id, delta)
    SELECT c.organization_id, counted.kind, counted.subject_id, sum(c.sign)
    FROM (%s) c
    CROSS JOIN LATERAL (VALUES
      ('applications', c.organization_id, true),
      ('eventApplications', c.event_id, true),
      ('participants', c.organization_id, c.approval_status = 'APPROVED'),
      ('raceParticipants', c.race_id, c.approval_status = 'APPROVED'),
      ('racePlaces', c.race_id, c.approval_status = 'APPROVED' AND c.cancelled_at IS NULL AND c.takes_place),
      ('ticketPlaces', c.ticket_id, c.approval_status = 'APPROVED' AND c.cancelled_at IS NULL AND c.takes_place)
    ) counted (kind, subject_id, holds)
    WHERE counted.holds
    GROUP BY 1, 2, 3
    HAVING sum(c.sign) <> 0
  $sql$, changes);

  FOR place IN EXECUTE format($sql$
    SELECT organization_id, reserved_entry_group_id, ticket_id, sum(sign)::int AS delta
    FROM (%s) c WHERE holds_reserved_place AND reserved_entry_group_id IS NOT NULL
    GROUP BY 1, 2, 3 HAVING sum(sign) <> 0 ORDER BY 1, 2, 3
  $sql$, changes) LOOP
    UPDATE reserved_entry_groups SET used_capacity = used_capacity + place.delta
      WHERE organization_id = place.organization_id AND id = place.reserved_entry_group_id;
    UPDATE reserved_entry_group_tickets SET used_capacity = used_capacity + place.delta
      WHERE organization_id = place.organization_id
        AND reserved_entry_group_id = place.reserved_entry_group_id AND ticket_id = place.ticket_id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER count_inserted AFTER INSERT ON start_list_entries
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_start_list_entries();
CREATE TRIGGER count_updated AFTER UPDATE ON start_list_entries
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_start_list_entries();
CREATE TRIGGER count_deleted AFTER DELETE ON start_list_entries
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_start_list_entries();

CREATE FUNCTION tally(organization uuid, counted text, subject uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(delta), 0)::bigint FROM tallies
  WHERE organization_id = organization AND kind = counted AND subject_id = subject
$$;

CREATE FUNCTION count_discount_uses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM old_rows'
    ELSE 'SELECT *, 1 AS sign FROM new_rows UNION ALL SELECT *, -1 FROM old_rows'
  END;
  used record;
BEGIN
  FOR used IN EXECUTE format($sql$
    SELECT organization_id, discount_code_id, sum(sign * discount_uses)::int AS delta
    FROM (%s) c WHERE discount_code_id IS NOT NULL AND status = 'CONFIRMED'
    GROUP BY 1, 2 HAVING sum(sign * discount_uses) <> 0 ORDER BY 1, 2
  $sql$, changes) LOOP
    UPDATE discount_codes SET usage_count = usage_count + used.delta
      WHERE organization_id = used.organization_id AND id = used.discount_code_id;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER count_inserted AFTER INSERT ON bookings
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
CREATE TRIGGER count_updated AFTER UPDATE ON bookings
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
CREATE TRIGGER count_deleted AFTER DELETE ON bookings
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
`;

/** A change of an event, race, wave or ticket updates lastModified of its occurrences, and the search words. */
const CATALOGUE = /* sql */ `
CREATE FUNCTION touch_occurrences() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched text := CASE TG_TABLE_NAME
    WHEN 'events' THEN
      'SELECT c.organization_id, o.id FROM changed c JOIN event_occurrences o
         ON o.organization_id = c.organization_id AND o.event_id = c.id'
    WHEN 'waves' THEN
      'SELECT c.organization_id, r.event_occurrence_id AS id FROM changed c JOIN races r
         ON r.organization_id = c.organization_id AND r.id = c.race_id'
    ELSE 'SELECT organization_id, event_occurrence_id AS id FROM changed'
  END;
BEGIN
  EXECUTE format($sql$
    WITH changed AS (%s), touched AS (SELECT DISTINCT organization_id, id FROM (%s) t)
    UPDATE event_occurrences o SET updated_at = clock_timestamp()
    FROM touched t WHERE o.organization_id = t.organization_id AND o.id = t.id
  $sql$, CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
    WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
    -- An update that changed nothing has not moved the row's updated_at.
    ELSE 'SELECT n.* FROM new_rows n JOIN old_rows o ON o.organization_id = n.organization_id AND o.id = n.id
            AND o.updated_at <> n.updated_at'
  END, touched);
  RETURN NULL;
END $$;
${['events', 'races', 'waves', 'tickets']
  .map(
    (table) => /* sql */ `
CREATE TRIGGER touch_on_insert AFTER INSERT ON ${table}
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION touch_occurrences();
CREATE TRIGGER touch_on_update AFTER UPDATE ON ${table}
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION touch_occurrences();
CREATE TRIGGER touch_on_delete AFTER DELETE ON ${table}
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION touch_occurrences();`,
  )
  .join('\n')}

CREATE FUNCTION rename_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_occurrences SET updated_at = clock_timestamp() WHERE organization_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER rename_organization AFTER UPDATE ON organizations FOR EACH ROW
  WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION rename_organization();
`;

/** Every API process listens on channel \`access\` and drops its cache of the named organization. */
const ACCESS = /* sql */ `
CREATE FUNCTION announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access', CASE TG_TABLE_NAME
    WHEN 'organizations' THEN to_jsonb(coalesce(NEW, OLD))->>'id'
    ELSE to_jsonb(coalesce(NEW, OLD))->>'organization_id' END);
  RETURN NULL;
END $$;
CREATE TRIGGER announce_access AFTER INSERT OR UPDATE OR DELETE ON organization_surfaces
  FOR EACH ROW EXECUTE FUNCTION announce_access();
CREATE TRIGGER announce_access AFTER INSERT OR UPDATE OF deleted_at OR DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION announce_access();
-- Not on last_used_at, which moves all the time.
CREATE TRIGGER announce_access AFTER UPDATE OF event_occurrence_ids, endpoints, revoked_at OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_access();
`;
