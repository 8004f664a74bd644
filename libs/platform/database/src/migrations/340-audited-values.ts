import type { MigrationInterface, QueryRunner } from 'typeorm';
import { KINDS, organizationsWithExpired } from './261-retention-in-turns';
import { createDefinerFunctions } from './definer';

/** Old and new values in the audit log, which can be removed from a record that stays. */
export class AuditedValues1795000000340 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE audit_log ADD COLUMN IF NOT EXISTS changes jsonb');
    await queryRunner.query(refuseChangesBut(REMOVAL));
    const kinds: typeof KINDS = { ...KINDS, 'audited values': ['audit_log', 'at', 'changes IS NOT NULL'] };
    await createDefinerFunctions(queryRunner, [organizationsWithExpired(kinds)]);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await createDefinerFunctions(queryRunner, [organizationsWithExpired(KINDS)]);
    await queryRunner.query(refuseChangesBut(''));
    await queryRunner.query('ALTER TABLE audit_log DROP COLUMN IF EXISTS changes');
  }
}

const REMOVAL = /* sql */ `
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = to_jsonb(OLD) || '{"changes": null}' THEN
    RETURN NEW;
  END IF;`;

const refuseChangesBut = (permitted: string): string => /* sql */ `
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('startline.audit_retention', true) = 'on' THEN
    RETURN OLD;
  END IF;${permitted}
  RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
`;
