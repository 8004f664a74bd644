import { testDatabase, withDatabase } from '#libs/testing';
import { migrate } from '#platform/database';

it('refuses a database of a commit before the baseline, and changes nothing', async () => {
  const database = await testDatabase();
  try {
    const applied = () =>
      withDatabase(
        database.url,
        async (client) => (await client.query('SELECT DISTINCT name FROM schema_migrations')).rows,
      );
    await withDatabase(database.url, (client) =>
      client.query(`UPDATE schema_migrations SET name = 'Tables1795000000001'`),
    );
    await expect(migrate(database.url)).rejects.toThrow('schema of an earlier commit');
    expect(await applied()).toEqual([{ name: 'Tables1795000000001' }]);
  } finally {
    await database.drop();
  }
});
