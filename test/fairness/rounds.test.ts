import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import { ORGANIZATIONS_TO_CODE } from '#domain/bookings';
import { type BallotRequest, drawBallot, ParticipantsExport } from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { FanOut, Outbox, SecretBox, WebhookRunner } from '#domain/webhooks';
import {
  booking,
  copiesOf,
  organization,
  referralProgram,
  SIGNING_SECRETS,
  type TestDatabase,
  testDatabase,
  ticket,
} from '#libs/testing';
import type { Caller } from '#platform/access';
import {
  ChangeEventFeed,
  createDataSource,
  Database,
  ImportJob,
  ImportRow,
  newId,
  PendingRefresh,
  WebhookEndpoint,
} from '#platform/database';
import { Cursors } from '#platform/queries';
import { JobProducer } from '#platform/queues';
import { Maintenance } from '../../apps/worker/src/maintenance/maintenance';
import { Refreshes } from '../../apps/worker/src/maintenance/refreshes';
import { Sweeper } from '../../apps/worker/src/sweeper/sweeper';
import { eventually, startApi, startWorker } from '../harness';
import { WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';

let database: TestDatabase;
let dataSource: DataSource;
beforeEach(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
});
afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** A mechanism that organizations share. */
interface Mechanism {
  /** Gives an organization this many units of work. */
  work(organizationId: string, units: number): Promise<unknown>;
  /** Does all work. Returns the organizations in the order in which units of theirs were done. */
  run(): Promise<string[]>;
}

/** Endpoints for created partners, in an organization with change events. The address is not permitted, so that deliveries fail. */
async function endpoints(organizationId: string, count: number) {
  const [kid = '', key = ''] = WEBHOOK_SECRETS_KEY.split(':');
  const box = new SecretBox([{ kid, key: Buffer.from(key, 'hex') }]);
  await dataSource.getRepository(ChangeEventFeed).insert({ organizationId, complete: true });
  const ids = Array.from({ length: count }, () => newId());
  await dataSource.getRepository(WebhookEndpoint).insert(
    ids.map((id) => ({
      organizationId,
      id,
      url: 'https://127.0.0.1/',
      types: ['partner.created'],
      secret: box.seal('whsec_c2VjcmV0', `${organizationId}/${id}`),
    })),
  );
}

const partners = (organizationId: string, count: number) =>
  dataSource.query(
    `INSERT INTO partners (organization_id, id, name) SELECT $1, uuid_v7(), 'Partner' FROM generate_series(1, $2)`,
    [organizationId, count],
  );

/** Adds copies of the organization's entry. */
const moreEntries = (organizationId: string, count: number) =>
  dataSource.query(
    `INSERT INTO start_list_entries ${copiesOf(
      'e',
      `jsonb_build_object(
        'id', uuid_v7(), 'participant_id', uuid_v7(), 'participant_index', n)`,
      `FROM start_list_entries e CROSS JOIN generate_series(1, $2) n
        WHERE e.organization_id = $1 AND e.participant_index = 0`,
    )}`,
    [organizationId, count],
  );

const FAN_OUT = { WEBHOOK_BACKLOG_LIMIT: 10_000, CHANGE_EVENT_DAYS: 30 };

/** The organizations in the order of the transactions that created deliveries. */
async function createDeliveries(): Promise<string[]> {
  await new FanOut(new Database(dataSource), FAN_OUT).run(() => {});
  const made: { id: string }[] = await dataSource.query(
    'SELECT organization_id AS id FROM webhook_deliveries GROUP BY organization_id, xmin ORDER BY min(created_at)',
  );
  return made.map(({ id }) => id);
}

/** The organizations of statements, in the order in which they are asked for. */
let statements: string[] = [];

const CURSORS = new Cursors(SIGNING_SECRETS);

