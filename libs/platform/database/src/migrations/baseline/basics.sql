CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- RFC 9562; PostgreSQL has a function for it only since version 18.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql PARALLEL SAFE AS $$
  SELECT encode(
  set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- The transaction has an id before the time is read.
CREATE FUNCTION keep_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('startline.derived', true) = 'on' THEN RETURN NEW; END IF;
  NEW.updated_at := CASE WHEN pg_current_xact_id() IS NOT NULL THEN clock_timestamp() END;
  NEW.created_at := coalesce(NEW.created_at, NEW.updated_at);
  RETURN NEW;
END $$;

-- The earliest start of a writing transaction in progress, otherwise the clock; null if that is unknown. The order
-- matters: first the clock, then the writers, then transactions that another session prepared. pg_stat_activity
-- hides other roles unless ours can read all statistics; locks are not hidden, so a hidden writer stops the
-- watermark instead of being skipped. A replica knows no writers at all. Within a transaction, pg_stat_activity
-- repeats its first result, so it is cleared.
CREATE FUNCTION horizon() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz;
  writing_since timestamptz;
BEGIN
  PERFORM pg_stat_clear_snapshot();
  now_at := clock_timestamp();
  SELECT min(coalesce(a.xact_start, '-infinity')) INTO writing_since FROM pg_stat_activity a
    WHERE a.datname = current_database()
      AND (a.backend_xid IS NOT NULL OR a.query = '<insufficient privilege>' AND EXISTS (
        SELECT FROM pg_locks l
        WHERE l.pid = a.pid AND l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted));
  IF writing_since = '-infinity' OR pg_is_in_recovery()
    OR EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()) THEN
    RETURN NULL;
  END IF;
  RETURN to_char(least(now_at, writing_since) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
END $$;

-- Without accents, capitals, punctuation and trade marks. Letters of all scripts stay.
CREATE FUNCTION search_form(given text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(lower(unaccent(translate(normalize(given, NFC), '®™©℠', '    '))),
  '[^a-z0-9\u0080-\U0010FFFF]+', ' ', 'g')
$$;

-- How many typing errors lie between two words; letters that changed places are one. Null where there are more
-- than a word of that length is forgiven: one from 4 letters on, two from 8, none in what holds a digit.
CREATE FUNCTION typing_errors(meant text, given text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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

-- Digits count as a number, so that 2 precedes 10.
CREATE FUNCTION bib_order(bib text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN bib ~ '^[0-9]{1,10}$' THEN lpad(bib, 10, '0')
    ELSE coalesce(left(regexp_replace(regexp_replace(lower(bib), '\d+', '0000000000\&', 'g'), '\d*(\d{10})', '\1', 'g'), 60), U&'\+10FFFF')
    END
$$;
