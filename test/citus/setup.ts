import type { TestServer } from '../../libs/testing/src/global-setup';
import { distributeEmpty, missingCitus, startCluster } from './cluster';

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
  await distributeEmpty(url);
  process.env.TESTS_SERVER = url;
}
