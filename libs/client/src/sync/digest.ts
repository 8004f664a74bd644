import { createHash } from 'node:crypto';
import type { Digest } from '../openapi';
import { bucketOf, type Time } from './copy';

const NOTHING = createHash('sha256').digest('hex');

/** Whether a digest is about a row with this id and time; what still changes is left out on both sides. */
export function included({ watermark, changed }: Digest): (time: Time) => boolean {
  const moving = new Set(changed);
  return ([id, updatedAt]) => updatedAt <= watermark && !moving.has(id);
}

/**
 * The buckets in which a copy differs from a digest, and the number of rows that were compared.
 *
 * @param times in the order of their buckets, then of their ids
 */
export async function compare(
  times: AsyncIterable<Time>,
  digest: Digest,
): Promise<{ rows: number; different: string[] }> {
  const isIncluded = included(digest);
  const hashes = new Map<string, string>();
  let rows = 0;
  let bucket = '';
  let hash = createHash('sha256');
  for await (const time of times) {
    if (!isIncluded(time)) continue;
    const of = bucketOf(time[0]);
    if (of !== bucket) {
      hashes.set(bucket, hash.digest('hex'));
      hash = createHash('sha256');
      bucket = of;
    }
    hash.update(`${time[0]} ${time[1]}\n`);
    rows++;
  }
  hashes.set(bucket, hash.digest('hex'));
  const different = digest.buckets.filter((each) => each.hash !== (hashes.get(each.bucket) ?? NOTHING));
  return { rows, different: different.map((each) => each.bucket) };
}
