import { createDataSource, ImportJob } from '#libs/database';
import { forgottenJobs } from '#libs/imports';
import { importJob, organization, type TestDatabase, testDatabase } from '#libs/testing';

let database: TestDatabase;
let dataSource: Awaited<ReturnType<ReturnType<typeof createDataSource>['initialize']>>;
let organizationId: string;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  organizationId = (await organization(dataSource)).id;
});
beforeEach(() => dataSource.query('TRUNCATE import_jobs CASCADE'));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const sweep = (given: { idleMs?: number; most?: number } = {}) =>
  forgottenJobs(dataSource.manager, { idleMs: 0, most: 100, ...given });
const open = (status: ImportJob['status'] = 'QUEUED') =>
  importJob(dataSource, { organizationId, surface: 'creditsImport', status, finishedAt: null });

describe('the sweeper', () => {
  it('claims jobs that are open and idle, and no others', async () => {
    const [queued, running] = [await open('QUEUED'), await open('RUNNING')];
    await open('COMPLETED');
    await open('FAILED');
    expect(await sweep({ idleMs: 60_000 })).toEqual([]);
    const claimed = await sweep();
    expect(claimed.map(({ jobId }) => jobId).sort()).toEqual([queued.id, running.id].sort());
    expect(claimed[0]).toMatchObject({ organizationId });
  });

  it('leaves a job alone whose worker is at work, however long it takes', async () => {
    const { id } = await open('RUNNING');
    await dataSource.transaction(async (worker) => {
      await worker.query('SELECT FROM import_jobs WHERE id = $1 FOR UPDATE', [id]);
      expect(await sweep()).toEqual([]);
    });
    expect(await sweep()).toMatchObject([{ jobId: id }]);
  });

  it('claims a job for one of many, and then not for a while', async () => {
    await open();
    await dataSource.query(`ALTER TABLE import_jobs DISABLE TRIGGER USER`);
    await dataSource.query(`UPDATE import_jobs SET updated_at = clock_timestamp() - interval '1 minute'`);
    await dataSource.query(`ALTER TABLE import_jobs ENABLE TRIGGER USER`);
    const claims = await Promise.all([1, 2, 3, 4].map(() => sweep({ idleMs: 30_000 })));
    expect(claims.flat()).toHaveLength(1);
    expect(await sweep({ idleMs: 30_000 })).toEqual([]);
  });

  it('takes the oldest where there are many', async () => {
    const ids = [(await open()).id, (await open()).id, (await open()).id];
    expect((await sweep({ most: 2 })).map(({ jobId }) => jobId).sort()).toEqual(ids.slice(0, 2).sort());
  });
});
