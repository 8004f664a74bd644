import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { StartlineClient } from '../client';
import type { Access, ApiDocument, JsonSchema } from './access';

export interface Context {
  client: StartlineClient;
  document: ApiDocument;
  access: Access;
  /** Ends with the server. */
  signal: AbortSignal;
}

export interface Result {
  /** Our own words: numbers, ids, times and codes, never a text that somebody typed. */
  says: string;
  /** What was read: texts in it were typed by anybody. */
  data?: unknown;
}

export interface Tool {
  name: string;
  /** It exists if the key may call one of these operations. */
  operations: string[];
  description: string;
  annotations: ToolAnnotations & { title: string };
  /** The schema of the arguments. */
  input: JsonSchema;
  /** Properties of the arguments that only the schema for assistants has: the API checks their content itself. */
  shapes?: (context: Context) => JsonSchema;
  // biome-ignore lint/suspicious/noExplicitAny: checked by `input`
  run(args: any, context: Context): Promise<Result>;
}

/** Only reads. */
export const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
/** Can replace what is there; a repeated call changes nothing more. */
export const WRITES = {
  ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  openWorldHint: false,
};

export const ID = { type: 'string', format: 'uuid' } as const;

export const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: 50,
  default: 20,
  description: 'The most items of the answer.',
} as const;

export const AFTER = {
  type: 'string',
  description: 'Continues an earlier answer: its `next`, with the same other arguments.',
} as const;

const LONGEST_TEXT = 500;

/**
 * JSON for an assistant between marks. Texts can't end the mark, and characters that people don't see are shown as escapes.
 * A long text is cut.
 */
export function marked(data: unknown): string {
  const json = JSON.stringify(data, (_, value) =>
    typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  );
  const escaped = json.replace(/[<\p{Cf}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return `<data>\n${escaped}\n</data>`;
}

interface Listed<Item> {
  data: Item[];
  page: { totalResults: number; next: string };
}

/** The most items that one call of a tool looks at. */
const MOST_READ = 10_000;

/**
 * Items of a list that match, page by page.
 *
 * @param after where an earlier call ended: how many items of which page it has used
 * @returns `next`: where to continue, absent at the end of the list
 */
export async function matching<Item>(
  read: (after: string | undefined) => Promise<Listed<Item>>,
  {
    limit = LIMIT.default,
    after = '',
    match,
  }: { limit?: number; after?: string; match?: (item: Item) => boolean },
): Promise<{ items: Item[]; total: number; next?: string }> {
  const [, skipped = '0', from = ''] = /^(\d+):(.*)$/s.exec(after) ?? [];
  const items: Item[] = [];
  let skip = Number(skipped);
  let cursor = from;
  for (let count = 0; ; ) {
    const { data, page } = await read(cursor || undefined);
    for (const [i, item] of data.entries()) {
      if (i < skip || (match && !match(item))) continue;
      if (items.length === limit) return { items, total: page.totalResults, next: `${i}:${cursor}` };
      items.push(item);
    }
    count += data.length;
    if (!page.next || data.length === 0) return { items, total: page.totalResults };
    cursor = page.next;
    skip = 0;
    if (count >= MOST_READ || items.length === limit)
      return { items, total: page.totalResults, next: `0:${cursor}` };
  }
}

/** In any case and without accents, as people search. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export function hasWords(text: string, words: string): boolean {
  const within = folded(text);
  return folded(words)
    .split(/\s+/)
    .every((word) => within.includes(word));
}
