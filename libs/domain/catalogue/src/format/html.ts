import type sanitizer from 'sanitize-html';
import { MOST_BYTES } from '#platform/validation';

/** What texts for visitors may contain: no scripts, styles, forms or frames, and only addresses that a browser can open safely. */
const PERMITTED: sanitizer.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'br', 'hr', 'blockquote', 'pre', 'code', 'span'],
    ...['b', 'i', 'u', 's', 'em', 'strong', 'small', 'sub', 'sup', 'a', 'img', 'figure', 'figcaption'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  nestingLimit: 50,
};

/** Sanitizing twice is the same as once. */
export function sanitizeHtml(html: string): string {
  // Loaded at first use: most programs never need it.
  const sanitize: typeof sanitizer = require('sanitize-html');
  return sanitize(html, PERMITTED);
}

/**
 * The record with sanitized texts; the same if it has none. What is refused anyway is not worth the work.
 *
 * @param pause after each text
 */
export async function withSafeTexts(record: unknown, pause: () => Promise<unknown>): Promise<unknown> {
  const content = contentOf(record);
  const characters = textsOf(record).reduce((sum, html) => sum + html.length, 0);
  if (!content || characters > MOST_BYTES.occurrence || problemOfTexts(record)) return record;
  const texts: Record<string, unknown> = {};
  for (const [name, html] of Object.entries(content)) {
    texts[name] = typeof html === 'string' ? sanitizeHtml(html) : html;
    await pause();
  }
  return { ...(record as object), content: texts };
}

/** Texts with more tags would cost too much: at each end tag, all open tags are searched. */
export function problemOfTexts(record: unknown): string | undefined {
  const tags = textsOf(record).reduce((sum, html) => sum + html.split('<').length - 1, 0);
  return tags > MOST_TAGS ? `has ${tags} tags, and must not have more than ${MOST_TAGS}` : undefined;
}

const textsOf = (record: unknown): string[] =>
  Object.values(contentOf(record) ?? {}).filter((html) => typeof html === 'string');

const MOST_TAGS = 2_000;

/** The texts of an occurrence. */
const contentOf = (record: unknown): Record<string, unknown> | undefined =>
  isObject(record) && record.record === 'occurrence' && isObject(record.content) ? record.content : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
