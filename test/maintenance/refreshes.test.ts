import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { refreshEntries } from '#domain/participants';
import {
  type BookingWithEntries,
  booking,
  copiesOf,
  nodeOf,
  organization,
  SIGNING_SECRETS,
  type TestDatabase,
  testDatabase,
} from '#libs/testing';
import { loadSettings } from '#platform/config';
import { appUrlOf, createDataSource } from '#platform/database';
import { createWorker } from '../../apps/worker/src/create-worker';
import { Refreshes } from '../../apps/worker/src/maintenance/refreshes';
import { eventually } from '../harness';

/** Refreshes of entries that show a shared record (docs/decisions/webhooks.md). */

let database: TestDatabase;
let workers: INestApplicationContext[];
let home: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  const settings = loadSettings({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: appUrlOf(database.url),
    SIGNING_SECRETS: `a:${SIGNING_SECRETS[0]?.secret}`,
    // Only the test runs it.
    STARTLINE_TEST_SWEEP_MS: '3600000',
    STARTLINE_TEST_MAINTENANCE_MS: '3600000',
  });
  workers = [await createWorker(settings), await createWorker(settings)];
  home = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
  await home.destroy();
  await database.drop();
});

const run = () => Promise.all(workers.map((worker) => worker.get(Refreshes).run()));

/** Copies the entry, so that the race has as many more. */
const MORE = `
  INSERT INTO start_list_entries ${copiesOf(
    'e',
    `jsonb_build_object(
      'id', uuid_v7(), 'participant_id', uuid_v7(), 'participant_index', n)`,
    'FROM start_list_entries e CROSS JOIN generate_series(1, $2) n WHERE e.organization_id = $1 AND e.participant_index = 0',
  )}`;

interface Fixture {
  organizationId: string;
  dataSource: DataSource;
  made: BookingWithEntries;
  raceId: string;
  rename(title: string): Promise<unknown>;
  pending(): Promise<{ source: string; changed: string[]; changed_since: string[] | null; begun: boolean }[]>;
  /** The number of entries that have moved since they were made, and the first and last time. */
  moved(): Promise<{ moved: number; first: string; last: string }>;
  announced(): Promise<{ participants: number; names: string[] }>;
  step(): ReturnType<typeof refreshEntries>;
}

async function fixture(entries: number): Promise<Fixture> {
  const { id: organizationId } = await organization(home);
  const dataSource = await nodeOf(home, organizationId);
  const made = await booking(dataSource, { organizationId });
  const raceId = made.entries[0]?.raceId as string;
  if (entries > 1) await dataSource.query(MORE, [organizationId, entries - 1]);
  await dataSource.query('INSERT INTO change_event_feeds (organization_id, complete) VALUES ($1, true)', [
    organizationId,
  ]);
  await dataSource.query('DELETE FROM pending_refreshes WHERE organization_id = $1', [organizationId]);
  const [{ now }] = await dataSource.query('SELECT clock_timestamp()::text AS now');
  return {
    ...{ organizationId, dataSource, made, raceId },
    rename: (title) =>
      dataSource.query('UPDATE races SET title = $3 WHERE organization_id = $1 AND id = $2', [
        organizationId,
        raceId,
        title,
      ]),
    pending: () =>
      dataSource.query(
        `SELECT source, changed, changed_since, after_id IS NOT NULL AS begun FROM pending_refreshes
         WHERE organization_id = $1 ORDER BY source`,
        [organizationId],
      ),
    moved: async () => {
      const [row] = await dataSource.query(
        `SELECT count(*)::int AS moved, min(updated_at)::text AS first, max(updated_at)::text AS last
         FROM start_list_entries WHERE organization_id = $1 AND updated_at > $2::timestamptz`,
        [organizationId, now],
      );
      return row;
    },
    announced: async () => {
      const [row] = await dataSource.query(
        `SELECT count(DISTINCT subject_id)::int AS participants,
           array(SELECT DISTINCT jsonb_array_elements_text(data->'changed') FROM change_events
             WHERE organization_id = $1 AND type = 'participant.updated' ORDER BY 1) AS names
         FROM change_events WHERE organization_id = $1 AND type = 'participant.updated'`,
        [organizationId],
      );
      return row;
    },
    step: () => dataSource.transaction((manager) => refreshEntries(manager, organizationId)),
  };
}