const MECHANISMS: Record<string, Mechanism> = {
  'the fan-out of change events to webhooks': {
    async work(organizationId, units) {
      // A transaction has 1,000 deliveries.
      await endpoints(organizationId, 20);
      await partners(organizationId, (units - 1) * 50 + 1);
    },
    run: createDeliveries,
  },
  'the fan-out to endpoints that are behind': {
    async work(organizationId, units) {
      await endpoints(organizationId, 1);
      await dataSource.query(
        `UPDATE webhook_endpoints w SET behind_at = f.fanned_out_at, behind_id = f.fanned_out_id
         FROM change_event_feeds f WHERE f.organization_id = w.organization_id AND w.organization_id = $1`,
        [organizationId],
      );
      await partners(organizationId, (units - 1) * 1_000 + 1);
    },
    run: createDeliveries,
  },
  'the connections of a worker': {
    async work(organizationId, units) {
      statements.push(...Array(units).fill(organizationId));
    },
    async run() {
      const [asked, done]: string[][] = [statements, []];
      statements = [];
      // One connection is for the process itself.
      const settings = { WORKER_POOL_SIZE: '2', WORKER_CONCURRENCY: '1' };
      const worker = await startWorker({ databaseUrl: database.url }, settings);
      const connections = worker.get(Database, { strict: false });
      await Promise.all(
        asked?.map((id) =>
          connections.of(id).transaction(async (manager) => {
            await manager.query('SELECT pg_sleep(0.01)');
            done?.push(id);
          }),
        ) ?? [],
      );
      await worker.close();
      return done ?? [];
    },
  },
  'deliveries of webhooks': {
    async work(organizationId, units) {
      // A unit is a run, which delivers to an endpoint.
      await endpoints(organizationId, units);
      await partners(organizationId, 1);
    },
    async run() {
      await new FanOut(new Database(dataSource), FAN_OUT).run(() => {});
      const settings = {
        WEBHOOK_SECRETS_KEY,
        WEBHOOK_CONCURRENCY: '1',
        STARTLINE_TEST_WEBHOOK_SWEEP_MS: '3600000',
        WEBHOOK_RETRY_SECONDS: '86400',
      };
      const worker = await startWorker({ databaseUrl: database.url }, settings);
      try {
        const due = await worker.get(Outbox, { strict: false }).dueEndpoints();
        const runner = worker.get(WebhookRunner, { strict: false });
        // All jobs of an organization arrive before those of the next.
        due.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
        await Promise.all(due.map((endpoint) => runner.deliver(endpoint, async () => {})));
      } finally {
        await worker.close();
      }
      const attempted: { id: string }[] = await dataSource.query(
        'SELECT organization_id AS id FROM webhook_attempts ORDER BY attempted_at',
      );
      return attempted.map(({ id }) => id);
    },
  },
  'the application of race-day messages': {
    async work(organizationId, units) {
      // A round has 1,000 messages. Those of unknown participants are applied by waiting for them.
      await dataSource.query(
        `INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, shipping_status)
         SELECT $1, 'TIMING', now(), uuid_v7(), 'SHIPPED' FROM generate_series(1, $2)`,
        [organizationId, (units - 1) * 1_000 + 1],
      );
    },
    async run() {
      const worker = await startWorker(
        { databaseUrl: database.url },
        { WORKER_CONCURRENCY: '1', STARTLINE_TEST_SWEEP_MS: '3600000' },
      );
      const applied = (): Promise<{ id: string; left: boolean }[]> =>
        dataSource.query(
          `SELECT organization_id AS id, bool_or(applied_at IS NULL) AS left FROM race_day_log
           GROUP BY organization_id, xmin ORDER BY min(applied_at)`,
        );
      try {
        const organizations: { id: string }[] = await dataSource.query(
          'SELECT DISTINCT organization_id AS id FROM race_day_log ORDER BY 1',
        );
        const producer = worker.get(JobProducer, { strict: false });
        const queue = worker.get<Queue>(getQueueToken('race-day'), { strict: false });
        // Nothing is applied until the jobs of all have arrived.
        await dataSource.transaction(async (manager) => {
          for (const { id } of organizations) {
            await lockRaceDay(manager, id);
            producer.enqueue('race-day', { organizationId: id });
          }
          await eventually(async () => (await queue.getActiveCount()) === organizations.length);
        });
        await eventually(async () => (await applied()).every(({ left }) => !left));
      } finally {
        await worker.close();
      }
      return (await applied()).map(({ id }) => id);
    },
  },
  'codes for bookings that are older than their referral program': {
    async work(organizationId, units) {
      const { id, eventId, eventOccurrenceId } = await booking(dataSource, { organizationId });
      // A transaction has 500 bookings.
      await dataSource.query(
        `INSERT INTO bookings ${copiesOf(
          'b',
          `jsonb_build_object('id', uuid_v7(), 'transaction_id', uuid_v7(), 'external_booking_id', null)`,
          'FROM bookings b, generate_series(1, $2) WHERE b.organization_id = $1 AND b.id = $3',
        )}`,
        [organizationId, (units - 1) * 500, id],
      );
      const program = { organizationId, eventId, eventOccurrenceId };
      const { id: programId } = await referralProgram(dataSource, program);
      await dataSource.query(
        `UPDATE referral_programs SET codes_from = clock_timestamp() - interval '1 hour' WHERE id = $1`,
        [programId],
      );
    },
    async run() {
      const worker = await startWorker(
        { databaseUrl: database.url },
        { STARTLINE_TEST_MAINTENANCE_MS: '3600000' },
      );
      try {
        await eventually(async () => {
          await worker.get(Maintenance, { strict: false }).run();
          return (await ORGANIZATIONS_TO_CODE.rows(dataSource)).length === 0;
        });
      } finally {
        await worker.close();
      }
      const made: { id: string }[] = await dataSource.query(
        'SELECT organization_id AS id FROM referrers GROUP BY organization_id, xmin ORDER BY min(id::text)',
      );
      return made.map(({ id }) => id);
    },
  },
  'refreshes of entries that show a shared record': {
    async work(organizationId, units) {
      const { entries } = await booking(dataSource, { organizationId });
      // A step moves 500 entries.
      await moreEntries(organizationId, (units - 1) * 500);
      await dataSource.query('DELETE FROM pending_refreshes WHERE organization_id = $1', [organizationId]);
      await dataSource.query(
        `UPDATE races SET title = 'Harbour Mile' WHERE organization_id = $1 AND id = $2`,
        [organizationId, entries[0]?.raceId],
      );
    },
    async run() {
      const [{ now }] = await dataSource.query('SELECT clock_timestamp()::text AS now');
      const settings = { STARTLINE_TEST_SWEEP_MS: '3600000', STARTLINE_TEST_MAINTENANCE_MS: '3600000' };
      const worker = await startWorker({ databaseUrl: database.url }, settings);
      try {
        await eventually(async () => {
          await worker.get(Refreshes, { strict: false }).run();
          return (await dataSource.getRepository(PendingRefresh).count()) === 0;
        });
      } finally {
        await worker.close();
      }
      const moved: { id: string }[] = await dataSource.query(
        `SELECT organization_id AS id FROM start_list_entries WHERE updated_at > $1::timestamptz
         GROUP BY organization_id, xmin ORDER BY min(updated_at)`,
        [now],
      );
      return moved.map(({ id }) => id);
    },
  },
  'undoing imports': {
    async work(organizationId, units) {
      // A transaction has 10 rows, and a turn one transaction.
      const rows = (units - 1) * 10 + 1;
      const { id: ticketId } = await ticket(dataSource, { organizationId });
      const made = [];
      for (let i = 0; i < rows; i++) made.push(await booking(dataSource, { organizationId, ticketId }));
      const { id: jobId } = await dataSource.getRepository(ImportJob).save({
        organizationId,
        id: newId(),
        surface: 'bookingsImport',
        mode: 'UNDO',
        totalRows: rows,
      } as ImportJob);
      await dataSource.getRepository(ImportRow).insert(
        made.map(({ id: bookingId }, row) => ({
          ...{ organizationId, jobId, row },
          payload: { bookingId, evenIfChanged: true },
        })),
      );
    },
    async run() {
      const worker = await startWorker(
        { databaseUrl: database.url },
        {
          WORKER_CONCURRENCY: '1',
          STARTLINE_TEST_IMPORT_CHUNK_ROWS: '10',
          STARTLINE_TEST_IMPORT_CHUNK_MS: '60000',
          STARTLINE_TEST_IMPORT_TURN_MS: '1',
          STARTLINE_TEST_SWEEP_MS: '3600000',
        },
      );
      try {
        await eventually(async () => {
          await worker.get(Sweeper, { strict: false }).sweeps.imports?.run(() => false);
          return (await dataSource.query('SELECT FROM import_jobs WHERE finished_at IS NULL')).length === 0;
        });
      } finally {
        await worker.close();
      }
      const cancelled: { id: string }[] = await dataSource.query(
        `SELECT organization_id AS id FROM bookings WHERE status = 'CANCELLED'
         GROUP BY organization_id, xmin ORDER BY min(cancelled_at)`,
      );
      return cancelled.map(({ id }) => id);
    },
  },
  'exports by a process with one connection for them': {
    async work(organizationId, units) {
      await booking(dataSource, { organizationId });
      // A statement reads at most 50 participants.
      await moreEntries(organizationId, (units - 1) * 200);
    },
    async run() {
      // Another connection is for the process itself.
      const api = await startApi({ DATABASE_URL: database.url, API_POOL_SIZE: '2', POOL_WAIT_MS: '600000' });
      const exports = api.app.get(ParticipantsExport, { strict: false });
      const by = { type: 'SYSTEM', id: null, origin: null } as const;
      const organizations: { id: string }[] = await dataSource.query(
        'SELECT DISTINCT organization_id AS id FROM bookings ORDER BY 1',
      );
      const begun = await Promise.all(
        organizations.map(async ({ id }) => {
          const caller = { organizationId: id } as Caller;
          return { id, lines: await exports.begin(caller, { format: 'ndjson' }, CURSORS, by) };
        }),
      );
      const done: string[] = [];
      await Promise.all(
        begun.map(async ({ id, lines }) => {
          for await (const text of lines) if (!text.includes('"end":')) done.push(id);
        }),
      );
      await api.close();
      return done;
    },
  },
};

