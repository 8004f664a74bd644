import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Draws of ballots and their applications. Each statement text is one transaction, because a foreign key locks the
 * table that it references, and the index is complete before other sessions see the table.
 */
export class BallotDraws1795000000110 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE IF EXISTS ballot_draw_entries, ballot_draws');
  }
}

const STATEMENTS = [
  /* sql */ `CREATE TABLE IF NOT EXISTS ballot_draws (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    ticket_id uuid NOT NULL,
    number integer NOT NULL,
    seed text NOT NULL,
    places integer NOT NULL,
    keeps_pending boolean NOT NULL,
    drawn_units integer NOT NULL DEFAULT 0,
    actor_type text NOT NULL,
    actor_id text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    collected_at timestamptz,
    finished_at timestamptz,
    PRIMARY KEY (organization_id, id),
    CONSTRAINT ballot_draws_ticket_id_number_key UNIQUE (organization_id, ticket_id, number),
    CONSTRAINT ballot_draws_ticket_id_fkey FOREIGN KEY (organization_id, ticket_id) REFERENCES tickets (organization_id, id)
  );
  CREATE UNIQUE INDEX IF NOT EXISTS ballot_draws_open_idx ON ballot_draws (organization_id, ticket_id) WHERE finished_at IS NULL`,
  /* sql */ `CREATE TABLE IF NOT EXISTS ballot_draw_entries (
    organization_id uuid NOT NULL,
    ballot_draw_id uuid NOT NULL,
    start_list_entry_id uuid NOT NULL,
    lot bytea NOT NULL,
    outcome text,
    PRIMARY KEY (organization_id, ballot_draw_id, start_list_entry_id),
    CONSTRAINT ballot_draw_entries_ballot_draw_id_fkey FOREIGN KEY (organization_id, ballot_draw_id)
      REFERENCES ballot_draws (organization_id, id),
    CONSTRAINT ballot_draw_entries_start_list_entry_id_fkey FOREIGN KEY (organization_id, start_list_entry_id)
      REFERENCES start_list_entries (organization_id, id)
  );
  CREATE INDEX IF NOT EXISTS ballot_draw_entries_lot_idx ON ballot_draw_entries (organization_id, ballot_draw_id, lot) WHERE outcome IS NULL;
  CREATE INDEX IF NOT EXISTS ballot_draw_entries_start_list_entry_id_idx ON ballot_draw_entries (organization_id, start_list_entry_id)`,
];
