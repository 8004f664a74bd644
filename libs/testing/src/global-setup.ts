import { rmSync } from 'node:fs';
import { appUrlOf, migrate } from '#platform/database';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { TEMPLATE, withDatabase } from './databases';
import { endWithUs } from './end-with-us';
import { serverFolder } from './server-folder';

/** Passed from the setup to the teardown. */
export type TestServer = { stopTestServer?: () => Promise<void> };

/** One server and one migrated template for the whole run; each test file copies the template. */
export default async function globalSetup(): Promise<void> {
  let url = process.env.TEST_DATABASE_URL;
  if (!url) {
    const home = serverFolder('test');
    const server = await startEmbeddedPostgres({ home, durable: false });
    const release = endWithUs(server.pid, home);
    (globalThis as TestServer).stopTestServer = async () => {
      await server.stop();
      release();
      rmSync(home, { recursive: true });
    };
    url = server.url;
  }
  process.env.TESTS_SERVER = url;
  process.env.TESTS_TEMPLATE = `${TEMPLATE}_${process.pid}`;
  await withDatabase(url, (client) => client.query(`CREATE DATABASE ${process.env.TESTS_TEMPLATE}`));
  const template = new URL(url);
  template.pathname = `/${process.env.TESTS_TEMPLATE}`;
  await migrate(template.href, { appUrl: appUrlOf(template.href) });
}
