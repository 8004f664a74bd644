import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { booking, describeWithRedis, SIGNING_SECRETS, testRedis, ticket } from '#libs/testing';
import { appUrlOf, newId, StartListEntry } from '#platform/database';
import { eventually, startApi, type TestApi } from '../harness';
import { RaceDay } from '../race-day/race-day';
import { reference, type Said, type Shown, sent } from '../race-day/reference';

/** A worker process that is ready. */
async function spawnWorker(environment: Record<string, string>): Promise<ChildProcess> {
  const program = ['dist/apps/worker/src/main.js'];
  const child = spawn(process.execPath, program, {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      SIGNING_SECRETS: SIGNING_SECRETS.map(({ kid, secret }) => `${kid}:${secret}`).join(','),
      STARTLINE_TEST_SWEEP_MS: '500',
      ...environment,
      DATABASE_URL: appUrlOf(environment.DATABASE_URL ?? ''),
    },
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** A pseudorandom sequence with a fixed seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Messages about participants of four races and about bibs, each with a different microsecond, and some of them
 * twice.
 */
function messagesAbout(participantIds: string[], count: number): Said[] {
  const roll = dice(5);
  const messages: Said[] = [];
  while (messages.length < count) {
    if (messages.length > 0 && roll(20) === 0) {
      messages.push(messages[roll(messages.length)] as Said);
      continue;
    }
    // 7,919 is coprime to the prime 1,000,003, so every message gets a unique time.
    const moment = (messages.length * 7_919) % 1_000_003;
    const changedAt = `2026-05-04T09:${String(Math.floor(moment / 60_000)).padStart(2, '0')}:30.${String(moment % 60_000).padStart(6, '0')}Z`;
    const participantId = participantIds[roll(participantIds.length)];
    const bib = String(roll(participantIds.length * 2));
    const carrier = `Carrier ${roll(50)}`;
    const shipping = {
      shippedAt: changedAt,
      ...(roll(2) === 0 && { carrier }),
      ...(roll(3) === 0 && { trackingNumber: bib }),
    };
    const kind = roll(10);
    if (kind < 4) messages.push({ participantId, bibNumber: roll(10) === 0 ? null : bib, changedAt });
    else if (kind < 8) messages.push({ participantId, shipping, changedAt });
    else messages.push({ bibNumber: bib, shipping, changedAt });
  }
  return messages;
}

async function shownBy(api: TestApi): Promise<Map<string, Shown>> {
  const rows: { id: string; bibNumber: string | null; shipping: Shown['shipping'] }[] =
    await api.dataSource.query(`
    SELECT participant_id AS id, bib_number AS "bibNumber", CASE WHEN shipping_status IS NOT NULL THEN jsonb_build_object(
      'status', shipping_status, 'carrier', shipping_carrier, 'trackingNumber', tracking_number, 'trackingUrl', tracking_url,
      'shippedAt', to_char(shipped_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) END AS shipping
    FROM start_list_entries`);
  return new Map(rows.map(({ id, bibNumber, shipping }) => [id, { bibNumber, shipping }]));
}

/** Sends all messages while worker processes are started and killed, and compares the result. */
async function survives(count: number, runners: number, backend: Record<string, string>): Promise<void> {
  const api = await startApi({ RATE_TIMING: '1000000', ...backend });
  const environment = { DATABASE_URL: api.databaseUrl, ...backend };
  let workers: ChildProcess[] = [];
  try {
    const raceDay = await RaceDay.of(api);
    const { organizationId } = api;
    const raceOf = new Map<string, string>();
    for (let race = 0; race < 4; race++) {
      const { id: ticketId, raceId } = await ticket(api.dataSource, { organizationId });
      const { entries } = await booking(api.dataSource, { organizationId, ticketId, entries: 1 });
      const [like] = entries as [StartListEntry];
      await copies(api, like, runners / 4 - 1);
      const ids: { participant_id: string }[] = await api.dataSource.query(
        'SELECT participant_id FROM start_list_entries WHERE race_id = $1',
        [raceId],
      );
      for (const { participant_id } of ids) raceOf.set(participant_id, raceId);
    }
    const messages = messagesAbout([...raceOf.keys()].sort(), count);
    workers = await Promise.all([1, 2].map(() => spawnWorker(environment)));
    for (let from = 0; from < count; from += 500) {
      await raceDay.accepted(messages.slice(from, from + 500).map(sent));
      // Four kills, each of a worker that is processing or about to.
      if (from % (count / 4) === 0) {
        const [first, ...others] = workers as [ChildProcess, ...ChildProcess[]];
        await kill(first);
        workers = [...others, await spawnWorker(environment)];
      }
    }
    expect(await raceDay.logged()).toBe(count);
    await raceDay.settled();
    expect(await shownBy(api)).toEqual(reference(messages, raceOf));
    expect(await raceDay.logged()).toBe(count);
  } finally {
    for (const worker of workers) await kill(worker);
    await api.close();
  }
}

/** Copies an entry with one statement. */
const copies = async (api: TestApi, like: StartListEntry, count: number) => {
  const ids = Array.from({ length: count }, () => ({ id: newId(), participantId: newId() }));
  const { createdAt: _, updatedAt: __, ...row } = like;
  await api.dataSource.getRepository(StartListEntry).insert(ids.map((own) => ({ ...row, ...own })) as never);
};

it('100,000 messages are applied by the rules while workers are killed', async () => {
  await survives(100_000, 2_000, {});
});

describeWithRedis()('with Redis as the queue', () => {
  it('10,000 messages are applied by the rules while workers are killed', async () => {
    const redis = await testRedis();
    try {
      await survives(10_000, 400, { REDIS_URL: redis.url });
    } finally {
      await redis.stop();
    }
  });

  it('finds messages whose jobs the queue lost', async () => {
    const redis = await testRedis();
    const api = await startApi({ REDIS_URL: redis.url });
    const raceDay = await RaceDay.of(api);
    const participantId = await raceDay.participant();
    // The worker uses another queue than the api, so no job reaches it.
    await raceDay.accepted(sent({ participantId, bibNumber: '1', changedAt: '2026-05-04T09:30:00Z' }));
    const worker = await spawnWorker({ DATABASE_URL: api.databaseUrl });
    try {
      await eventually(async () => (await raceDay.shown(participantId)).bibNumber === '1');
    } finally {
      await kill(worker);
      await api.close();
      await redis.stop();
    }
  });
});
