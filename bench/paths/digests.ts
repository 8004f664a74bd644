import { median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { cpuMsOfTree } from '../fixtures/program';
import { asking, spawnApi, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const REPEATS = 7;
const CHANGES = 1_000;

/**
 * The CPU time of PostgreSQL, in hundredths of a second, and the duration of a digest: of all rows of the organization, which are a
 * fifth of the entries, and after changes of random ones.
 */
export async function digests(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.entries(options.entries);
  return withDataSource(url, async (dataSource) => {
    const caller = await asking(dataSource);
    const api = await spawnApi(url, { RATE_EXPORT: '10000000' });
    try {
      const digest = async () => {
        const [began, before] = [performance.now(), cpuMsOfTree(options.postmaster)];
        const response = await fetch(`${api.url}/v0/participants/digest`, { headers: caller.headers });
        if (!response.ok) throw new Error(await response.text());
        await response.arrayBuffer();
        return { ms: performance.now() - began, database: cpuMsOfTree(options.postmaster) - before };
      };
      const cold = await digest();
      const later: { ms: number; database: number }[] = [];
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        await dataSource.query(
          `UPDATE start_list_entries SET tags = ARRAY[md5(random()::text)] WHERE organization_id = $1 AND id IN (
               SELECT id FROM start_list_entries WHERE organization_id = $1 ORDER BY random() LIMIT $2)`,
          [caller.organizationId, CHANGES],
        );
        await dataSource.query('SELECT pg_sleep(1)');
        later.push(await digest());
      }
      const medianOf = (measure: 'ms' | 'database') => median(later.map((each) => each[measure]));
      return [
        {
          path: 'digests',
          title: 'Digest of participants',
          measurements: [
            { what: 'the first one', value: cold.ms, unit: 'ms' },
            { what: 'the first one, CPU of PostgreSQL', value: cold.database, unit: 'ms' },
            { what: `after ${CHANGES} changes`, value: medianOf('ms'), unit: 'ms' },
            { what: `after ${CHANGES} changes, CPU of PostgreSQL`, value: medianOf('database'), unit: 'ms' },
            { what: 'memory of the api', value: api.residentMb(), unit: 'MB' },
          ],
          ratios: [],
        },
      ];
    } finally {
      await api.stop();
    }
  });
}
