import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';

/** Occurrences of the marketplace show the name, the website and the logo of their organizer: their times move with each of them. */
export class OrganizerLinks1796000000003 implements Migration {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE TRIGGER rename_organization AFTER UPDATE ON organizations FOR EACH ROW
        WHEN ((OLD.name, OLD.website, OLD.logo_url) IS DISTINCT FROM (NEW.name, NEW.website, NEW.logo_url))
        EXECUTE FUNCTION rename_organization()`);
  }
}
