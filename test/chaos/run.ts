import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database';
import { key } from '#libs/testing';
import { PATTERNS, Poller } from '../faults/poller';
import { Clients } from './clients';
import { type Faults, faultsOf } from './faults';
import { Fleet } from './fleet';
import { Ledger } from './ledger';
import { type Counted, countPromises, OPEN } from './promises';
import { Requests } from './requests';
import { type Planned, schedule } from './schedule';
import { type Target, targetOn } from './target';
import { until } from './until';

/** How often each kind of request must succeed. */
const PROGRESS = 10;
/** The kinds of requests of `Clients` and the pollers. */
const KINDS = 12;
const TABLES = { '/v0/partners': 'partners', '/v0/applications': 'start_list_entries' };

export interface Report {
  seed: number;
  minutes: number;
  /** How often each fault happened. */
  faults: Record<string, number>;
  skipped: string[];
  answered: Record<string, number>;
  unavailable: number;
  counted: Counted[];
  /** The number of broken promises. */
  broken: number;
  examples: string[];
}

interface Options {
  seed: number;
  minutes: number;
  say: (line: string) => void;
}

export async function run({ seed, minutes, say }: Options): Promise<Report> {
  say(`seed ${seed}: the fleet starts`);
  const fleet = await Fleet.start();
  let dataSource: DataSource | undefined;
  try {
    const options = { url: fleet.postgres.url, applicationName: 'chaos', poolSize: 2 };
    dataSource = await createDataSource(options).initialize();
    const target = await targetOn(fleet, dataSource);
    const ledger = new Ledger();
    for (const [i, participantId] of target.participantIds.entries())
      (i % 2 ? ledger.kits : ledger.tracking).push({ participantId, inDoubt: [] });
    const requests = new Requests(fleet.urls, target.token);
    const pollers = Object.entries(TABLES).flatMap(([path, table]) =>
      (Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]).map((pattern) => ({
        name: `${table} ${pattern}`,
        table,
        poller: new Poller(
          pattern,
          path,
          async (query) => (await requests.ask('poller', query)) ?? Promise.reject(),
        ),
      })),
    );
    const clients = new Clients(requests, ledger, target);
    clients.start();
    await progress(requests);

    const { possible, skipped } = faultsOf(fleet);
    const planned = schedule(seed, minutes, Object.keys(possible));
    await inject(planned, possible, say);
    say('everything is healed');
    const counted: Counted[] = [];
    // Twice: requests of the first round may have begun before.
    await progress(requests);
    requests.healed = true;
    await progress(requests);
    await clients.stop();
    say('clients have stopped');
    await finish(dataSource, clients, target);
    counted.push(...(await countPromises({ dataSource, fleet, target, ledger, requests, pollers })));
    counted.push(await revoked(dataSource, target, requests));
    const faults: Record<string, number> = {};
    for (const { fault } of planned) faults[fault] = (faults[fault] ?? 0) + 1;
    const broken = counted.filter((each) => each.broken > 0).length;
    const { answered, unavailable, examples } = requests;
    return { seed, minutes, faults, skipped, answered, unavailable, counted, broken, examples };
  } finally {
    await dataSource?.destroy().catch(() => {});
    await fleet.stop();
  }
}

/** Begins and heals each fault at its time; resolves when all are healed. */
async function inject(planned: Planned[], faults: Faults, say: Options['say']): Promise<void> {
  const start = performance.now();
  await Promise.all(
    planned.map(async ({ fault, atMs, forMs, which }) => {
      await sleep(atMs);
      say(
        `${String(Math.round(performance.now() - start)).padStart(7)} ms  ${fault} (${which}) for ${forMs} ms`,
      );
      const heal = await faults[fault]?.(which);
      await sleep(forMs);
      await heal?.();
      say(`${String(Math.round(performance.now() - start)).padStart(7)} ms  healed: ${fault}`);
    }),
  );
}

/** Every kind of request succeeds a number of times more. */
async function progress({ answered }: Requests): Promise<void> {
  await until('there are all kinds of requests', async () => Object.keys(answered).length >= KINDS);
  const before = { ...answered };
  for (const kind of Object.keys(answered)) {
    await until(
      `${kind} makes progress`,
      async () => (answered[kind] ?? 0) >= (before[kind] ?? 0) + PROGRESS,
    );
  }
}

/** Until all accepted work is done; what is not done in time is counted as unfinished. */
async function finish(dataSource: DataSource, clients: Clients, { organizationId }: Target): Promise<void> {
  const idle = async () => {
    for (const sql of Object.values(OPEN)) if ((await dataSource.query(sql))[0].count > 0) return false;
    return true;
  };
  const missing = async () => {
    const [{ count }] = await dataSource.query(
      `SELECT count(*)::int AS count FROM change_events e JOIN change_event_feeds f USING (organization_id)
       WHERE organization_id = $1 AND e.occurred_at > f.fanned_out_at`,
      [organizationId],
    );
    return count;
  };
  await until(
    'all work is done',
    async () => (await idle()) && (await missing()) === 0 && (await idle()),
  ).catch(() => {});
  await until('all change events are read', async () => {
    const [{ count }] = await dataSource.query(
      'SELECT count(*)::int AS count FROM change_events WHERE organization_id = $1',
      [organizationId],
    );
    await clients.follow();
    return clients.followed >= count;
  }).catch(() => {});
}

/** A key that is revoked after everything was healed is rejected by every API. */
async function revoked(
  dataSource: DataSource,
  { organizationId }: Target,
  requests: Requests,
): Promise<Counted> {
  const { id, token } = await key(dataSource, { organizationId });
  const statuses = () => requests.everywhere('/identity', token);
  const before = await statuses();
  await dataSource.query('UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1', [id]);
  const heard = await until(
    'every API rejects a revoked key',
    async () => (await statuses()).every((status) => status === 401),
    15_000,
  ).catch(() => false);
  const broken = before.filter((status) => status !== 200).length + Number(!heard);
  return {
    kind: 'refused wrongly',
    what: 'new keys, or accepted wrongly: revoked keys',
    checked: before.length * 2,
    broken,
  };
}
