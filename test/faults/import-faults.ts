import { Client } from 'pg';
import { discountCode, freePort, type OwnRedis, ownRedis, reservedEntryGroup, ticket } from '#libs/testing';
import { newId } from '#platform/database';
import { eventually, startApi, type TestApi } from '../harness';
import { OwnPostgres } from './own-postgres';
import { expectCountsRight } from './recount';
import { Fleet, Program } from './workers';

const ROWS = 200;
const PLACES = 60;
const USES = 50;
const SPOILT = 10;
/** Shorter timeouts than in production. */
const WORKER = {
  STARTLINE_TEST_IMPORT_CHUNK_ROWS: '20',
  // A chunk waits for as long as a test blocks it.
  STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
  WORKER_CONCURRENCY: '1',
  STARTLINE_TEST_SWEEP_MS: '500',
  // On a busy machine, processes are silent for longer than a second, which would count as a crash of their rows.
  STARTLINE_TEST_SILENT_MS: '10000',
};

export interface Faults {
  /** Queues on Redis, which fails as well; otherwise on PostgreSQL. */
  withRedis: boolean;
  /** Whether processes of ours are killed. */
  kills: boolean;
  /** Whether a server or a process stops for a while. */
  pauses: boolean;
}

/** What imports survive. */
export function importsSurvive({ withRedis, kills, pauses }: Faults): void {
  let postgres: OwnPostgres;
  let redis: OwnRedis | undefined;
  let api: TestApi;
  let fleet: Fleet;
  const environment = () => ({ DATABASE_URL: postgres.url, ...(redis && { REDIS_URL: redis.url }) });
  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    redis = withRedis ? await ownRedis() : undefined;
    api = await startApi(environment());
    fleet = new Fleet({ ...environment(), ...WORKER });
  });
  afterAll(async () => {
    await fleet.end();
    await api.close();
    await redis?.stop();
    await postgres.remove();
  });

  let serial = 0;
  const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });

  /** Three batches: bookings with a discount code that is used up, the same bookings again, and more people than places. */
  async function batches(): Promise<[path: string, body: object][]> {
    const { id: ticketId, slug: ticketSlug, eventOccurrenceId } = await ticket(api.dataSource, mine({}));
    const { code } = await discountCode(api.dataSource, mine({ limitUsage: USES }));
    const group = await reservedEntryGroup(api.dataSource, mine({ ticketId, maxCapacity: PLACES }));
    const run = ++serial;
    const person = (i: number) => ({ firstName: 'Ada', lastName: `${i}`, email: `runner-${i}@example.com` });
    const bookings = Array.from({ length: ROWS }, (_, i) => ({
      externalBookingId: `order-${run}-${i}`,
      eventOccurrenceId,
      booker: person(i),
      participants: [
        { ...person(i), ticketId: i % (ROWS / SPOILT) === 7 ? newId() : ticketId, bibNumber: `${i}` },
      ],
      ...(i % 3 === 0 && { discountCode: code }),
    }));
    const assignments = Array.from({ length: ROWS }, (_, i) => ({
      externalAssignmentId: `place-${run}-${i}`,
      reservedEntryGroupId: group.id,
      ticketSlug,
      participant: person(i),
    }));
    return [
      ['bookings/import', { bookings }],
      ['bookings/import', { bookings: [...bookings].reverse() }],
      ['reserved-entries/participants/import', { assignments }],
    ];
  }

  const post = async ([path, body]: [string, object]): Promise<string> => {
    const { status, body: answer, text } = await api.send('POST', `/v0/${path}`, body);
    if (status !== 200) throw new Error(text);
    return `/v0/${path}/${answer.jobId}`;
  };
  const postAll = async () => Promise.all((await batches()).map(post));

  const read = async (job: string) => {
    const { status, body } = await api.get(job);
    return status === 200 ? body : undefined;
  };

  /** Every row has exactly one outcome, all records exist once, and all counts are right. */
  async function expectWhole(jobs: string[]): Promise<void> {
    const done = await Promise.all(
      jobs.map((job) => eventually(async () => ((await read(job))?.finishedAt ? read(job) : false))),
    );
    const [first, second, places] = done;
    expect(done.map(({ status, processedRows }) => [status, processedRows])).toEqual(
      done.map(() => ['COMPLETED', ROWS]),
    );
    expect(done.map(({ results }) => results.length)).toEqual(done.map(() => ROWS));
    // The number of rows that got the last uses of the code is deterministic, but not which rows.
    const asked = Array.from({ length: ROWS }).filter(
      (_, i) => i % 3 === 0 && i % (ROWS / SPOILT) !== 7,
    ).length;
    const imported = ROWS - SPOILT - Math.max(0, asked - USES);
    expect(first.succeededRows + second.succeededRows).toBe(imported);
    const codes = [first, second].flatMap(({ errors }) => errors.map(({ code }: { code: string }) => code));
    expect(new Set(codes)).toEqual(new Set(['TICKET_NOT_FOUND', 'DISCOUNT_LIMIT_REACHED']));
    expect(places).toMatchObject({ succeededRows: PLACES, failedRows: ROWS - PLACES });
    await expectCountsRight(api.dataSource);
  }

  const waiting = async (condition: string): Promise<number> =>
    // Not on the lock holder's connection: within a transaction pg_stat_activity does not change.
    (
      await api.dataSource.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND ${condition}`,
      )
    ).length;
  const workersWait = (count: number) =>
    eventually(
      async () =>
        (await waiting(`application_name = 'startline worker' AND query LIKE 'INSERT INTO line_items%'`)) >=
        count,
    );

  /**
   * Blocks the commit of chunks from when `locked` resolves: bookings and entries are written, line items are not.
   */
  async function lockLineItems() {
    const client = new Client({ connectionString: postgres.url, application_name: 'holder' });
    // The server may be stopped during the query.
    client.on('error', () => {});
    await client.connect();
    const locked = client.query('BEGIN; LOCK TABLE line_items IN SHARE MODE');
    return { locked, release: () => client.end().catch(() => {}) };
  }

  /** Starts jobs, and stops this many workers in the middle of a chunk, each in the second chunk of its job. */
  async function heldInChunk(workers: number): Promise<{ jobs: string[]; release: () => Promise<void> }> {
    const first = await lockLineItems();
    await first.locked;
    const jobs = await postAll();
    await workersWait(workers);
    // Waits for the lock after the workers, and gets it before their next chunk.
    const second = await lockLineItems();
    await eventually(async () => (await waiting(`application_name = 'holder'`)) > 0);
    await first.release();
    await second.locked;
    await workersWait(workers);
    return { jobs, release: second.release };
  }

  if (kills) {
    it('the death of the worker in the middle of a chunk', async () => {
      const [worker] = await fleet.workers(1);
      const { jobs, release } = await heldInChunk(1);
      await worker?.kill();
      await release();
      await fleet.workers(1);
      await expectWhole(jobs);
    });

    it('the death of two of three workers', async () => {
      const workers = await fleet.workers(3);
      const { jobs, release } = await heldInChunk(2);
      await Promise.all(workers.slice(0, 2).map((worker) => worker.kill()));
      await release();
      await expectWhole(jobs);
    });

    it('the death of the API right after its response', async () => {
      const port = String(await freePort());
      const [server] = await Promise.all([
        Program.start('api', { ...environment(), PORT: port }),
        fleet.workers(1),
      ]);
      const jobs = await Promise.all(
        (await batches()).map(async ([path, body]) => {
          const answer = await fetch(`http://127.0.0.1:${port}/v0/${path}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          return `/v0/${path}/${((await answer.json()) as { jobId: string }).jobId}`;
        }),
      );
      await server.kill();
      await expectWhole(jobs);
    });
  }

  if (pauses) {
    it('a restart of the database during a job', async () => {
      await fleet.workers(1);
      const { jobs, release } = await heldInChunk(1);
      await postgres.stop();
      await release();
      await postgres.start();
      await expectWhole(jobs);
    });

    it('a worker that sleeps past its lock while another takes the job', async () => {
      const [sleeper] = await fleet.workers(1);
      const { jobs, release } = await heldInChunk(1);
      sleeper?.signal('SIGSTOP');
      await release();
      await fleet.workers(2);
      await Promise.all(jobs.map((job) => eventually(async () => (await read(job))?.finishedAt)));
      sleeper?.signal('SIGCONT');
      // It has woken up when it processes the next jobs alone.
      const others = (await fleet.workers(2)).filter((worker) => worker !== sleeper);
      await Promise.all(others.map((worker) => worker.kill()));
      await expectWhole(jobs);
      await expectWhole(await postAll());
    });
  }

  if (!withRedis || !pauses) return;
  it('Redis, stopped and emptied during a job', async () => {
    await fleet.workers(2);
    const { jobs, release } = await heldInChunk(1);
    await redis?.stop();
    await release();
    const whileAway = await postAll();
    await redis?.start();
    await expectWhole(jobs);
    await expectWhole(whileAway);
  });
}
