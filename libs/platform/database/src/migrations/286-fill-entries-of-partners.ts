import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isDistributed } from '../distributed/requirements';

/** Through which partner earlier entries came. Triggers count them. Repeating it changes nothing. */
export class FillEntriesOfPartners1795000000286 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    const onNodes = await isDistributed(queryRunner.manager);
    const organizations: { id: string }[] = await queryRunner.query(
      'SELECT id FROM organizations ORDER BY id',
    );
    for (const { id } of organizations) {
      for (let beyond = BEFORE_ALL; ; ) {
        const page: { id: string }[] = await queryRunner.query(PAGE, [id, beyond]);
        const last = page.at(-1);
        if (!last) break;
        const results: { failure: string | null }[] = await queryRunner.query(
          onNodes ? FILL_ON_NODES : FILL,
          [id, page.map((entry) => entry.id)],
        );
        const failure = results.find((each) => each.failure)?.failure;
        if (failure) throw new Error(failure);
        beyond = last.id;
      }
    }
  }

  async down(): Promise<void> {}
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The entries of one transaction. */
const PAGE = /* sql */ `
  SELECT id FROM start_list_entries
  WHERE organization_id = $1 AND id > $2 AND reserved_entry_group_id IS NOT NULL ORDER BY id LIMIT 400`;

const FILL = 'SELECT NULL AS failure FROM fill_entries_of_partners($1, $2)';

/** The group of shards that holds the organization fills its entries, the others have none of them. */
const FILL_ON_NODES = /* sql */ `
  SELECT CASE WHEN NOT success THEN result END AS failure
  FROM run_command_on_all_nodes(format('SELECT fill_entries_of_partners(%L, %L)', $1::uuid, $2::uuid[]))`;