/** Rows of each kind that expired long ago, $2 of the organization $1; and the table in which their disappearance shows. */
const EXPIRED: Record<string, { shownBy: string; batch: number; rows: string }> = {
  'idempotency keys': {
    shownBy: 'DELETE ON idempotency_keys',
    batch: 1_000,
    rows: `INSERT INTO idempotency_keys (organization_id, operation, key, body_hash, record_id, created_at)
      SELECT $1, 'importBookings', n::text, '\\x00', uuid_v7(), $3::timestamptz FROM generate_series(1, $2::int) n`,
  },
  'records of the audit log': {
    shownBy: 'DELETE ON audit_log',
    batch: 1_000,
    rows: `INSERT INTO audit_log (organization_id, id, at, actor_type, action, object_type)
      SELECT $1, uuid_v7(), $3::timestamptz, 'SYSTEM', 'key.create', 'key' FROM generate_series(1, $2::int)`,
  },
  'values in the audit log': {
    shownBy: 'UPDATE ON audit_log',
    batch: 1_000,
    // Within AUDIT_LOG_DAYS of their insertion.
    rows: `INSERT INTO audit_log (organization_id, id, at, actor_type, action, object_type, changes)
      SELECT $1, uuid_v7(), now() - interval '500 days' + ($3::timestamptz - '2020-01-01'), 'STAFF', 'partner.update', 'partner', '[]'
      FROM generate_series(1, $2::int)`,
  },
  requests: {
    shownBy: 'DELETE ON request_log',
    batch: 1_000,
    rows: `INSERT INTO request_log (organization_id, id, at, api_key_id, operation, method, route, status, ms, request_id)
      SELECT $1, uuid_v7(), $3::timestamptz, uuid_v7(), 'listPartners', 'GET', '/v0/partners', 200, 1, 'a' FROM generate_series(1, $2::int)`,
  },
  'payloads of imports': {
    shownBy: 'UPDATE ON import_jobs',
    batch: 1_000,
    rows: `INSERT INTO import_jobs (organization_id, id, surface, mode, status, total_rows, finished_at)
      VALUES ($1, uuid_v7(), 'creditsImport', 'CREATE', 'COMPLETED', $2::int, $3::timestamptz)`,
  },
  'dry runs': {
    shownBy: 'DELETE ON import_jobs',
    batch: 1,
    rows: `INSERT INTO import_jobs (organization_id, id, surface, mode, status, dry_run, total_rows, finished_at)
      SELECT $1, uuid_v7(), 'creditsImport', 'CREATE', 'COMPLETED', true, 0, $3::timestamptz FROM generate_series(1, $2::int)`,
  },
  deliveries: {
    shownBy: 'DELETE ON webhook_deliveries',
    batch: 1_000,
    rows: `INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, state, created_at)
      SELECT $1, uuid_v7(), uuid_v7(), uuid_v7(), 'partner.created', 'DELIVERED', $3::timestamptz FROM generate_series(1, $2::int)`,
  },
  'deliveries to deleted endpoints': {
    shownBy: 'DELETE ON webhook_deliveries',
    batch: 1_000,
    rows: `WITH endpoint AS (
        INSERT INTO webhook_endpoints (organization_id, id, url, types, secret, deleted_at)
        VALUES ($1, uuid_v7(), 'https://example.com/', '{partner.created}', '', $3::timestamptz) RETURNING id
      ) INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type)
      SELECT $1, uuid_v7(), endpoint.id, uuid_v7(), 'partner.created' FROM endpoint, generate_series(1, $2::int)`,
  },
  'change events': {
    shownBy: 'DELETE ON change_events',
    batch: 1_000,
    rows: `INSERT INTO change_events (organization_id, id, type, subject_id, data, occurred_at)
      SELECT $1, uuid_v7(), 'partner.created', uuid_v7(), '{}', $3::timestamptz FROM generate_series(1, $2::int)`,
  },
  'messages that wait for their participant': {
    shownBy: 'DELETE ON race_day_log',
    batch: 1_000,
    rows: `INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, waiting_for, applied_at)
      SELECT $1, 'TIMING', $3::timestamptz, uuid_v7(), uuid_v7()::text, $3::timestamptz FROM generate_series(1, $2::int)`,
  },
};
for (const [kind, { shownBy, batch, rows }] of Object.entries(EXPIRED)) {
  // Those of a later organization expired later.
  let expiredAt = Date.parse('2020-01-01T00:00:00Z');
  MECHANISMS[`retention of ${kind}`] = {
    work(organizationId, units) {
      const count = (units - 1) * batch + 1;
      expiredAt += 86_400_000;
      return dataSource.query(rows, [organizationId, count, new Date(expiredAt)]);
    },
    async run() {
      await dataSource.query(`
        CREATE TABLE turns (turn bigint GENERATED ALWAYS AS IDENTITY, organization_id uuid);
        CREATE FUNCTION note_turn() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
        BEGIN
          INSERT INTO turns (organization_id) SELECT DISTINCT organization_id FROM before;
          RETURN NULL;
        END $$;
        CREATE TRIGGER note_turn AFTER ${shownBy} REFERENCING OLD TABLE AS before
          FOR EACH STATEMENT EXECUTE FUNCTION note_turn()`);
      const settings = { STARTLINE_TEST_SWEEP_MS: '3600000', STARTLINE_TEST_MAINTENANCE_MS: '3600000' };
      const worker = await startWorker({ databaseUrl: database.url }, settings);
      try {
        await worker.get(Maintenance, { strict: false }).run();
      } finally {
        await worker.close();
      }
      const turns: { id: string }[] = await dataSource.query(
        'SELECT organization_id AS id FROM turns ORDER BY turn',
      );
      return turns.map(({ id }) => id);
    },
  };
}

