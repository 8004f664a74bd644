import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { Database, Watermark } from '#platform/database';
import type { Digest, DigestBucket } from './digest.dto';
import type { ListDeclaration } from './list-declaration';
import { byte } from './parameters';
import { type Bind, conditionsOf, instant, isLimited } from './resource';

/** The most ids of changed rows. With more, there are no hashes. */
const MOST_CHANGES = 10_000;
const EMPTY = createHash('sha256').digest('hex');
const BUCKETS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** The organizations and lists whose hashes are in memory: about 30 KB each. */
const MOST_KEPT = 1_000;

/** The query parameter of a digest. */
export const bucketParameter = byte(
  'Lists the rows of this bucket: the last byte of their ids, in hexadecimal.',
);

/** The hashes of all rows up to a watermark. */
interface Kept {
  watermark: string;
  buckets: ReadonlyMap<string, DigestBucket>;
}

/** A row of the statement: a bucket; or, without one, the watermark and the changed ids. */
type Found = [
  bucket: string | null,
  count: number,
  hash: string | null,
  rows: { id: string; updatedAt: string }[] | null,
  watermark: string,
  changed: string[],
];

/**
 * Digests of lists (decisions.md, section 11). Every later change of a row is later than the watermark, so a bucket is hashed again only
 * if one of its rows has changed since: hashes of callers who see all rows stay in the memory of the process.
 */
@Injectable()
export class Digests {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly database: Database,
    private readonly watermark: Watermark,
  ) {}

  /** @param bucket the bucket whose rows are listed; undefined: the hashes of all buckets */
  async of(list: ListDeclaration, caller: Caller, bucket?: string): Promise<Digest> {
    const before = await this.watermark.of(caller.organizationId);
    const key = `${list.name} ${caller.organizationId}`;
    const keeps = bucket === undefined && !caller.partner && !isLimited(list.of, caller);
    const kept = keeps ? this.kept.get(key) : undefined;
    const values: unknown[] = [];
    const text = statementOf(list, caller, (value) => `$${values.push(value)}`, before, bucket, kept);
    const found = await this.database.of(caller).tuples<Found>(text, values);
    const [, , , , watermark, changed] = found.find(([name]) => name === null) as Found;
    if (changed.length > MOST_CHANGES)
      return { watermark, tooManyChanges: true, changed: [], buckets: [], ...(bucket && { rows: [] }) };
    const buckets = new Map(kept?.buckets);
    for (const [name, count, hash] of found)
      if (name !== null) buckets.set(name, { bucket: name, count, hash: hash ?? EMPTY });
    if (keeps) this.keep(key, { watermark: before, buckets });
    const names = bucket === undefined ? BUCKETS : [bucket];
    return {
      watermark,
      tooManyChanges: false,
      changed,
      buckets: names.map((name) => buckets.get(name) ?? { bucket: name, count: 0, hash: EMPTY }),
      ...(bucket !== undefined && { rows: found.find(([name]) => name === bucket)?.[3] ?? [] }),
    };
  }

  /** The least recently used is forgotten. */
  private keep(key: string, kept: Kept): void {
    this.kept.delete(key);
    this.kept.set(key, kept);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size > MOST_KEPT) this.kept.delete(oldest);
  }
}

const bucketOf = (id: string): string => `get_byte(uuid_send(${id}), 15)`;
const named = (byte: string): string => `lpad(to_hex(${byte}), 2, '0')`;

/**
 * One statement, so that all buckets and the changed ids are of the same snapshot.
 *
 * @param before as of lists: rows that changed before it
 * @param kept hashes that are valid for buckets whose rows have not changed since
 */
function statementOf(
  { of, times }: ListDeclaration,
  caller: Caller,
  bind: Bind,
  before: string,
  bucket: string | undefined,
  kept: Kept | undefined,
): string {
  if (!times) throw new Error('A digest needs the times of its list');
  const { id = 't.id', from } = of;
  const { updatedAt } = times;
  const visible = conditionsOf(of, caller, bind).join(' AND ');
  const end = `${bind(before)}::timestamptz`;
  // A row that has left the list changed, too: so the condition of the list does not apply.
  const since = kept && `${bind(kept.watermark < before ? kept.watermark : before)}::timestamptz`;
  const wanted =
    bucket !== undefined
      ? `SELECT ${bind(Number.parseInt(bucket, 16))}::int AS byte`
      : since
        ? `SELECT DISTINCT ${bucketOf(id)} AS byte FROM ${from} WHERE t.organization_id = ${bind(caller.organizationId)} AND ${updatedAt} >= ${since}`
        : 'SELECT byte FROM generate_series(0, 255) byte';
  const rows =
    bucket === undefined
      ? 'NULL::json'
      : `coalesce(json_agg(json_build_object('id', r.id, 'updatedAt', r.at) ORDER BY r.id) FILTER (WHERE r.id IS NOT NULL), '[]')`;
  return `
    WITH changed AS MATERIALIZED (
      SELECT ${id} AS id FROM ${from} WHERE ${visible} AND ${updatedAt} >= ${end} LIMIT ${MOST_CHANGES + 1}
    ), wanted AS MATERIALIZED (${wanted}
    ), present AS (
      SELECT ${id} AS id, ${bucketOf(id)} AS byte, ${instant(updatedAt)} AS at FROM ${from}
      WHERE ${visible} AND ${updatedAt} < ${end} AND ${bucketOf(id)} IN (SELECT byte FROM wanted)
    )
    SELECT ${named('w.byte')}, count(r.id)::int,
      encode(sha256(convert_to(string_agg(concat(r.id, ' ', r.at, E'\\n'), '' ORDER BY r.id) FILTER (WHERE r.id IS NOT NULL), 'UTF8')), 'hex'),
      ${rows}, NULL, NULL
    FROM wanted w LEFT JOIN present r ON r.byte = w.byte
    WHERE (SELECT count(*) FROM changed) <= ${MOST_CHANGES}
    GROUP BY w.byte
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, ${instant(`(${end} - interval '1 microsecond')`)}, array(SELECT id FROM changed)`;
}
