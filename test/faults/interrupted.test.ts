import { Client } from 'pg';
import { ticket } from '#libs/testing';
import { eventually, startApi, type TestApi } from '../harness';
import { Fleet, type Program } from './workers';

const WORKER = {
  // A transaction waits for as long as a test blocks it.
  STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
  STARTLINE_TEST_SWEEP_MS: '500',
};

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  // Every state of an attempt is kept.
  await api.dataSource.query(`
    CREATE TABLE attempts_seen (seen int GENERATED ALWAYS AS IDENTITY, job_id uuid, ends int, losses int, taken boolean);
    CREATE FUNCTION see_attempt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO attempts_seen (job_id, ends, losses, taken) VALUES (NEW.job_id, NEW.ends, NEW.losses, NEW.worker_id IS NOT NULL);
      RETURN NULL;
    END $$;
    CREATE TRIGGER see_attempt AFTER INSERT OR UPDATE ON import_attempts FOR EACH ROW EXECUTE FUNCTION see_attempt()`);
});
afterAll(() => api.close());
beforeEach(async () => {
  fleet = new Fleet({ DATABASE_URL: api.databaseUrl, ...WORKER });
  await api.dataSource.query('TRUNCATE import_jobs CASCADE');
  await api.dataSource.query('TRUNCATE attempts_seen');
});
afterEach(() => fleet.end());

/** Posts bookings of separate occurrences, so that the jobs do not compete. */
async function post(): Promise<string> {
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
    organizationId: api.organizationId,
  });
  const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const row = { externalBookingId: ticketId, eventOccurrenceId, booker: person };
  const { body, text } = await api.send('POST', '/v0/bookings/import', {
    bookings: [{ ...row, participants: [{ ...person, ticketId }] }],
  });
  if (!body.jobId) throw new Error(text);
  return body.jobId;
}
const read = async (jobId: string) => (await api.get(`/v0/bookings/import/${jobId}`)).body;
const finished = (jobId: string) =>
  eventually(async () => {
    const job = await read(jobId);
    return job.finishedAt && job;
  });
const seen = (jobId: string): Promise<{ ends: number; losses: number; taken: boolean }[]> =>
  api.dataSource.query('SELECT ends, losses, taken FROM attempts_seen WHERE job_id = $1 ORDER BY seen', [
    jobId,
  ]);

/** Blocks the transactions of bookings before their commit. */
async function blocked(): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE line_items IN SHARE MODE');
  return () => client.end();
}
/** The connections of workers that are in the middle of a transaction. */
const inChunk = (count: number): Promise<number[]> =>
  eventually(async () => {
    const found: { pid: number }[] = await api.dataSource.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND application_name = 'startline worker' AND query LIKE 'INSERT INTO line_items%'`,
    );
    return found.length === count && found.map(({ pid }) => pid);
  });
const terminate = (pids: number[]) =>
  api.dataSource.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [pids]);
const separate = ({ log }: Program) => log.includes('crashed its process');

describe('a lost connection', () => {
  it('is no crash, also for another worker', async () => {
    await fleet.workers(2);
    const release = await blocked();
    const jobs = await Promise.all([post(), post(), post()]);
    await terminate(await inChunk(3));
    await inChunk(3);
    await release();
    for (const job of jobs) {
      expect(await finished(job)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
      const states = await seen(job);
      expect(states.map(({ losses }) => losses)).toContain(1);
      expect(states.filter(({ ends }) => ends > 0)).toEqual([]);
    }
  });

  it('counts as one crash when the same rows lose it three times in succession', async () => {
    const [worker] = await fleet.workers(1);
    const release = await blocked();
    const job = await post();
    for (let losses = 1; losses <= 3; losses++) {
      await terminate(await inChunk(1));
      await eventually(async () => (await seen(job)).some((state) => state.losses === losses));
    }
    // Alone in a process now, whose connection is blocked in the same way.
    await inChunk(1);
    expect((await seen(job)).at(-1)).toMatchObject({ ends: 1, taken: true });
    await release();
    expect(await finished(job)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
    expect(separate(worker as Program)).toBe(false);
  });

  it('does not count when a transaction succeeds in between', async () => {
    await fleet.workers(1);
    const job = await post();
    await finished(job);
    const release = await blocked();
    const others = [await post()];
    await terminate(await inChunk(1));
    await inChunk(1);
    await release();
    for (const other of others) await finished(other);
    // The record of the attempts ends with its success.
    expect(await api.dataSource.query('SELECT FROM import_attempts')).toEqual([]);
  });
});

describe('jobs of a killed worker', () => {
  it('each continue alone, in the same separate process, while GET says what they wait for', async () => {
    const [worker] = await fleet.workers(1);
    const release = await blocked();
    const jobs = await Promise.all([post(), post(), post()]);
    await inChunk(3);
    for (const job of jobs) expect((await read(job)).waitingFor).toBeNull();
    await worker?.kill();
    // Its connections end without waiting for the lock, so that nobody has the jobs.
    await terminate(await inChunk(3));
    await api.dataSource.query(
      `INSERT INTO workers (id, host, version, queues, expires_at)
       VALUES (gen_random_uuid(), 'another', '1', '{imports}', clock_timestamp() + interval '1 hour')`,
    );
    for (const job of jobs) await eventually(async () => (await read(job)).waitingFor === 'takeover');
    await fleet.workers(1);
    // Two of them in the two separate processes of the worker, and the third is next.
    await inChunk(2);
    const states = await eventually(async () => {
      const found = (await Promise.all(jobs.map(read))).map(({ waitingFor }) => waitingFor).sort();
      return found.includes('separateProcess') && found;
    });
    expect(states).toEqual([null, null, 'separateProcess'].sort());
    await release();
    for (const job of jobs) {
      expect(await finished(job)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
      expect((await seen(job)).map(({ ends }) => ends)).toContain(1);
    }
    expect(await api.dataSource.query('SELECT FROM import_attempts')).toEqual([]);
  });

  it('do not wait for older jobs that are processed', async () => {
    const [worker] = await fleet.workers(1);
    const first = await blocked();
    const interrupted = await post();
    const pids = await inChunk(1);
    await worker?.kill();
    await terminate(pids);
    await api.dataSource.query('UPDATE import_attempts SET worker_id = NULL, ends = 1');
    const older = await post();
    await api.dataSource.query(
      `UPDATE import_jobs SET created_at = created_at - interval '1 hour' WHERE id = $1`,
      [older],
    );
    // Without the sweeper, only the worker that takes the older job finds the interrupted one.
    fleet = new Fleet({ DATABASE_URL: api.databaseUrl, ...WORKER, STARTLINE_TEST_SWEEP_MS: '3600000' });
    await fleet.workers(1);
    await inChunk(2);
    await first();
    for (const job of [interrupted, older])
      expect(await finished(job)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
  });
});
