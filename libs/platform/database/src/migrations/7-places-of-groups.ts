import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';

/**
 * Whether the places of a group count against ticket and race is its setting of now, for all of them. It shows in no response of an entry,
 * so no time moves. Places of groups that were changed before keep how they count.
 */
export class PlacesOfGroups1796000000007 implements Migration {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION places_of_group() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM set_config('startline.derived', 'on', true);
        UPDATE start_list_entries SET takes_place = NOT takes_place
        WHERE organization_id = NEW.organization_id AND reserved_entry_group_id = NEW.id
          AND takes_place = (NEW.reserve_capacity = 'IGNORE_CAPACITY');
        PERFORM set_config('startline.derived', '', true);
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE OR REPLACE TRIGGER places_of_group AFTER UPDATE OF reserve_capacity ON reserved_entry_groups
        FOR EACH ROW WHEN (NEW.reserve_capacity <> OLD.reserve_capacity) EXECUTE FUNCTION places_of_group()`);
  }
}
