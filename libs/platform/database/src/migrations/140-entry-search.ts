import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The search for participants while staff type: words that start with the typed text. */
export class EntrySearch1795000000140 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(WORDS);
    await queryRunner.query(SEARCH);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION IF EXISTS search_entries, entry_words');
  }
}

/**
 * Lower case without accents, in separate words. Uses functions of pg_catalog only, because indexes are built without
 * a search path.
 */
const plain = (text: string) =>
  `regexp_replace(regexp_replace(lower(normalize(${text}, NFKD)), '[\\u0300-\\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')`;

/** Weight A: the fields that the race-day desk can search. */
const WORDS = /* sql */ `
CREATE FUNCTION entry_words(fields json, bib_number text, email text, external_id text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT setweight(to_tsvector('pg_catalog.simple', ${plain(`
      coalesce((SELECT string_agg(field->>'value', ' ') FROM json_array_elements(fields) field
        WHERE field->>'key' IN ('firstName', 'lastName')), '') || ' ' || coalesce(bib_number, '')`)}), 'A')
    || setweight(to_tsvector('pg_catalog.simple', ${plain(
      "coalesce(email, '') || ' ' || coalesce(external_id, '')",
    )}), 'B')
$$`;

/**
 * The words first, by their index, and the order after that: with the index of the order, PostgreSQL would compute
 * the words of every row.
 *
 * With row-level security, a condition that is not leakproof, such as this one, only uses an index if a function with
 * the owner's rights evaluates it. The function returns ids of the given organization only.
 */
const SEARCH = /* sql */ `
CREATE FUNCTION search_entries(
  organization uuid, words tsquery, occurrence uuid, race uuid, ticket uuid, most int
) RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER AS $$
  WITH found AS MATERIALIZED (
    SELECT t.id, t.created_at FROM start_list_entries t
    WHERE t.organization_id = organization AND t.approval_status = 'APPROVED'
      AND entry_words(t.fields, t.bib_number, t.email_normalized, t.external_participant_id) @@ words
      AND (occurrence IS NULL OR t.event_occurrence_id = occurrence)
      AND (race IS NULL OR t.race_id = race)
      AND (ticket IS NULL OR t.ticket_id = ticket)
  )
  SELECT id FROM found ORDER BY created_at DESC, id DESC LIMIT most
$$;
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION search_entries SET search_path = pg_catalog, %I, pg_temp', current_schema());
END $$`;
