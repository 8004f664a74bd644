import type { QueryRunner } from 'typeorm';

export interface DefinerFunction {
  /** With the names of the arguments, which the body can use. */
  signature: string;
  returns: string;
  body: string;
}

/**
 * Creates functions that see the rows of all organizations, for any caller. Only the roles that `migrate` names can
 * call them. Their search path is fixed, so that a caller cannot substitute another table. The policy for a single
 * role recognizes them by it.
 */
export async function createDefinerFunctions(
  queryRunner: QueryRunner,
  functions: readonly DefinerFunction[],
): Promise<void> {
  const [{ schema }] = await queryRunner.query('SELECT quote_ident(current_schema()) AS schema');
  for (const { signature, returns, body } of functions) {
    const [name = ''] = signature.split('(');
    await queryRunner.query(/* sql */ `
      CREATE OR REPLACE FUNCTION ${signature} RETURNS ${returns} LANGUAGE sql SECURITY DEFINER
      SET search_path = pg_catalog, ${schema}, pg_temp AS $$ ${body} $$;
      REVOKE ALL ON FUNCTION ${name} FROM PUBLIC;
    `);
  }
}
