import type { QueryRunner } from 'typeorm';
import type { Migration } from '.';

/** As in the baseline, with a bound: a search compares its words with those of the same first letter and a similar length, whoever wrote them. */
export class BoundedVocabulary1796000000006 implements Migration {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION write_search_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
      BEGIN
        -- One zone that the database doesn't know would break every list that asks what day it is there.
        PERFORM now() AT TIME ZONE NEW.time_zone;
        NEW.search_words :=
          setweight(to_tsvector('simple', search_form(concat_ws(' ', NEW.title, (
            SELECT string_agg(value, ' ') FROM jsonb_each_text(NEW.title_by_locale))))), 'A') ||
          setweight(to_tsvector('simple', search_form(concat_ws(' ', NEW.address->>'city', (
            SELECT left(string_agg(DISTINCT concat_ws(' ', r.title, (
              SELECT string_agg(value, ' ') FROM jsonb_each_text(r.title_by_locale))), ' '), 100000)
            FROM races r WHERE r.organization_id = NEW.organization_id AND r.event_occurrence_id = NEW.id)))), 'B') ||
          setweight(to_tsvector('simple', search_form(array_to_string(NEW.tags, ' '))), 'C') ||
          setweight(to_tsvector('simple', search_form(
            (SELECT name FROM organizations WHERE id = NEW.organization_id))), 'D');
        IF TG_OP = 'INSERT' OR NEW.search_words IS DISTINCT FROM OLD.search_words THEN
          INSERT INTO search_vocabulary (word)
            WITH found AS MATERIALIZED (
              SELECT lexeme AS word, left(lexeme, 1) AS letter, length(lexeme) AS letters,
                row_number() OVER (PARTITION BY left(lexeme, 1), length(lexeme)) AS nth
              FROM unnest(NEW.search_words)
              WHERE length(lexeme) BETWEEN 3 AND 42 AND lexeme !~ '[0-9]'
                AND NOT EXISTS (SELECT FROM search_vocabulary v WHERE v.word = lexeme)
            ), known AS MATERIALIZED (
              SELECT letter, letters, (SELECT count(*) FROM (
                SELECT FROM search_vocabulary v WHERE left(v.word, 1) = letter AND length(v.word) = letters LIMIT 1000) alike) AS many
              FROM (SELECT DISTINCT letter, letters FROM found) each
            )
            SELECT word FROM found JOIN known USING (letter, letters) WHERE nth + many <= 1000;
        END IF;
        RETURN NEW;
      END $$`);
  }
}
