import type { Part } from '#platform/queries';

/** Joins lists with semicolons; other values do not change. */
export const asText = (json: string): string => `CASE json_typeof(${json})
    WHEN 'array' THEN (SELECT string_agg(value, '; ') FROM json_array_elements_text(${json}))
    ELSE ${json} #>> '{}' END`;

/** What spreadsheets treat as the start of a formula, including full-width characters, after any apostrophes. */
const FORMULA = `'*[=+\\-@＝＋－＠]`;
/**
 * Where a spreadsheet may begin a cell: at the start, or behind a character that separates cells or rows where commas do not. Quotes
 * and spaces may follow.
 */
const START = '(^|[;|\\t\\r\\n\\u0085\\u2028\\u2029])([ "]*)';
const BEHIND = `${START}(${FORMULA})`;
const AT_START = "^('*[\\t\\r\\n])";

const literal = (pattern: string): string => `E'${pattern.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * According to RFC 4180. Each formula gets one apostrophe more before it, so that whoever takes exactly one off has the text again. The
 * time is proportional to the length, because no pattern reads over a separator.
 */
const CELL = `CASE WHEN v IS NULL THEN '' ELSE '"' || replace(CASE WHEN v ~ ${literal(`${BEHIND}|${AT_START}`)}
    THEN regexp_replace(
      regexp_replace(v, ${literal(BEHIND)}, ${literal("\\1\\2'\\3")}, 'g'), ${literal(AT_START)}, ${literal("'\\1")})
    ELSE v END, '"', '""') || '"' END`;

/** The line of a row: `csv.line`. @param texts an array of the values of its cells */
export const lineOf = (texts: string): string => `CROSS JOIN LATERAL (
        SELECT string_agg(${CELL}, ',' ORDER BY n) AS line FROM unnest(${texts}) WITH ORDINALITY cells (v, n)) csv`;

type Given = Parameters<Exclude<Part, string>>;
/** The SQL of a part of a resource. */
export const resolved = (part: Part | undefined, given: Given): string =>
  typeof part === 'function' ? part(...given) : (part ?? '');

/** A cell of the header; keys of questions are text of the organizer. */
export const headerCell = (text: string): string =>
  `"${text
    .replace(new RegExp(BEHIND, 'g'), "$1$2'$3")
    .replace(new RegExp(AT_START), "'$1")
    .replaceAll('"', '""')}"`;
