import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records claims and fields that were logged before the triggers existed. Repeating it changes nothing. */
export class FillRaceDay1795000000023 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const organizations: { id: string }[] = await queryRunner.query(
      'SELECT id FROM organizations ORDER BY id',
    );
    for (const { id } of organizations) {
      for (let after: string | null = '0'; after !== null; ) {
        const [step]: { last: string | null }[] = await queryRunner.query(FILL, [id, after]);
        after = step?.last ?? null;
      }
    }
  }

  async down(): Promise<void> {}
}

const FILL = /* sql */ `
  WITH logged AS MATERIALIZED (
    SELECT * FROM race_day_log WHERE organization_id = $1 AND seq > $2 ORDER BY seq LIMIT 200
  ), claims AS (
    INSERT INTO bib_claims (organization_id, participant_id, changed_at, seq, bib_number)
      SELECT organization_id, participant_id, changed_at, seq, bib_number FROM logged
      WHERE sets_bib AND applied_at IS NOT NULL AND waiting_for IS NULL
      ON CONFLICT DO NOTHING
  ), fields AS (
    INSERT INTO race_day_fields AS known (organization_id, participant_id, field_id, value, changed_at, seq)
      SELECT DISTINCT ON (n.participant_id, f.field->>'id')
        n.organization_id, n.participant_id, f.field->>'id', f.field->'value', n.changed_at, n.seq
      FROM logged n CROSS JOIN LATERAL jsonb_array_elements(n.custom_fields) WITH ORDINALITY f (field, place)
      WHERE n.custom_fields IS NOT NULL AND n.participant_id IS NOT NULL
      ORDER BY n.participant_id, f.field->>'id', n.changed_at DESC, n.seq DESC, f.place DESC
      ON CONFLICT (organization_id, participant_id, field_id) DO UPDATE
        SET value = excluded.value, changed_at = excluded.changed_at, seq = excluded.seq
        WHERE (excluded.changed_at, excluded.seq) > (known.changed_at, known.seq)
  )
  SELECT max(seq) AS last FROM logged
`;
