import { AS_TWO, TYPED } from '#platform/validation';

/** Both cases, because some collations of databases do not know the capitals. */
const replaced = (text: string, letters: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(letters)
    .flatMap(([letter, others]) => [
      [letter, others],
      [letter.toUpperCase(), others],
    ])
    .filter(([letter = '']) => letter.length === 1);
  const [single, several] = [1, 2].map((length) =>
    pairs.filter(([, others = '']) => others.length === length),
  ) as [string[][], string[][]];
  const translated = single.length
    ? `translate(${text}, '${single.map(([letter]) => letter).join('')}', '${single.map(([, others]) => others).join('')}')`
    : text;
  return several.reduce((all, [letter, others]) => `replace(${all}, '${letter}', '${others}')`, translated);
};

/** As people type it in a search: small letters without accents. */
const typed = (text: string): string =>
  replaced(`lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`, TYPED);

const words = (text: string, weight: 'A' | 'B' | 'C'): string =>
  `setweight(to_tsvector('pg_catalog.simple', regexp_replace(${typed(text)}, '[^[:alnum:]]+', ' ', 'g')), '${weight}')`;

const LETTERS_AS_TWO = Object.keys(AS_TWO)
  .flatMap((letter) => [letter, letter.toUpperCase()])
  .join('');

/** Letters that people also type as two are there in both ways. */
const withLettersAsTwo = (variable: string): string => `IF ${variable} ~ '[${LETTERS_AS_TWO}]' THEN
    ${variable} := ${variable} || ' ' || ${replaced(variable, AS_TWO)};
  END IF;`;

/** Functions of pg_catalog only, because indexes are built without a search path. */
export const searching: string[] = [
  /* sql */ `
-- Whether a text contains another one, as people type them.
CREATE FUNCTION contains_typed(text_of text, search text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
  SELECT strpos(stored || U&'\\000A' || stored_as_two, typed) > 0 OR strpos(stored, typed_as_two) > 0
  FROM (SELECT ${typed('text_of')} AS stored, ${typed(replaced('normalize(text_of, NFC)', AS_TWO))} AS stored_as_two,
    ${typed('search')} AS typed, ${typed(replaced('normalize(search, NFC)', AS_TWO))} AS typed_as_two) forms
$body$`,
  /* sql */ `
-- The last name, and then the first, as people type them.
CREATE FUNCTION entry_name(fields json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 500 AS $body$
  SELECT coalesce(nullif(left(trim(${typed(`string_agg(field->>'value', ' ' ORDER BY field->>'key' DESC)`)}), 60), ''), U&'\\+10FFFF')
  FROM json_array_elements(fields) field WHERE field->>'key' IN ('firstName', 'lastName')
$body$`,
  /* sql */ `
-- Weight A, which the race-day desk can search as well as the bib: the names.
CREATE FUNCTION entry_words(fields json, email text, external_id text)
RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $body$
DECLARE
  named text := normalize((SELECT string_agg(field->>'value', ' ') FROM json_array_elements(fields) field
    WHERE field->>'key' IN ('firstName', 'lastName')), NFC);
  others text := concat_ws(' ', email, external_id);
BEGIN
  ${withLettersAsTwo('named')}
  RETURN coalesce(${words('named', 'A')}, '') || ${words('others', 'B')};
END $body$`,
  /* sql */ `
-- Weight C, so that they can be replaced alone.
CREATE FUNCTION bib_words(bib_number text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 100 AS $body$
DECLARE
  bib text := normalize(bib_number, NFC);
BEGIN
  -- Nearly all bibs, in a fifth of the time.
  IF bib ~ '^[0-9A-Za-z]+$' THEN
    RETURN setweight(to_tsvector('pg_catalog.simple', lower(bib)), 'C');
  END IF;
  ${withLettersAsTwo('bib')}
  RETURN coalesce(${words('bib', 'C')}, '');
END $body$`,
];
