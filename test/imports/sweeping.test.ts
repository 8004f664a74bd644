import { createDataSource, Database, type ImportJob } from '#libs/database';
import { organizationsWithOpenJobs } from '#libs/imports';
import { importJob, organization, type TestDatabase, testDatabase } from '#libs/testing';

const START = '00000000-0000-0000-0000-000000000000';

let database: TestDatabase;
let dataSource: Awaited<ReturnType<ReturnType<typeof createDataSource>['initialize']>>;
let organizations: string[];
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  const made = await Promise.all([1, 2, 3, 4].map(() => organization(dataSource)));
  organizations = made.map(({ id }) => id).sort();
});
beforeEach(() => dataSource.query('TRUNCATE import_jobs CASCADE'));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const sweep = (after = START, most = 100) =>
  organizationsWithOpenJobs(new Database(dataSource), { after, most });
const job = (organizationId: string | undefined, status: ImportJob['status'] = 'QUEUED') =>
  importJob(dataSource, {
    organizationId: organizationId ?? '',
    surface: 'creditsImport',
    status,
    finishedAt: null,
  });

describe('the sweeper', () => {
  it('finds organizations with open jobs, and no others', async () => {
    const [first, second, third] = organizations;
    await job(first, 'QUEUED');
    await job(second, 'RUNNING');
    await job(third, 'COMPLETED');
    await job(third, 'FAILED');
    expect(await sweep()).toEqual([first, second]);
  });

  it('finds an organization once, with any number of jobs', async () => {
    const [first, second] = organizations;
    for (let i = 0; i < 5; i += 1) await job(first);
    await job(second);
    expect(await sweep()).toEqual([first, second]);
  });

  it('takes a bounded number, and continues from where it stopped', async () => {
    for (const id of organizations) await job(id);
    expect(await sweep(START, 3)).toEqual(organizations.slice(0, 3));
    expect(await sweep(organizations[2], 3)).toEqual(organizations.slice(3));
  });
});
