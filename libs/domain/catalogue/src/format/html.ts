import type sanitizer from 'sanitize-html';

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

/** The record with sanitized texts; the same if it has none. A value of another type is left to the checks. */
export function withSafeTexts(record: unknown): unknown {
  if (!isObject(record) || record.record !== 'occurrence' || !isObject(record.content)) return record;
  const texts = Object.entries(record.content).map(([name, html]) => [
    name,
    // What is too long is refused, and not worth the work.
    typeof html === 'string' && html.length <= LONGEST ? sanitizeHtml(html) : html,
  ]);
  return { ...record, content: Object.fromEntries(texts) };
}

const LONGEST = 100_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
