import { type Database, statement } from '#platform/database';
import { freeText, type Parameter, Rule } from '#platform/queries';

const text = freeText(
  'Words or prefixes of words, in any order. Accents, case and small typing errors are ignored. Only the first ' +
    '16 words are used.',
  { max: 1_000 },
);

export const searchText: Parameter<string> = {
  ...text,
  read: (value) => {
    if (value.trim() === '') throw new Rule('must not be blank');
    return text.read(value);
  },
  schema: { ...text.schema, minLength: 1, examples: ['pyrenees ultra tour'] },
  required: true,
};

/** The parsed search text, as expressions of PostgreSQL's text search (`tsquery`). */
export interface SearchQuery {
  /** All words: exact, as prefixes, or corrected. */
  query: string;
  /** Any exact word. */
  words: string;
  /** Any exact word or prefix. */
  beginnings: string;
}

/**
 * The text consists of words and separators and has no query syntax. Corrections of mistyped words are found in the
 * vocabulary by first letter and length, of which it has at most 1,000 each, or by trigrams if the first letter is wrong.
 */
const READ = statement({
  parameters: ['text'],
  columns: { query: 'text', words: 'text', beginnings: 'text' },
  sql: `
    WITH words AS (
      SELECT lexeme AS word, positions[1] AS place FROM unnest(to_tsvector('simple', search_form($1)))
      ORDER BY place LIMIT 16
    )
    SELECT
      coalesce(string_agg('(' || quote_literal(word) || ':*' || coalesce(' | ' || meant.words, '') || ')', ' & '), '')
        AS query,
      coalesce(string_agg(quote_literal(word), ' | '), '') AS words,
      coalesce(string_agg(quote_literal(word) || ':*', ' | '), '') AS beginnings
    FROM words CROSS JOIN LATERAL (
      SELECT string_agg(quote_literal(close.word), ' | ') AS words FROM (
        SELECT candidate.word FROM (
          SELECT v.word FROM search_vocabulary v
          WHERE left(v.word, 1) = left(words.word, 1)
            AND length(v.word) BETWEEN length(words.word) - 2 AND length(words.word) + 2
          UNION
          (SELECT v.word FROM search_vocabulary v WHERE v.word % words.word LIMIT 1000)
        ) candidate
        WHERE typing_errors(candidate.word, words.word) > 0
        ORDER BY typing_errors(candidate.word, words.word), candidate.word LIMIT 30
      ) close
      WHERE length(words.word) BETWEEN 4 AND 40
    ) meant
  `,
  prepared: true,
});

/** Each node of a distributed database has its own vocabulary, of the words of its events. */
export async function readSearchText(
  database: Database,
  organizationId: string,
  given: string,
): Promise<SearchQuery> {
  if (!database.nodes) return READ.one(database.of(organizationId), [given]);
  const [first, ...others] = await database.everywhere((on) => READ.rows(on, [given]));
  const { query, words, beginnings } = first as SearchQuery;
  const queries = new Set([query, ...others.map((each) => each.query)]);
  if (queries.size === 1) return { query, words, beginnings };
  return { query: [...queries].map((each) => `(${each})`).join(' | '), words, beginnings };
}
