import { type BrowserClient, type ImportPath, type Item, StartlineError } from '../api';
import { idempotencyKey } from './idempotency-key';
import { partsOf } from './parts';

/** A row that the API rejected; it is not sent. */
export interface RefusedRow {
  item: Item;
  messages: string[];
}

export interface SentParts {
  jobIds: string[];
  refused: RefusedRow[];
}

interface Sending {
  api: BrowserClient;
  path: ImportPath;
  collection: string;
  items: readonly Item[];
  dryRun?: boolean;
  onSent(rows: number): void;
}

/** Sends the rows in parts, each as its own job. Rows that the API rejects are left out, and the others are sent again. */
export async function sendParts({
  api,
  path,
  collection,
  items,
  dryRun,
  onSent,
}: Sending): Promise<SentParts> {
  const sent: SentParts = { jobIds: [], refused: [] };
  for (const part of partsOf(items)) {
    let rows = part;
    while (rows.length > 0) {
      const body = { [collection]: rows.map((row) => row.body) };
      try {
        const accepted = await api.post(path, {
          body: body as never,
          ...(dryRun
            ? // Without a key, because a dry run after a correction elsewhere has another outcome.
              { params: { query: { dryRun: true } } }
            : { headers: { 'idempotency-key': await idempotencyKey(path, body) } }),
        } as never);
        sent.jobIds.push((accepted as { jobId: string }).jobId);
        rows = [];
      } catch (error) {
        const rejected = rejectedIn(error, rows);
        if (rejected.length === 0) throw error;
        sent.refused.push(...rejected);
        const out = new Set(rejected.map(({ item }) => item));
        rows = rows.filter((row) => !out.has(row));
      }
    }
    onSent(part.length);
  }
  return sent;
}

function rejectedIn(error: unknown, rows: Item[]): RefusedRow[] {
  if (!(error instanceof StartlineError)) return [];
  const byItem = new Map<Item, string[]>();
  for (const { row, message } of error.problems) {
    const item = row == null ? undefined : rows[row];
    if (item) byItem.set(item, [...(byItem.get(item) ?? []), message]);
  }
  return [...byItem].map(([item, messages]) => ({ item, messages }));
}
