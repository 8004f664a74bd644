import { type BrowserClient, type ImportPath, type Item, StartlineError } from '../api';
import { finished } from '../imports/finished';
import { idempotencyKey } from './idempotency-key';
import { partsOf } from './parts';

/** A row that the API rejected; it is not sent. */
export interface RefusedRow {
  item: Item;
  messages: string[];
}

export interface SentParts {
  jobIds: string[];
  /** The rows of each job. */
  parts: Item[][];
  refused: RefusedRow[];
}

interface Sending {
  api: BrowserClient;
  path: ImportPath;
  method?: 'post' | 'put';
  query?: Record<string, string | boolean>;
  collection: string;
  items: readonly Item[];
  /** Further properties of the body. */
  more?(items: readonly Item[]): object;
  dryRun?: boolean;
  /** Called with the jobs of a dry run so far. */
  onDryRun?(jobIds: string[]): void;
  /** Distinguishes the same rows that are sent again on purpose. */
  attempt?: number;
  onSent?(rows: number): void;
}

/**
 * Sends the rows in parts, each as its own job. Rows that the API rejects are left out, and the others are sent again. The dry run of a
 * part knows what the parts before took, so that it begins after theirs.
 */
export async function sendParts({
  api,
  path,
  method = 'post',
  query,
  collection,
  items,
  dryRun,
  onDryRun,
  more,
  attempt,
  onSent,
}: Sending): Promise<SentParts> {
  const sent: SentParts = { jobIds: [], parts: [], refused: [] };
  let continues: string | undefined;
  for (const part of partsOf(items)) {
    let rows = part;
    const before = sent.jobIds.at(-1);
    if (dryRun && before && (await isCompleted(api, before))) continues = before;
    while (rows.length > 0) {
      const body = { [collection]: rows.map((row) => row.body), ...more?.(rows) };
      try {
        const accepted = await (api[method] as BrowserClient['post'])(path, {
          body: body as never,
          params: {
            query: { ...query, ...(dryRun && { dryRun }), ...(continues && { continues }) },
          },
          // Without a key, because a dry run after a correction elsewhere has another outcome.
          ...(!dryRun && { headers: { 'idempotency-key': await idempotencyKey(path, [body, attempt]) } }),
        } as never);
        sent.jobIds.push((accepted as { jobId: string }).jobId);
        sent.parts.push(rows);
        if (dryRun) onDryRun?.([...sent.jobIds]);
        rows = [];
      } catch (error) {
        const rejected = rejectedIn(error, rows);
        if (rejected.length === 0) throw error;
        sent.refused.push(...rejected);
        const out = new Set(rejected.map(({ item }) => item));
        rows = rows.filter((row) => !out.has(row));
      }
    }
    onSent?.(part.length);
  }
  return sent;
}

const isCompleted = async (api: BrowserClient, id: string): Promise<boolean> =>
  (await finished(api, id)).status === 'COMPLETED';

function rejectedIn(error: unknown, rows: Item[]): RefusedRow[] {
  if (!(error instanceof StartlineError)) return [];
  const byItem = new Map<Item, string[]>();
  for (const { row, path, message } of error.problems) {
    const at = row ?? /^corrects\.rows\[(\d+)\]/.exec(path ?? '')?.[1];
    const item = at == null ? undefined : rows[Number(at)];
    if (item) byItem.set(item, [...(byItem.get(item) ?? []), message]);
  }
  return [...byItem].map(([item, messages]) => ({ item, messages }));
}
