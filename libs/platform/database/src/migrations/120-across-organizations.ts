import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDefinerFunctions, type DefinerFunction } from './definer';

/** Access of API and worker across organizations, when their role only sees the rows of one organization. */
export class AcrossOrganizations1795000000120 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [...SIGN_IN, ...SWEEPERS, ...RETENTION, ...FIGURES]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const names = [...SIGN_IN, ...SWEEPERS, ...RETENTION, ...FIGURES].map(
      ({ signature }) => signature.split('(')[0],
    );
    await queryRunner.query(`DROP FUNCTION ${names.join(', ')}`);
    // `migrate` created them afterwards; columns that they show cannot be dropped.
    await queryRunner.query(`
      DROP VIEW IF EXISTS own_bib_claims, own_discount_codes, own_race_day_log, own_referrers, own_start_list_entries,
        marketplace_races, marketplace_tickets, marketplace_occurrences, marketplace_organizations`);
  }
}

const OPEN = "status IN ('QUEUED', 'RUNNING')";

const SIGN_IN: DefinerFunction[] = [
  {
    signature: 'organization_of_slug(wanted text)',
    returns: 'uuid',
    body: 'SELECT id FROM organizations WHERE slug = wanted AND deleted_at IS NULL',
  },
];

const workAfter = (row: string) => `least(
  (SELECT l.organization_id FROM race_day_log l WHERE l.applied_at IS NULL AND l.organization_id > ${row}
   ORDER BY l.organization_id, l.seq LIMIT 1),
  (SELECT c.organization_id FROM bib_claims c WHERE c.until IS NULL AND c.organization_id > ${row}
   ORDER BY c.organization_id, c.bib_number, c.changed_at LIMIT 1),
  (SELECT t.organization_id FROM race_day_tasks t WHERE t.organization_id > ${row}
   ORDER BY t.organization_id, t.id LIMIT 1))`;

const SWEEPERS: DefinerFunction[] = [
  // From one organization to the next by index, so that one with many jobs costs no more than one with a single job.
  {
    signature: 'organizations_with_open_imports(beyond uuid, most int)',
    returns: 'SETOF uuid',
    body: `
      WITH RECURSIVE found AS (
        (SELECT organization_id AS id FROM import_jobs
          WHERE ${OPEN} AND organization_id > beyond ORDER BY organization_id LIMIT 1)
        UNION ALL
        SELECT next.id FROM found f CROSS JOIN LATERAL (
          SELECT organization_id AS id FROM import_jobs
          WHERE ${OPEN} AND organization_id > f.id ORDER BY organization_id LIMIT 1) next
      )
      SELECT id FROM found LIMIT most`,
  },
  {
    signature: 'organizations_with_race_day_work(beyond uuid, most int)',
    returns: 'SETOF uuid',
    body: `
      WITH RECURSIVE walk AS (
        SELECT ${workAfter('beyond')} AS organization_id, 1 AS place
        UNION ALL
        SELECT ${workAfter('walk.organization_id')}, place + 1 FROM walk
        WHERE organization_id IS NOT NULL AND place < most
      )
      SELECT organization_id FROM walk WHERE organization_id IS NOT NULL`,
  },
  {
    signature: 'organizations_beyond(beyond uuid, most int)',
    returns: 'SETOF uuid',
    body: 'SELECT id FROM organizations WHERE id > beyond ORDER BY id LIMIT most',
  },
  // With an endpoint, and with an event after their position and below the watermark.
  {
    signature: 'organizations_with_new_events(watermark timestamptz)',
    returns: 'SETOF uuid',
    body: `
      SELECT f.organization_id FROM change_event_feeds f
      WHERE EXISTS (SELECT FROM webhook_endpoints w
          WHERE w.organization_id = f.organization_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL)
        AND EXISTS (SELECT FROM change_events e WHERE e.organization_id = f.organization_id
          AND (e.occurred_at, e.id) > (f.fanned_out_at, f.fanned_out_id) AND e.occurred_at < watermark)`,
  },
  // One index lookup per endpoint.
  {
    signature: 'webhook_endpoints_due()',
    returns: 'TABLE (organization_id uuid, endpoint_id uuid)',
    body: `
      SELECT w.organization_id, w.id FROM webhook_endpoints w
      WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL
        AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
        AND EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING'
            AND d.next_attempt_at <= clock_timestamp())
      LIMIT 1000`,
  },
  // With a referral program whose earlier bookings have no codes yet.
  {
    signature: 'organizations_to_code()',
    returns: 'SETOF uuid',
    body: 'SELECT DISTINCT organization_id FROM referral_programs WHERE NOT codes_complete',
  },
  {
    signature: 'release_import_attempts(worker uuid)',
    returns: 'void',
    body: 'UPDATE import_attempts SET worker_id = NULL WHERE worker_id = worker',
  },
];

