import * as ts from 'typescript';

/** What the comment of a class, property or alias says. */
export interface Docs {
  description: string;
  /** JSON Schema keywords from tags. */
  keywords: Record<string, unknown>;
  /** The text of `@example`. */
  example?: string;
  /** The text of `@default`. */
  default?: string;
  /** `@closed`: no other property may occur, now or later. */
  closed: boolean;
  /** `@open`: others may occur, also in a request. */
  open: boolean;
}

const NUMBERS = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']);

/**
 * Reads a comment. Tags: `@example` and `@default` (JSON, or text as it is), `@format`, `@pattern`, `@minimum` and its like,
 * `@integer`, `@deprecated why`, `@closed`, `@open`.
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
    else if (tag.name === 'deprecated') {
      docs.keywords.deprecated = true;
      docs.description = [docs.description, text && `Deprecated: ${text}`].filter(Boolean).join(' ');
    } else {
      throw new Error(`@${tag.name} on ${symbol.name} is not a tag for schemas`);
    }
  }
  return docs;
}

/** Lines of one paragraph are joined; an empty line stays a paragraph break, a list item its own line. */
function plain(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s*\n(?!\s*[-*] )\s*/g, ' '))
    .join('\n\n');
}
