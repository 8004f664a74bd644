import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lists and the search of the marketplace. */
export class Search1795000000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [STORAGE, WORDS]) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(/* sql */ `
      DROP TRIGGER a_write_search_words ON event_occurrences;
      DROP FUNCTION write_search_words, typing_errors, search_form;
      DROP TABLE search_vocabulary;
    `);
  }
}

const STORAGE = /* sql */ `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

CREATE TABLE search_vocabulary (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  word text NOT NULL,
  CONSTRAINT search_vocabulary_pkey PRIMARY KEY (id)
);
CREATE INDEX search_vocabulary_word_idx ON search_vocabulary (word);
CREATE INDEX search_vocabulary_beginning_idx ON search_vocabulary (left(word, 1), length(word));
CREATE INDEX search_vocabulary_trigrams_idx ON search_vocabulary USING gin (word gin_trgm_ops);
`;

const WORDS = /* sql */ `
-- Without accents, capitals, punctuation and trade marks. Letters of all scripts stay.
CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(lower(unaccent(translate(normalize(given, NFC), '®™©℠', '    '))),
    '[^a-z0-9\\u0080-\\U0010FFFF]+', ' ', 'g')
$$;

-- How many typing errors lie between two words; letters that changed places are one. Null where there are more
-- than a word of that length is forgiven: one from 4 letters on, two from 8, none in what holds a digit.
CREATE FUNCTION typing_errors(meant text, given text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN length(given) NOT BETWEEN 4 AND 40 OR length(meant) > 42 OR given ~ '[0-9]' OR meant ~ '[0-9]' THEN NULL
    WHEN levenshtein_less_equal(meant, given, 2) <= 1 THEN levenshtein_less_equal(meant, given, 2)
    WHEN levenshtein_less_equal(meant, given, 2) > 2 THEN NULL
    WHEN length(meant) = length(given)
      AND (SELECT string_agg(letter, '' ORDER BY letter) FROM regexp_split_to_table(meant, '') letter)
        = (SELECT string_agg(letter, '' ORDER BY letter) FROM regexp_split_to_table(given, '') letter) THEN 1
    WHEN greatest(length(meant), length(given)) >= 8 THEN 2
  END
$$;

-- A session that fills an empty database keeps the plans it made for empty tables: scans, slower with every row.
CREATE FUNCTION write_search_words() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- One zone that the database doesn't know would break every list that asks what day it is there.
  PERFORM now() AT TIME ZONE NEW.time_zone;
  NEW.search_words :=
    setweight(to_tsvector('simple', search_form(NEW.title)), 'A') ||
    setweight(to_tsvector('simple', search_form(concat_ws(' ', NEW.address->>'city', (
      SELECT left(string_agg(DISTINCT title, ' '), 100000) FROM races
      WHERE organization_id = NEW.organization_id AND event_occurrence_id = NEW.id)))), 'B') ||
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
CREATE TRIGGER a_write_search_words BEFORE INSERT OR UPDATE ON event_occurrences
  FOR EACH ROW EXECUTE FUNCTION write_search_words();
`;
