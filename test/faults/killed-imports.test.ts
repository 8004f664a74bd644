import { NIL_ID } from '#platform/database';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { everything, importRows, sale } from '../imports/import';
import { Fleet, SMALL_CHUNKS } from './workers';

let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  await api.get('/v0/change-events');
  fleet = new Fleet({
    ...SMALL_CHUNKS,
    DATABASE_URL: api.databaseUrl,
    WORKER_CONCURRENCY: '1',
    STARTLINE_TEST_MAINTENANCE_MS: '3600000',
  });
});
afterAll(async () => {
  await fleet.end();
  await api.close();
});

const PATH = 'bookings/import';

/** Bookings of one person each. */
async function rowsOf(count: number) {
  const { row, participant } = await sale(api);
  return Array.from({ length: count }, (_, n) => {
    const email = `ada-${n}@example.com`;
    return row({ participants: [participant({ email, externalParticipantId: email })] });
  });
}

/** Its job, at the end; a worker is killed when it has done a part, and another one continues. */
async function finishedByTwo(jobId: string) {
  const now = async () => (await api.get(`/v0/${PATH}/${jobId}`)).body;
  await fleet.workers(1);
  await eventually(async () => (await now()).processedRows >= 20);
  await fleet.workers(0);
  await fleet.workers(1);
  return eventually(async () => {
    const job = await now();
    return job.finishedAt && job;
  });
}

it('makes all corrections once each when a worker is killed', async () => {
  const rows = await rowsOf(300);
  const worker = await startWorker(api);
  await importRows(api, PATH, { bookings: rows });
  await worker.close();
  const better = rows.map((row, n) => ({
    ...row,
    participants: row.participants.map((each) => ({
      ...each,
      lastName: `New ${n}`,
      bibNumber: `${1000 + n}`,
    })),
  }));
  const { body } = await api.send('PUT', `/v0/${PATH}`, { bookings: better });
  const job = await finishedByTwo(body.jobId);
  expect(job).toMatchObject({ status: 'COMPLETED', succeededRows: 300, failedRows: 0 });
  const claims = await api.dataSource.query(
    `SELECT count(*)::int AS claims, count(DISTINCT participant_id)::int AS participants FROM race_day_log
     WHERE organization_id = $1 AND bib_number LIKE '1___'`,
    [api.organizationId],
  );
  expect(claims).toEqual([{ claims: 300, participants: 300 }]);
  await eventually(async () => {
    const shown = await api.dataSource.query(
      `SELECT FROM start_list_entries WHERE organization_id = $1 AND bib_number LIKE '1___'`,
      [api.organizationId],
    );
    return shown.length === 300;
  });
  // What follows the bibs, such as the links of claims, would otherwise be done in the next test.
  await eventually(async () => {
    const work = await api.dataSource.query('SELECT FROM organizations_with_race_day_work($1, 1)', [NIL_ID]);
    return work.length === 0;
  });
  await fleet.workers(0);
});

it('determines the outcome of every row of a dry run when a worker is killed, and writes nothing', async () => {
  const rows = (await rowsOf(400)).map(({ participants, ...row }) => ({
    ...row,
    participants: participants.map((each) => ({ ...each, team: { name: 'Team' } })),
  }));
  const before = await everything(api);
  const { body } = await api.send('POST', `/v0/${PATH}?dryRun=true`, { bookings: rows });
  const job = await finishedByTwo(body.jobId);
  expect(job).toMatchObject({ status: 'COMPLETED', totalRows: 400, succeededRows: 400 });
  expect(await everything(api)).toEqual(before);
});
