import { withDatabase } from './databases';
import type { TestServer } from './global-setup';

export default async function globalTeardown(): Promise<void> {
  const { TESTS_SERVER: url = '', TESTS_TEMPLATE: template } = process.env;
  if (template) await withDatabase(url, (client) => client.query(`DROP DATABASE IF EXISTS ${template}`));
  await (globalThis as TestServer).stopTestServer?.();
}
