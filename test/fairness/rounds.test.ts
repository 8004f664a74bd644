import type { DataSource } from 'typeorm';
import { ChangeEventFeed, createDataSource, Database, newId, WebhookEndpoint } from '#libs/database';
import { ORGANIZATIONS_TO_CODE } from '#libs/referrals';
import { booking, organization, referralProgram, type TestDatabase, testDatabase } from '#libs/testing';
import { FanOut, Outbox, SecretBox, WebhookRunner } from '#libs/webhooks';
import { Maintenance } from '../../apps/worker/src/maintenance/maintenance';
import { eventually, startWorker } from '../harness';
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

const MECHANISMS: Record<string, Mechanism> = {
  'the fan-out of change events to webhooks': {
    async work(organizationId, units) {
      await endpoints(organizationId, 1);
      // A transaction of the fan-out has 2,000 events.
      await partners(organizationId, (units - 1) * 2_000 + 1);
    },
    async run() {
      const done: string[] = [];
      await new FanOut(new Database(dataSource)).run((organizationId) => done.push(organizationId));
      return done;
    },
  },
  'deliveries of webhooks': {
    async work(organizationId, units) {
      // A unit is a run, which delivers to an endpoint.
      await endpoints(organizationId, units);
      await partners(organizationId, 1);
    },
    async run() {
      await new FanOut(new Database(dataSource)).run(() => {});
      const settings = {
        WEBHOOK_SECRETS_KEY,
        WEBHOOK_CONCURRENCY: '1',
        WEBHOOK_SWEEP_MS: '3600000',
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
  'codes for bookings that are older than their referral program': {
    async work(organizationId, units) {
      const { id, eventId, eventOccurrenceId } = await booking(dataSource, { organizationId });
      // A transaction has 500 bookings.
      await dataSource.query(
        `INSERT INTO bookings SELECT (jsonb_populate_record(b, jsonb_build_object('id', uuid_v7(), 'transaction_id', uuid_v7(), 'external_booking_id', null))).*
         FROM bookings b, generate_series(1, $2) WHERE b.organization_id = $1 AND b.id = $3`,
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
      const worker = await startWorker({ databaseUrl: database.url }, { MAINTENANCE_MS: '3600000' });
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
};

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
  expect(order.filter((id) => id === first)).toHaveLength(4);
  expect(order.filter((id) => id === last)).toHaveLength(4);
  const before = order.slice(0, order.indexOf(quiet));
  expect(before.filter((id) => id === first).length).toBeLessThanOrEqual(1);
  expect(before.filter((id) => id === last).length).toBeLessThanOrEqual(1);
});
