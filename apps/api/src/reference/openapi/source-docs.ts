import * as ts from 'typescript';
import { MOST_JSON_BYTES, MOST_JSON_CHARACTERS } from '#platform/validation';

/** The content of the comment of a class, property or alias. */
export interface Docs {
  description: string;
  /** JSON Schema keywords from tags. */
  keywords: Record<string, unknown>;
  /** The text of `@example`. */
  example?: string;
  /** The text of `@default`. */
  default?: string;
  /** `@closed`: no other properties, now or later. */
  closed: boolean;
  /** `@open`: other properties are permitted, also in requests. */
  open: boolean;
}

const NUMBERS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']);

/**
 * Parses a comment. Tags: `@example` and `@default` (JSON or text), `@format`, `@pattern`, keywords such as `@minimum`,
 * `@integer`, `@mostJson` (characters of the value's JSON), `@mostBytes` (of a record in responses), `@deprecated why`, `@closed`, `@open`.
 */
export function docsOf(symbol: ts.Symbol, checker: ts.TypeChecker): Docs {
  const docs: Docs = {
    description: plain(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    keywords: {},
    closed: false,
    open: false,
  };
  for (const tag of symbol.getJsDocTags(checker)) {
    const text = plain(ts.displayPartsToString(tag.text));
    if (tag.name === 'closed') docs.closed = true;
    else if (tag.name === 'open') docs.open = true;
    else if (tag.name === 'integer') docs.keywords.type = 'integer';
    else if (tag.name === 'example' || tag.name === 'default') docs[tag.name] = text;
    else if (tag.name === 'format' || tag.name === 'pattern') docs.keywords[tag.name] = text;
    else if (NUMBERS.has(tag.name)) docs.keywords[tag.name] = Number(text);
    else if (tag.name === 'mostJson') docs.keywords[MOST_JSON_CHARACTERS] = Number(text);
    else if (tag.name === 'mostBytes') docs.keywords[MOST_JSON_BYTES] = Number(text);
    else if (tag.name === 'deprecated') {
      docs.keywords.deprecated = true;
      docs.description = [docs.description, text && `Deprecated: ${text}`].filter(Boolean).join(' ');
    } else {
      throw new Error(`@${tag.name} on ${symbol.name} is not a tag for schemas`);
    }
  }
  return docs;
}

/** Joins the lines of a paragraph, and keeps empty lines and list items. */
function plain(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s*\n(?!\s*[-*] )\s*/g, ' '))
    .join('\n\n');
}
