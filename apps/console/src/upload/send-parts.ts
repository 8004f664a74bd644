import type { BrowserClient, ImportPath, Item } from '../api';
import { finished } from '../imports/finished';
import { idempotencyKey } from './idempotency-key';
import { partsOf } from './parts';

export interface SentParts {
  jobIds: string[];
  /** The rows of each job. */
  parts: Item[][];
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
 * Sends the rows in parts, each as its own job. Invalid rows are failed rows of their job. The dry run of a part knows what the parts
 * before took, so that it begins after theirs.
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
  const sent: SentParts = { jobIds: [], parts: [] };
  let continues: string | undefined;
  for (const rows of partsOf(items)) {
    const before = sent.jobIds.at(-1);
    if (dryRun && before && (await isCompleted(api, before))) continues = before;
    const body = { [collection]: rows.map((row) => row.body), ...more?.(rows) };
    const accepted = await (api[method] as BrowserClient['post'])(path, {
      body: body as never,
      params: {
        query: { ...query, keepInvalid: true, ...(dryRun && { dryRun }), ...(continues && { continues }) },
      },
      // Without a key, because a dry run after a correction elsewhere has another outcome.
      ...(!dryRun && { headers: { 'idempotency-key': await idempotencyKey(path, [body, attempt]) } }),
    } as never);
    sent.jobIds.push((accepted as { jobId: string }).jobId);
    sent.parts.push(rows);
    if (dryRun) onDryRun?.([...sent.jobIds]);
    onSent?.(rows.length);
  }
  return sent;
}

const isCompleted = async (api: BrowserClient, id: string): Promise<boolean> =>
  (await finished(api, id)).status === 'COMPLETED';
