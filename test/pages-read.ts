import { type Client, escapeLiteral } from 'pg';
import { Database, ORGANIZATION, PLANNING } from '#platform/database';

const literal = (value: unknown): string =>
  value === null || value === undefined
    ? 'NULL'
    : escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));

/**
 * The pages of PostgreSQL that the last statement of a request reads, and the response.
 *
 * @param client has the role of the application
 * @param scope a statement before it in its transaction, whose pages count
 */
export async function pagesRead<Answer>(
  client: Client,
  organizationId: string,
  ask: () => Promise<Answer>,
  scope?: string,
): Promise<{ pages: number; answer: Answer }> {
  const spy = jest.spyOn(Object.getPrototypeOf(Database.prototype) as Database, 'each');
  const answer = await ask();
  const [text, values = []] = spy.mock.calls.at(-1) as unknown as [string, unknown[]];
  spy.mockRestore();
  const once = async (sql: string): Promise<number> => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`);
    const { Plan } = rows[0]['QUERY PLAN'][0];
    return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
  };
  // Whoever changes a schema in another database of the cluster may empty the caches of this connection,
  // which then reads catalogs as well: the least of three is what the statement itself reads.
  const explained = async (sql: string) => Math.min(await once(sql), await once(sql), await once(sql));
  await client.query('BEGIN');
  await client.query(`SELECT set_config('${ORGANIZATION}', $1, true)`, [organizationId]);
  for (const [name, value] of Object.entries(PLANNING)) await client.query(`SET LOCAL ${name} = '${value}'`);
  let pages = 0;
  if (scope) {
    // Its statements are planned when a connection first runs them.
    await client.query(`SAVEPOINT planned; ${scope}; ROLLBACK TO planned`);
    pages += await explained(scope);
  }
  await client.query(`PREPARE asked AS ${text}`);
  const sql = `EXECUTE asked ${values.length ? `(${values.map(literal).join(', ')})` : ''}`;
  await client.query(sql);
  pages += await explained(sql);
  await client.query('DEALLOCATE asked; COMMIT');
  return { pages, answer };
}
