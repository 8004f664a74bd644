import type { MigrationInterface, QueryRunner } from 'typeorm';
import { eachPage } from './each-page';

/** Writes each row again, which updates its words. */
const TRANSLATED = `
  UPDATE event_occurrences o SET updated_at = clock_timestamp() FROM page p
  WHERE o.organization_id = p.organization_id AND o.id = p.id AND (p.title_by_locale <> '{}' OR EXISTS (
    SELECT FROM races r WHERE r.organization_id = p.organization_id AND r.event_occurrence_id = p.id
      AND r.title_by_locale <> '{}'))`;

const inAllLocales = (row: string) =>
  `concat_ws(' ', ${row}.title, (SELECT string_agg(value, ' ') FROM jsonb_each_text(${row}.title_by_locale)))`;

/** Events are found by their titles, and those of their races, in every locale. */
export class SearchLocales1795000000065 implements MigrationInterface {
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(writeSearchWords(inAllLocales('NEW'), inAllLocales('r')));
    await eachPage(queryRunner, 'event_occurrences', 500, TRANSLATED);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(writeSearchWords('NEW.title', 'r.title'));
  }
}

const writeSearchWords = (titles: string, raceTitles: string) => /* sql */ `
-- A session that fills an empty database keeps the plans it made for empty tables: scans, slower with every row.
CREATE OR REPLACE FUNCTION write_search_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- One zone that the database doesn't know would break every list that asks what day it is there.
  PERFORM now() AT TIME ZONE NEW.time_zone;
  NEW.search_words :=
    setweight(to_tsvector('simple', search_form(${titles})), 'A') ||
    setweight(to_tsvector('simple', search_form(concat_ws(' ', NEW.address->>'city', (
      SELECT left(string_agg(DISTINCT ${raceTitles}, ' '), 100000) FROM races r
      WHERE r.organization_id = NEW.organization_id AND r.event_occurrence_id = NEW.id)))), 'B') ||
    setweight(to_tsvector('simple', search_form(array_to_string(NEW.tags, ' '))), 'C') ||
    setweight(to_tsvector('simple', search_form(
      (SELECT name FROM organizations WHERE id = NEW.organization_id))), 'D');
  IF TG_OP = 'INSERT' OR NEW.search_words IS DISTINCT FROM OLD.search_words THEN
    INSERT INTO search_vocabulary (word)
      SELECT lexeme FROM unnest(NEW.search_words)
      WHERE length(lexeme) BETWEEN 3 AND 42 AND lexeme !~ '[0-9]'
        AND NOT EXISTS (SELECT FROM search_vocabulary WHERE word = lexeme);
  END IF;
  RETURN NEW;
END $$;
`;
