import * as ts from 'typescript';
import { MOST_JSON_BYTES } from '#platform/validation';

/** What the comment of a class, property or type says, or the decorators of a property. */
export interface Docs {
  description: string;
  /** JSON Schema keywords. */
  keywords: Record<string, unknown>;
}

/** The keywords of the tags of a class or type. */
const TAGS: Record<string, (text: string) => Record<string, unknown>> = {
  closed: () => ({ additionalProperties: false }),
  open: () => ({ additionalProperties: true }),
  mostBytes: (text) => ({ [MOST_JSON_BYTES]: Number(text) }),
  example: (text) => ({ examples: [text] }),
  deprecated: () => ({ deprecated: true }),
};

/**
 * Parses a comment. Tags: `@example`, `@mostBytes` (of a record in responses), `@deprecated why`, `@closed` (no other
 * properties, now or later), `@open` (other properties are permitted, also in requests).
 */
export function docsOf(symbol: ts.Symbol, checker: ts.TypeChecker): Docs {
  const docs: Docs = {
    description: plain(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    keywords: {},
  };
  for (const { name, text } of symbol.getJsDocTags(checker)) {
    const said = plain(ts.displayPartsToString(text));
    if (!TAGS[name]) throw new Error(`@${name} on ${symbol.name} is not a tag for schemas`);
    Object.assign(docs.keywords, TAGS[name](said));
    if (name === 'deprecated')
      docs.description = [docs.description, said && `Deprecated: ${said}`].filter(Boolean).join(' ');
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
