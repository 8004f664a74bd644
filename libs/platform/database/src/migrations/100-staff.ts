import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Staff members of an organization, the links that sign them in, and their sessions. */
export class Staff1795000000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      CREATE TABLE staff_members (
        organization_id uuid NOT NULL REFERENCES organizations (id),
        id uuid NOT NULL,
        email text NOT NULL,
        email_normalized text NOT NULL,
        role text NOT NULL,
        password_hash text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_signed_in_at timestamptz,
        removed_at timestamptz,
        PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX staff_members_email_idx ON staff_members (organization_id, email_normalized) WHERE removed_at IS NULL;

      CREATE TABLE staff_links (
        organization_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        member_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (organization_id, token_hash),
        CONSTRAINT staff_links_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES staff_members (organization_id, id)
      );
      CREATE INDEX staff_links_member_idx ON staff_links (organization_id, member_id);

      CREATE TABLE staff_sessions (
        organization_id uuid NOT NULL,
        secret_hash bytea NOT NULL,
        member_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (organization_id, secret_hash),
        CONSTRAINT staff_sessions_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES staff_members (organization_id, id)
      );
      CREATE INDEX staff_sessions_member_idx ON staff_sessions (organization_id, member_id);
      CREATE INDEX staff_sessions_last_seen_idx ON staff_sessions (last_seen_at);

      CREATE TRIGGER announce_access AFTER UPDATE OF role, removed_at OR DELETE ON staff_members
        FOR EACH ROW EXECUTE FUNCTION announce_access();
      CREATE TRIGGER announce_access AFTER DELETE ON staff_sessions
        FOR EACH ROW EXECUTE FUNCTION announce_access();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE staff_sessions, staff_links, staff_members');
  }
}
