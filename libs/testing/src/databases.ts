import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export const TEMPLATE = 'startline_template';

/** Runs `work` on a separate connection. */
export async function withDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The secret of tests that erase persons. */
export const ERASURE_SECRET = 'e'.repeat(32);

/** Settings of every process of a test. A database has one secret, so that of a shared one is needed by all. */
export const sharedSettings = (): Record<string, string> =>
  process.env.TESTS_TEMPLATE ? {} : { ERASURE_SECRET };

/** A migrated database: empty and unshared, except on Citus. @param source to copy instead of the empty one, without connections */
export async function testDatabase(source?: TestDatabase): Promise<TestDatabase> {
  const { TESTS_SERVER: server = '', TESTS_TEMPLATE: template } = process.env;
  // A distributed database can't be copied, so its tests share one.
  if (!template) return { url: server, drop: async () => {} };
  const name = `test_${randomBytes(6).toString('hex')}`;
  await withDatabase(server, (client) =>
    client.query(
      `CREATE DATABASE ${name} TEMPLATE ${source ? new URL(source.url).pathname.slice(1) : template} STRATEGY FILE_COPY`,
    ),
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await withDatabase(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
