import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Existing timing keys keep what they could read: the wave, and names where they had them. */
export class FillReadsOfTimingKeys1795000000283 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      UPDATE api_keys SET reads = CASE WHEN names THEN '{names,wave}'::text[] ELSE '{wave}' END
      WHERE kind = 'TIMING' AND reads IS NULL`);
  }

  async down(): Promise<void> {}
}
