import { ORGANIZATIONS_WITH_OPEN_JOBS } from '#domain/imports';
import { importJob, organization, type TestDatabase, testDatabase } from '#libs/testing';
import { createDataSource, type ImportJob } from '#platform/database';
import { organizationsInTurn } from '../../apps/worker/src/sweeper/organizations-in-turn';

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

const inTurn = () =>
  organizationsInTurn((after, most) => ORGANIZATIONS_WITH_OPEN_JOBS.rows(dataSource, [after, most]));
const sweep = () => inTurn()(100);
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

  it('takes a bounded number, continues from where it stopped, and begins again after the last', async () => {
    for (const id of organizations) await job(id);
    const next = inTurn();
    expect(await next(3)).toEqual(organizations.slice(0, 3));
    expect(await next(3)).toEqual(organizations.slice(3));
    expect(await next(2)).toEqual(organizations.slice(0, 2));
    expect(await next(2)).toEqual(organizations.slice(2));
    expect(await next(2)).toEqual([]);
    expect(await next(1)).toEqual(organizations.slice(0, 1));
  });
});
