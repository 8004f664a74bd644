import { appUrlOf, distributeDatabase, migrate } from '#libs/database';
import type { TestServer } from '../../libs/testing/src/global-setup';
import { missingCitus, startCluster } from './cluster';

/**
 * A coordinator, two data nodes, and one distributed database for the whole run. TEST_DATABASE_URL names that of a
 * coordinator that runs already.
 */
export default async function citusSetup(): Promise<void> {
  let url = process.env.TEST_DATABASE_URL;
  if (!url) {
    const missing = missingCitus();
    if (missing) throw new Error(missing);
    const cluster = await startCluster();
    (globalThis as TestServer).stopTestServer = () => cluster.remove();
    url = cluster.url;
  }
  await migrate(url, { appUrl: appUrlOf(url) });
  await distributeDatabase(url, { appUrl: appUrlOf(url) });
  process.env.STARTLINE_TEST_SERVER = url;
}
