import { clientTo, statement } from '#platform/database';

export { appUrlOf, cannotConnect, migrate, requireRedis, unreachableFor } from '#platform/database';

const FIND_ORGANIZATION = statement({
  sql: 'SELECT 1 FROM organizations WHERE deleted_at IS NULL LIMIT 1',
});

/** An interrupted load of the demo data leaves only closed organizations, which do not count. */
export async function isEmpty(url: string): Promise<boolean> {
  const client = clientTo(url, { application_name: 'startline start' });
  client.on('error', () => {});
  await client.connect();
  try {
    return !(await FIND_ORGANIZATION.run(client));
  } finally {
    await client.end();
  }
}