it.each(Object.keys(MECHANISMS))('%s: a quiet organization waits for one unit of another', async (name) => {
  const mechanism = MECHANISMS[name] as Mechanism;
  const organizations = [
    await organization(dataSource),
    await organization(dataSource),
    await organization(dataSource),
  ];
  // Whichever comes first, the one with little work is not last.
  const [first, quiet, last] = organizations.map(({ id }) => id).sort() as [string, string, string];
  await mechanism.work(first, 4);
  await mechanism.work(quiet, 1);
  await mechanism.work(last, 4);
  const order = await mechanism.run();
  // The groups of an export follow the size of its lines.
  expect(order.filter((id) => id === first).length).toBeGreaterThanOrEqual(4);
  expect(order.filter((id) => id === last).length).toBeGreaterThanOrEqual(4);
  const before = order.slice(0, order.indexOf(quiet));
  expect(before.filter((id) => id === first).length).toBeLessThanOrEqual(1);
  expect(before.filter((id) => id === last).length).toBeLessThanOrEqual(1);
});

it('a draw waits for no draw of another organization', async () => {
  const [noisy, quiet] = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const { id: organizationId } = await organization(dataSource);
      const { id: ticketId, raceId } = await ticket(dataSource, { organizationId, approval: 'BALLOT' });
      const entries = Array.from({ length: 3 }, () => ({ approvalStatus: 'PENDING' as const }));
      await booking(dataSource, { organizationId, ticketId, entries });
      return { organizationId, raceId, ticketId, seed: 'lottery', places: 1, keepsPending: false };
    }),
  );
  const by = { type: 'SYSTEM', id: null, origin: null } as const;
  const holder = dataSource.createQueryRunner();
  await holder.startTransaction();
  await lockRaceDay(holder.manager, noisy?.organizationId as string);
  const delayed = drawBallot(dataSource, noisy as BallotRequest, by);
  await eventually(async () => {
    const waiting = await dataSource.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length === 1;
  });
  expect(await drawBallot(dataSource, quiet as BallotRequest, by)).toMatchObject({ drawn: 1, notDrawn: 2 });
  await holder.commitTransaction();
  await holder.release();
  expect(await delayed).toMatchObject({ drawn: 1, notDrawn: 2 });
});
