import type { QueryRunner } from 'typeorm';

/**
 * Builds an index without blocking reads and writes, for migrations with `transaction = false`. Rebuilds an invalid
 * index of a failed attempt; keeps a valid one.
 *
 * @param on the table, and everything that follows it in CREATE INDEX
 */
export async function createIndexConcurrently(
  queryRunner: QueryRunner,
  name: string,
  on: string,
  kind: 'INDEX' | 'UNIQUE INDEX' = 'INDEX',
): Promise<void> {
  const [found] = await queryRunner.query(
    'SELECT indisvalid AS whole FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  if (found?.whole) return;
  // It waits for older transactions, and no other session waits for it.
  const [{ lock_timeout: usual }] = await queryRunner.query('SHOW lock_timeout');
  await queryRunner.query('SET lock_timeout = 0');
  try {
    if (found) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await queryRunner.query(`CREATE ${kind} CONCURRENTLY ${name} ON ${on}`);
  } finally {
    await queryRunner.query(`SET lock_timeout = '${usual}'`);
  }
}