const RETENTION: DefinerFunction[] = [
  /**
   * Merges the deltas of counters with more than `crowded` deltas. A single statement, so that the snapshot of a
   * reader contains either all deltas or their sum. It adds up the rows that it deleted itself, so that concurrently
   * appended deltas stay, and deltas that were merged concurrently do not count twice. The number of rows is bounded,
   * because lists that end at the watermark wait for the transaction.
   */
  {
    signature: 'compact_counters(crowded int)',
    returns: 'void',
    body: `
      WITH crowds AS (
        SELECT organization_id, kind, subject_id FROM tallies
        GROUP BY organization_id, kind, subject_id HAVING count(*) > crowded
        LIMIT 500
      ), gone AS (
        DELETE FROM tallies t USING crowds c
        WHERE t.organization_id = c.organization_id AND t.kind = c.kind AND t.subject_id = c.subject_id
        RETURNING t.organization_id, t.kind, t.subject_id, t.delta
      )
      INSERT INTO tallies (organization_id, kind, subject_id, delta)
      SELECT organization_id, kind, subject_id, sum(delta) FROM gone
      GROUP BY organization_id, kind, subject_id HAVING sum(delta) <> 0`,
  },
  {
    signature: 'forget_idempotency_keys(minutes int)',
    returns: 'void',
    body: 'DELETE FROM idempotency_keys WHERE created_at < clock_timestamp() - make_interval(mins => minutes)',
  },
  // The longest waiting messages, in bounded steps.
  {
    signature: 'forget_waiting_messages(days double precision, most int)',
    returns: 'int',
    body: `
      WITH gone AS (
        DELETE FROM race_day_log l USING (
          SELECT organization_id, seq FROM race_day_log
          WHERE waiting_for IS NOT NULL AND applied_at < clock_timestamp() - make_interval(secs => days * 86400)
          ORDER BY applied_at LIMIT most
          FOR UPDATE SKIP LOCKED
        ) old
        WHERE l.organization_id = old.organization_id AND l.seq = old.seq
        RETURNING 1
      )
      SELECT count(*)::int FROM gone`,
  },
  // By organization, so that each event is found by index; in bounded steps, because lists that end at the watermark
  // wait for it.
  {
    signature: 'forget_change_events(days int)',
    returns: 'void',
    body: `
      DELETE FROM change_events e USING change_event_feeds f CROSS JOIN LATERAL (
        SELECT o.id FROM change_events o
        WHERE o.organization_id = f.organization_id AND o.occurred_at < clock_timestamp() - make_interval(days => days)
        ORDER BY o.occurred_at LIMIT 2000
      ) old
      WHERE e.organization_id = f.organization_id AND e.id = old.id`,
  },
  {
    signature: 'forget_webhook_deliveries(days int)',
    returns: 'void',
    body: `
      WITH old AS (
        SELECT f.organization_id, o.id FROM change_event_feeds f CROSS JOIN LATERAL (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.organization_id = f.organization_id AND d.created_at < clock_timestamp() - make_interval(days => days)
          ORDER BY d.created_at LIMIT 2000
        ) o
      ), attempts AS (
        DELETE FROM webhook_attempts a USING old WHERE a.organization_id = old.organization_id AND a.delivery_id = old.id
      )
      DELETE FROM webhook_deliveries d USING old WHERE d.organization_id = old.organization_id AND d.id = old.id`,
  },
  {
    signature: 'forget_old_audit_records(days int, most int)',
    returns: 'int',
    body: 'SELECT forget_audit_log(days, most)',
  },
];

/** Counts up to `most`: a higher number needs no distinction. */
const FIGURES: DefinerFunction[] = [
  // By the index of open jobs, oldest first.
  {
    signature: 'open_import_figures(most int)',
    returns: 'TABLE (status text, jobs int, age double precision)',
    body: `
      SELECT open.status, count(*)::int,
        greatest(0, extract(epoch FROM clock_timestamp() - min(open.created_at)))::float8
      FROM (SELECT j.status, j.created_at FROM import_jobs j WHERE j.${OPEN} ORDER BY j.created_at LIMIT most) open
      GROUP BY open.status`,
  },
  // From the first pending message of one organization to that of the next, in the order of an index, so that the
  // planner uses the index even if it overestimates the number of pending messages: most of the millions in the log
  // are not pending.
  {
    signature: 'race_day_figures(organizations int, most int)',
    returns: 'TABLE (lag double precision, pending int, waiting int)',
    body: `
      WITH RECURSIVE first AS (
        (SELECT organization_id, received_at, 1 AS place FROM race_day_log
          WHERE applied_at IS NULL ORDER BY organization_id, seq LIMIT 1)
        UNION ALL
        SELECT following.organization_id, following.received_at, first.place + 1
        FROM first CROSS JOIN LATERAL (
          SELECT l.organization_id, l.received_at FROM race_day_log l
          WHERE l.applied_at IS NULL AND l.organization_id > first.organization_id
          ORDER BY l.organization_id, l.seq LIMIT 1) following
        WHERE first.place < organizations
      )
      SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(received_at))), 0)::float8,
        (SELECT count(*) FROM (SELECT FROM race_day_log WHERE applied_at IS NULL
          ORDER BY organization_id, seq LIMIT most) unapplied)::int,
        (SELECT count(*) FROM (SELECT FROM race_day_log WHERE waiting_for IS NOT NULL
          ORDER BY organization_id, waiting_for LIMIT most) unidentified)::int
      FROM first`,
  },
  // By endpoint and index: deliveries of disabled endpoints wait for their owner.
  {
    signature: 'webhook_figures(most int)',
    returns: 'TABLE (lag double precision, waiting double precision, disabled int, failing int)',
    body: `
      SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - min(oldest.at))), 0)::float8,
        coalesce(sum(oldest.due), 0)::float8,
        (SELECT count(*) FROM webhook_endpoints WHERE disabled_reason IN ('GONE', 'FAILING') AND deleted_at IS NULL)::int,
        (SELECT count(*) FROM webhook_endpoints
          WHERE failing_since IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL)::int
      FROM webhook_endpoints w CROSS JOIN LATERAL (
        SELECT min(next_attempt_at) AS at, count(*) AS due FROM (SELECT next_attempt_at FROM webhook_deliveries d
          WHERE d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.state = 'PENDING'
            AND d.next_attempt_at <= clock_timestamp()
          ORDER BY d.next_attempt_at LIMIT most) due
      ) oldest
      WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND w.failing_since IS NULL`,
  },
];