describe('a refresh', () => {
  it('is one row for each record: changes before it begins join it, and move each entry once', async () => {
    const { rename, raceId, organizationId, dataSource, pending, moved, announced } = await fixture(3);
    await rename('First');
    await rename('Second');
    await dataSource.query(
      `UPDATE races SET start_time = '11:00', max_capacity = 7 WHERE organization_id = $1 AND id = $2`,
      [organizationId, raceId],
    );
    expect(await pending()).toEqual([
      { source: 'races', changed: ['raceName', 'raceStartDate'], changed_since: null, begun: false },
    ]);
    expect((await moved()).moved).toBe(0);
    await run();
    expect(await pending()).toEqual([]);
    expect((await moved()).moved).toBe(3);
    expect(await announced()).toEqual({ participants: 3, names: ['raceName', 'raceStartDate'] });
    const [{ events }] = await dataSource.query(
      `SELECT count(*)::int AS events FROM change_events WHERE organization_id = $1 AND type = 'participant.updated'`,
      [organizationId],
    );
    expect(events).toBe(3);
  });

  it('is not requested by changes that entries do not show', async () => {
    const { organizationId, dataSource, pending } = await fixture(1);
    for (const change of [
      'UPDATE races SET max_capacity = 5, position = 3',
      'UPDATE event_occurrences SET tags = ARRAY[id::text], hero_url = slug',
      'UPDATE tickets SET price_value = price_value + 1',
    ])
      await dataSource.query(`${change} WHERE organization_id = $1`, [organizationId]);
    expect(await pending()).toEqual([]);
  });

  it('goes on in short steps; a change meanwhile is another walk after its end', async () => {
    const { rename, step, pending, moved } = await fixture(1_200);
    await rename('First');
    expect(await step()).toBe('DONE');
    expect((await moved()).moved).toBe(500);
    await rename('Second');
    const again = { source: 'races', changed: ['raceName'], changed_since: ['raceName'], begun: true };
    expect(await pending()).toEqual([again]);
    await step();
    expect(await pending()).toEqual([again]);
    await step();
    expect((await moved()).moved).toBe(1_200);
    expect(await pending()).toEqual([{ ...again, changed_since: null, begun: false }]);
    const { last } = await moved();
    await run();
    expect(await pending()).toEqual([]);
    expect([(await moved()).first > last, (await moved()).moved]).toEqual([true, 1_200]);
  });

  it('loses nothing when a step does not commit', async () => {
    const { rename, organizationId, dataSource, pending, moved } = await fixture(600);
    await rename('First');
    for (const at of [1, 2]) {
      const killed = dataSource.transaction(async (manager) => {
        expect(await refreshEntries(manager, organizationId)).toBe('DONE');
        throw new Error(`killed ${at}`);
      });
      await expect(killed).rejects.toThrow(`killed ${at}`);
      expect((await moved()).moved).toBe(0);
    }
    expect(await pending()).toMatchObject([{ begun: false }]);
    await run();
    expect([(await moved()).moved, await pending()]).toEqual([600, []]);
  });

  it('of one organization does not delay that of another', async () => {
    const large = await fixture(1_600);
    const small = await fixture(2);
    await large.rename('New');
    await small.rename('New');
    await run();
    expect([(await large.moved()).moved, (await small.moved()).moved]).toEqual([1_600, 2]);
    expect((await small.moved()).last < (await large.moved()).last).toBe(true);
  });

  it('takes up a change during its first step, and does not wait for a transaction that changes the record while it holds entries', async () => {
    const { made, organizationId, raceId, rename, step, pending, moved } = await fixture(1);
    await rename('First');
    const redacting = new Client({ connectionString: database.url });
    await redacting.connect();
    await redacting.query('BEGIN');
    await redacting.query(
      'SELECT FROM start_list_entries WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organizationId, made.entries[0]?.id],
    );
    const stepping = step();
    await eventually(async () => {
      const [{ waiting }] = await home.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting === 1;
    });
    await redacting.query('UPDATE races SET title = $3 WHERE organization_id = $1 AND id = $2', [
      organizationId,
      raceId,
      'Second',
    ]);
    await redacting.query('COMMIT');
    await redacting.end();
    expect([await stepping, await pending()]).toMatchObject([
      'BUSY',
      [{ begun: false, changed_since: null }],
    ]);
    await run();
    expect([(await moved()).moved, await pending()]).toEqual([1, []]);
  });
});
