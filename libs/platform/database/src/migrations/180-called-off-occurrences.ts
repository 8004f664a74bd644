import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = "THEN 'published' END";
const AFTER = `${BEFORE}, CASE WHEN ROW(o.called_off) IS DISTINCT FROM ROW(n.called_off) THEN 'status' END`;

/** Occurrences can be postponed or cancelled. */
export class CalledOffOccurrences1795000000180 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE event_occurrences ADD COLUMN IF NOT EXISTS called_off text');
    await announce(queryRunner, (sql) => (sql.includes('o.called_off') ? sql : sql.replace(BEFORE, AFTER)));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await announce(queryRunner, (sql) => sql.replace(AFTER, BEFORE));
    await queryRunner.query(
      'DROP VIEW IF EXISTS marketplace_races, marketplace_tickets, marketplace_occurrences',
    );
    await queryRunner.query('ALTER TABLE event_occurrences DROP COLUMN IF EXISTS called_off');
  }
}

/** Changes the function that announces changes of occurrences, and keeps what other migrations added to it. */
async function announce(queryRunner: QueryRunner, change: (sql: string) => string): Promise<void> {
  const [{ sql }] = await queryRunner.query(
    `SELECT pg_get_functiondef('public.announce_occurrences'::regproc) AS sql`,
  );
  await queryRunner.query(change(sql));
}
