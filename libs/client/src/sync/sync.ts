import type { StartlineClient } from '../client';
import type { Position } from '../lists';
import { pause } from '../sending';
import { type Copy, LISTS, type List, type Row, type Time } from './copy';
import { compare, included } from './digest';

/** How often a list is compared until it counts as different. */
const COMPARISONS = 6;
const READERS = 4;
/** The list is read again, rather than its different buckets, if it has fewer rows for each of them: digests have an allowance. */
const ROWS_FOR_A_BUCKET = 5_000;

export interface Verified {
  list: List;
  /** Whether the copy is equal to the list of the API, up to `asOf`. */
  equal: boolean;
  rows: number;
  asOf: string;
  /** Whether the whole list was read again, since many rows differed. */
  readAgain: boolean;
  /** The rows that differed and were read again, and those that the API does not have. */
  repaired: number;
  removed: number;
}

interface Repair {
  repaired: number;
  removed: number;
}

export interface SyncOptions {
  client: StartlineClient;
  copy: Copy;
  signal?: AbortSignal;
  /** Called after a page is stored. */
  onRows?: (list: List, rows: number) => void;
}

/** Keeps a copy of lists equal to the API. */
export class Sync {
  private readonly positions = new Map<List, Position>();

  constructor(private readonly options: SyncOptions) {}

  /** The number of rows that the API has. */
  async total(list: List): Promise<number> {
    const { buckets } = await this.digest(list);
    return buckets.reduce((sum, { count }) => sum + count, 0);
  }

  /** Stores what has changed. Returns the number of changed rows. */
  async catchUp(list: List, until?: string): Promise<number> {
    const { client, copy, signal, onRows } = this.options;
    const position = this.positions.get(list) ?? { since: copy.since(list) };
    this.positions.set(list, position);
    let stored = 0;
    for await (const rows of client.changesUntilNow(LISTS[list], position, { until, signal })) {
      await copy.store(list, rows, position.since);
      stored += rows.length;
      onRows?.(list, rows.length);
    }
    return stored;
  }

  /** Compares a list with its digest, and makes it equal if `repair` is given. */
  async verify(list: List, { repair }: { repair: boolean }): Promise<Verified> {
    const sum: Repair = { repaired: 0, removed: 0 };
    let suspected: ReadonlySet<string> | undefined;
    let readAgain = false;
    for (let attempt = 1; ; attempt++) {
      const digest = await this.digest(list);
      // The rows that changed before the watermark; later changes would be in none of the buckets.
      await this.catchUp(list, digest.watermark);
      const { rows, different } = await compare(this.options.copy.times(list), digest);
      const result = { list, readAgain, equal: different.length === 0, rows, asOf: digest.watermark, ...sum };
      if (result.equal || attempt === COMPARISONS) return result;
      const confirmed = different.filter((bucket) => suspected?.has(bucket));
      suspected = new Set(different);
      if (confirmed.length === 0) continue;
      if (!repair) return result;
      suspected = undefined;
      if (!readAgain && rows < (confirmed.length - 1) * ROWS_FOR_A_BUCKET) {
        readAgain = true;
        this.positions.set(list, {});
        await this.catchUp(list);
      } else await this.repair(list, confirmed, sum);
    }
  }

  private async repair(list: List, buckets: readonly string[], sum: Repair): Promise<void> {
    const { copy } = this.options;
    for (const bucket of buckets) {
      const digest = await this.digest(list, bucket);
      const isIncluded = included(digest);
      const ours = new Map<string, string>();
      for await (const [id, updatedAt] of copy.times(list, bucket)) ours.set(id, updatedAt);
      const theirs = new Map((digest.rows ?? []).map(({ id, updatedAt }) => [id, updatedAt]));
      const missing = [...theirs].filter(([id, updatedAt]) => ours.get(id) !== updatedAt);
      const gone = [...ours].filter((time) => !theirs.has(time[0]) && isIncluded(time)).map(([id]) => id);
      const found = await this.read(list, missing);
      await copy.store(list, found, copy.since(list));
      if (gone.length > 0) await copy.remove(list, gone);
      sum.repaired += found.length;
      sum.removed += gone.length;
    }
  }

  /** Rows as the list has them at their times. Those that have changed since are later rows of the list, which follow. */
  private async read(list: List, times: readonly Time[]): Promise<Row[]> {
    const { client, signal } = this.options;
    const left = [...new Set(times.map(([, updatedAt]) => updatedAt))];
    const wanted = new Set(times.map(([id]) => id));
    const found: Row[] = [];
    const reader = async () => {
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        const query = { 'updatedAt[after]': shifted(at, -1), 'updatedAt[before]': shifted(at, 1) };
        for await (const row of client.every(LISTS[list], { params: { query }, signal }))
          if (wanted.has(row.id)) found.push(row);
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
    return found;
  }

  private async digest(list: List, bucket?: string) {
    const { client, signal } = this.options;
    for (;;) {
      const digest = await client.get(`${LISTS[list]}/digest`, { params: { query: { bucket } }, signal });
      if (!digest.tooManyChanges) return digest;
      await pause(5_000, signal);
    }
  }
}

/** The time of a row, some microseconds later or earlier. */
function shifted(time: string, microseconds: number): string {
  const at = Date.parse(`${time.slice(0, 19)}Z`) * 1_000 + Number(time.slice(20, 26)) + microseconds;
  const second = new Date(Math.floor(at / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${second}.${String(at % 1_000_000).padStart(6, '0')}Z`;
}
