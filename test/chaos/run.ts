import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { key } from '#libs/testing';
import { createDataSource } from '#platform/database';
import { PATTERNS, Poller } from '../faults/poller';
import { Clients } from './clients';
import { SyncedCopy } from './copy';
import { type Faults, faultsOf } from './faults';
import { Fleet } from './fleet';
import { Ledger } from './ledger';
import { type Counted, countPromises, OPEN } from './promises';
import { KINDS, Requests } from './requests';
import { type Planned, schedule } from './schedule';
import { type Target, targetOn } from './target';
import { until } from './until';

/** How often each kind of request must succeed. */
const PROGRESS = 2;
/** How often the run says what it waits for. */
const TELL_MS = 10_000;
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
  const start = performance.now();
  const since = () => `${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s `;
  const fleet = await Fleet.start();
  let dataSource: DataSource | undefined;
  let copy: SyncedCopy | undefined;
  try {
    const options = { url: fleet.databaseUrl, applicationName: 'chaos', poolSize: 2 };
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
    copy = new SyncedCopy(fleet.urls[0] as string, target.token);
    copy.watch();
    say(`${since()} the fleet runs, and clients write and read`);

    const { possible, skipped } = faultsOf(fleet, copy);
    const faults = await inject(schedule(seed, minutes, Object.keys(possible)), possible, (line) =>
      say(`${since()} ${line}`),
    );
    say(`${since()} everything is healed`);
    // Twice: requests of the first round may have begun before.
    await progress(requests);
    requests.healed = true;
    await progress(requests);
    await clients.stop();
    say(`${since()} every kind of request has made progress, and clients have stopped`);
    await finish(dataSource, clients, target, (line) => say(`${since()} ${line}`));
    say(`${since()} the work is done; promises are counted`);
    const counted = [
      ...(await countPromises({ dataSource, fleet, target, ledger, requests, pollers })),
      await revoked(dataSource, target, requests),
      ...(await copied(copy)),
    ];
    const broken = counted.filter((each) => each.broken > 0).length;
    const { answered, unavailable, examples } = requests;
    return { seed, minutes, faults, skipped, answered, unavailable, counted, broken, examples };
  } finally {
    await copy?.stop();
    await dataSource?.destroy().catch(() => {});
    await fleet.stop();
  }
}

/**
 * Begins and heals each fault at its time; resolves when all are healed. A fault whose predecessor of the same kind is not
 * healed yet, on a slow machine, is left out.
 *
 * @returns how often each fault happened
 */
async function inject(
  planned: Planned[],
  faults: Faults,
  say: Options['say'],
): Promise<Record<string, number>> {
  const happened: Record<string, number> = {};
  const healing = new Set<string>();
  await Promise.all(
    planned.map(async ({ fault, atMs, forMs, which }) => {
      await sleep(atMs);
      if (healing.has(fault)) return say(`left out: ${fault}`);
      healing.add(fault);
      happened[fault] = (happened[fault] ?? 0) + 1;
      say(`${fault} (${which}) for ${forMs} ms`);
      const heal = await faults[fault]?.(which);
      await sleep(forMs);
      await heal?.();
      healing.delete(fault);
      say(`healed: ${fault}`);
    }),
  );
  return happened;
}

/** Every kind of request succeeds a number of times more. */
async function progress({ answered }: Requests): Promise<void> {
  const before = { ...answered };
  for (const kind of KINDS) {
    await until(
      `${kind} makes progress`,
      async () => (answered[kind] ?? 0) >= (before[kind] ?? 0) + PROGRESS,
    );
  }
}

/** Until all accepted work is done; what is not done in time is counted as unfinished. */
async function finish(
  dataSource: DataSource,
  clients: Clients,
  { organizationId }: Target,
  say: Options['say'],
): Promise<void> {
  let told = performance.now();
  const idle = async () => {
    const open: string[] = [];
    for (const [what, sql] of Object.entries(OPEN)) {
      const [{ count }] = await dataSource.query(sql);
      if (count > 0) open.push(`${count} ${what}`);
    }
    if (open.length > 0 && performance.now() > told + TELL_MS) {
      told = performance.now();
      say(`waits for ${open.join(', ')}`);
    }
    return open.length === 0;
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
    return (await clients.follow()) >= count;
  }).catch(() => {});
}

/** A copy that was killed among the other faults equals the lists, and never needed a repair. */
async function copied(copy: SyncedCopy): Promise<Counted[]> {
  const { lists, different, repaired } = await copy.compare();
  return [
    { kind: 'lost', what: 'lists of a synced copy', checked: lists, broken: different },
    { kind: 'lost', what: 'rows of a synced copy, until a comparison', checked: 1, broken: repaired },
  ];
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
