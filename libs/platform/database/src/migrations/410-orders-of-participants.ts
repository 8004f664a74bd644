import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys by which staff sort participants, as texts that are compared byte by byte, so that the order is the same everywhere. */
export class OrdersOfParticipants1795000000410 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(NAME);
    await queryRunner.query(BIB);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION IF EXISTS entry_name(json), bib_order(text)');
  }
}

/** After every name and every bib. */
const LAST = `U&'\\+10FFFF'`;

/**
 * The last name, and then the first, in lower case and without accents. Uses functions of pg_catalog only, because indexes are
 * built without a search path.
 */
const NAME = /* sql */ `
CREATE FUNCTION entry_name(fields json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 500 AS $$
  SELECT coalesce(nullif(left(trim(translate(replace(
      regexp_replace(lower(normalize(string_agg(field->>'value', ' ' ORDER BY field->>'key' DESC), NFKD)), '[\\u0300-\\u036f]', '', 'g'),
      'ß', 'ss'), 'øłđ', 'old')), 60), ''), ${LAST})
  FROM json_array_elements(fields) field WHERE field->>'key' IN ('firstName', 'lastName')
$$`;

/** Digits count as a number, so that 2 precedes 10. */
const BIB = /* sql */ `
CREATE FUNCTION bib_order(bib text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 100 AS $$
  SELECT coalesce(left(regexp_replace(regexp_replace(lower(bib), '\\d+', '0000000000\\&', 'g'), '\\d*(\\d{10})', '\\1', 'g'), 60), ${LAST})
$$`;
