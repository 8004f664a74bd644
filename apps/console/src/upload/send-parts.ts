import type { AcceptedImport, BrowserClient, ImportPath, Item } from '../api';
import { finished } from '../imports/finished';
import { idempotencyKey } from './idempotency-key';
import { partsOf } from './parts';

export interface SentParts {
  jobIds: string[];
  /** The rows of each job. */
  parts: Item[][];
  /** The rows that are not sent, because a job to which they were sent before has ended. */
  endedBefore: number;
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
  /** Sends what was sent before again, if its job has ended. */
  again?: boolean;
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
  again,
  onSent,
}: Sending): Promise<SentParts> {
  const sent: SentParts = { jobIds: [], parts: [], endedBefore: 0 };
  let continues: string | undefined;
  for (const rows of partsOf(items)) {
    const before = sent.jobIds.at(-1);
    if (dryRun && before && (await isCompleted(api, before))) continues = before;
    const body = { [collection]: rows.map((row) => row.body), ...more?.(rows) };
    const send = async (distinguished?: number | string): Promise<AcceptedImport> =>
      (api[method] as BrowserClient['post'])(path, {
        body: body as never,
        params: {
          query: { ...query, keepInvalid: true, ...(dryRun && { dryRun }), ...(continues && { continues }) },
        },
        // Without a key, because a dry run after a correction elsewhere has another outcome.
        ...(!dryRun && { headers: { 'idempotency-key': await idempotencyKey(path, [body, distinguished]) } }),
      } as never) as never;
    let accepted = await send(attempt);
    // A new job has not ended. The key that follows a job is the same for everybody who sends its rows again.
    while (again && hasEnded(accepted)) accepted = await send(accepted.jobId);
    if (hasEnded(accepted)) sent.endedBefore += rows.length;
    sent.jobIds.push(accepted.jobId);
    sent.parts.push(rows);
    if (dryRun) onDryRun?.([...sent.jobIds]);
    onSent?.(rows.length);
  }
  return sent;
}

const hasEnded = ({ status }: AcceptedImport) => status === 'COMPLETED' || status === 'FAILED';
const isCompleted = async (api: BrowserClient, id: string): Promise<boolean> =>
  (await finished(api, id)).status === 'COMPLETED';
