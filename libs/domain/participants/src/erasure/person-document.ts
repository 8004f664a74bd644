import type { FiledRows } from './person-file';
import { inWords, PERSON_WORDS, type PersonLanguage } from './person-words';

export const PERSON_FORMATS = ['json', 'html'] as const;
export type PersonFormat = (typeof PERSON_FORMATS)[number];

export const PERSON_TYPES: Record<PersonFormat, string> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** The file of a person as text, in pieces. A file that was cut off is no JSON, and a document without `</html>`. */
export function personDocument(
  format: PersonFormat,
  email: string,
  found: AsyncGenerator<FiledRows, void>,
  language: PersonLanguage = 'en',
): AsyncGenerator<string, void> {
  return format === 'json' ? json(email, found) : html(email, found, language);
}

async function* json(email: string, found: AsyncGenerator<FiledRows, void>): AsyncGenerator<string, void> {
  yield `${JSON.stringify({ email, createdAt: new Date().toISOString().replace('Z', '000Z') }).slice(0, -1)},"tables":[`;
  let open: string | undefined;
  for await (const { table, rows } of found) {
    const before = open === table ? ',' : `${open ? ']},' : ''}{"table":${JSON.stringify(table)},"rows":[`;
    open = table;
    yield before + rows.map((row) => JSON.stringify(row)).join(',');
  }
  yield `${open ? ']}' : ''}]}\n`;
}

/** A document that opens alone, without scripts and links. */
async function* html(
  email: string,
  found: AsyncGenerator<FiledRows, void>,
  language: PersonLanguage,
): AsyncGenerator<string, void> {
  const words = PERSON_WORDS[language];
  const worded = (name: string): string => escaped(inWords(name, words));
  const title = escaped(words.title(email));
  yield `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${title}</title>
<style>body{font:15px/1.5 sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}dl{display:grid;
grid-template-columns:minmax(8rem,14rem) 1fr;gap:0 1rem;margin:0}dt{color:#555}dd{margin:0;white-space:pre-wrap;
overflow-wrap:anywhere}section{border-top:1px solid #bbb;padding:.75rem 0;break-inside:avoid}</style>
<h1>${title}</h1><p>${words.storedAt(new Date().toISOString())}</p>`;
  let open: string | undefined;
  for await (const { table, rows } of found) {
    const head = open === table ? '' : `<h2>${worded(table)}</h2>`;
    open = table;
    yield head + rows.map((row) => `<section>${written(row, worded)}</section>`).join('');
  }
  yield `${open ? '' : `<p>${words.nothing}</p>`}</html>\n`;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0);

/** An answer to a question is shown with the question. */
const isAnswer = (value: unknown): value is { label: string; value: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'value' in value &&
  typeof (value as { label?: unknown }).label === 'string';

function written(value: unknown, worded: (name: string) => string): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  const facts: [string, unknown][] = Array.isArray(value)
    ? value.map((each) => (isAnswer(each) ? [escaped(each.label), each.value] : ['', each]))
    : Object.entries(value).map(([name, of]) => [worded(name), of]);
  const shown = facts.filter(([, of]) => !isEmpty(of));
  if (shown.every(([name]) => name === '')) return shown.map(([, of]) => written(of, worded)).join('<br>');
  return `<dl>${shown.map(([name, of]) => `<dt>${name}</dt><dd>${written(of, worded)}</dd>`).join('')}</dl>`;
}
