import type { QueryRunner } from 'typeorm';
import { NIL_ID } from '#platform/validation';

/**
 * Processes a table in key order, for migrations with `transaction = false`. Each page is a separate statement, so
 * that no transaction is long.
 *
 * @param size rows per page; together with what `work` writes for each, at most 1,000 rows
 * @param work a statement that reads the rows of `page`
 */
export async function eachPage(
  queryRunner: QueryRunner,
  table: string,
  size: number,
  work: string,
): Promise<void> {
  const sql = `
    WITH page AS (SELECT * FROM ${table} WHERE (organization_id, id) > ($1, $2) ORDER BY organization_id, id LIMIT ${size}),
      work AS (${work})
    SELECT organization_id, id FROM page ORDER BY organization_id DESC, id DESC LIMIT 1`;
  let after = [NIL_ID, NIL_ID];
  for (;;) {
    const [last] = await queryRunner.query(sql, after);
    if (!last) return;
    after = [last.organization_id, last.id];
  }
}
