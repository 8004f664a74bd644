import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EXTERNAL_IDS, type ExternalId, trimmed } from '../trimmed';
import { eachPage } from './each-page';

/**
 * Trims only one of several rows that would get the same id, unless a row has that id already; `doctor` names the
 * others.
 */
const trim = ({ table, column, live, compared = (text) => text }: ExternalId): string => `
  UPDATE ${table} t SET ${column} = p.id_trimmed
  FROM (SELECT organization_id, id, ${trimmed(column)} AS id_trimmed, ${live} AS is_live,
      row_number() OVER (PARTITION BY organization_id, ${live}, ${compared(trimmed(column))} ORDER BY id) AS place
    FROM page WHERE ${column} <> ${trimmed(column)} AND ${trimmed(column)} <> '') p
  WHERE t.organization_id = p.organization_id AND t.id = p.id AND (NOT p.is_live OR p.place = 1 AND NOT EXISTS (
    SELECT FROM ${table} other WHERE other.organization_id = p.organization_id
      AND ${compared(`other.${column}`)} = ${compared('p.id_trimmed')} AND other.id <> p.id AND other.${live}))`;

export class TrimmedIds1795000000064 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const externalId of EXTERNAL_IDS)
      await eachPage(queryRunner, externalId.table, 1_000, trim(externalId));
  }

  async down(): Promise<void> {
    // The previous release can read trimmed ids.
  }
}
