import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { Database, Watermark } from '#platform/database';
import type { Digest, DigestBucket } from './digest.dto';
import { type Change, LINE_LENGTH, withChanges } from './digest-lines';
import type { ListDeclaration } from './list-declaration';
import { byte } from './parameters';
import { type Bind, conditionsOf, instant, isLimited } from './resource';

/** The most ids of changed rows. With more, there are no hashes. */
const MOST_CHANGES = 10_000;
const EMPTY = createHash('sha256').digest('hex');
const BUCKETS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** The organizations and lists whose hashes are in memory: about 30 KB each, without the lines. */
const MOST_KEPT = 1_000;
/** Bytes of the lines of all lists: 65 per row. */
const MEMORY = 67_108_864;

/** The query parameter of a digest. */
export const bucketParameter = byte(
  'Lists the rows of this bucket: the last byte of their ids, in hexadecimal.',
);

/** The hashes of all rows up to a watermark, and the hashed lines if there is memory for them. */
interface Kept {
  watermark: string;
  buckets: ReadonlyMap<string, DigestBucket>;
  lines?: ReadonlyMap<string, Buffer>;
  /** Of the lines. */
  bytes: number;
}

type Read = Omit<Kept, 'bytes'> & { changed: string[]; rows: { id: string; updatedAt: string }[] };

/** A row of the statement: a bucket; or, without one, the watermark and the changed ids. */
type Found = [
  bucket: string | null,
  count: number,
  hash: string | null,
  lines: string | null,
  rows: { id: string; updatedAt: string }[] | null,
  watermark: string,
  changed: string[],
  total: string | null,
];

/** A row that has changed since the kept watermark; without an id, the new watermark and the total. `at`: if the row is in the digest. */
type FoundChange = [id: string | null, at: string, isChanged: boolean, total: string | null];

/**
 * Digests of lists (decisions.md, section 11). Every later change of a row is later than the watermark, so hashes of callers who see all
 * rows stay in the memory of the process. The next digest reads only what has changed since, if the lines are kept as well; else
 * PostgreSQL hashes the buckets of those rows again. A deleted row is in none of these reads: if the rows are fewer than those kept, all
 * are read again.
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
    const brought = kept?.lines && (await this.broughtUpToDate(list, caller, before, kept, kept.lines));
    const hashed = kept?.lines ? undefined : kept;
    const mostLines = keeps && !hashed ? Math.floor(MEMORY / LINE_LENGTH) : 0;
    const found = brought ?? (await this.read(list, caller, before, bucket, hashed, mostLines));
    const { watermark, changed, buckets, lines, rows } = found;
    if (changed.length > MOST_CHANGES)
      return { watermark, tooManyChanges: true, changed: [], buckets: [], ...(bucket && { rows: [] }) };
    if (keeps) this.keep(key, { watermark: before, buckets, lines, bytes: sizeOf(lines) });
    const names = bucket === undefined ? BUCKETS : [bucket];
    return {
      watermark,
      tooManyChanges: false,
      changed,
      buckets: names.map((name) => buckets.get(name) ?? { bucket: name, count: 0, hash: EMPTY }),
      ...(bucket !== undefined && { rows }),
    };
  }

  /** PostgreSQL hashes. */
  private async read(
    list: ListDeclaration,
    caller: Caller,
    before: string,
    bucket: string | undefined,
    kept: Kept | undefined,
    mostLines: number,
  ): Promise<Read> {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const text = statementOf(list, caller, bind, before, bucket, kept, mostLines);
    const found = await this.database.of(caller).tuples<Found>(text, values);
    const [, , , , , watermark, changed, all] = found.find(([name]) => name === null) as Found;
    const buckets = new Map(kept?.buckets);
    const lines = new Map<string, Buffer>();
    let total = 0;
    for (const [name, count, hash, text] of found) {
      if (name === null) continue;
      buckets.set(name, { bucket: name, count, hash: hash ?? EMPTY });
      total += count;
      if (text !== null) lines.set(name, Buffer.from(text, 'latin1'));
    }
    if (kept && changed.length <= MOST_CHANGES && countOf(buckets) + changed.length !== Number(all))
      return this.read(list, caller, before, bucket, undefined, mostLines);
    return {
      watermark,
      changed,
      buckets,
      lines: total < mostLines ? lines : undefined,
      rows: found.find(([name]) => name === bucket)?.[4] ?? [],
    };
  }

  /** Undefined if too much has changed, or rows were deleted. */
  private async broughtUpToDate(
    list: ListDeclaration,
    caller: Caller,
    before: string,
    kept: Kept,
    keptLines: ReadonlyMap<string, Buffer>,
  ) {
    const values: unknown[] = [];
    const text = changesOf(list, caller, (value) => `$${values.push(value)}`, before, kept.watermark);
    const found = await this.database.of(caller).tuples<FoundChange>(text, values);
    if (found.length > MOST_CHANGES) return undefined;
    const changed: string[] = [];
    const changes = new Map<string, Change[]>();
    let watermark = '';
    let all = 0;
    for (const [id, at, isChanged, total] of found) {
      if (id === null) {
        watermark = at;
        all = Number(total);
        continue;
      }
      if (isChanged) changed.push(id);
      const own = changes.get(id.slice(-2));
      if (own) own.push({ id, at });
      else changes.set(id.slice(-2), [{ id, at }]);
    }
    const buckets = new Map(kept.buckets);
    const lines = new Map(keptLines);
    for (const [bucket, own] of changes) {
      const next = withChanges(lines.get(bucket) ?? Buffer.alloc(0), own);
      const hash = createHash('sha256').update(next).digest('hex');
      lines.set(bucket, next);
      buckets.set(bucket, { bucket, count: next.length / LINE_LENGTH, hash });
      await nextTurn();
    }
    if (countOf(buckets) + changed.length !== all) return undefined;
    return { watermark, changed, buckets, lines, rows: [] };
  }

  /** The least recently used is forgotten. */
  private keep(key: string, kept: Kept): void {
    this.kept.delete(key);
    this.kept.set(key, kept);
    let size = [...this.kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const [oldest, { bytes }] of this.kept) {
      if (this.kept.size <= MOST_KEPT && size <= MEMORY) return;
      this.kept.delete(oldest);
      size -= bytes;
    }
  }
}

const sizeOf = (lines: ReadonlyMap<string, Buffer> = new Map()): number =>
  [...lines.values()].reduce((sum, { length }) => sum + length, 0);

const countOf = (buckets: ReadonlyMap<string, DigestBucket>): number =>
  [...buckets.values()].reduce((sum, { count }) => sum + count, 0);

const bucketOf = (id: string): string => `get_byte(uuid_send(${id}), 15)`;
const named = (byte: string): string => `lpad(to_hex(${byte}), 2, '0')`;

/**
 * What the statements of a digest have in common.
 *
 * @param before as of lists: rows that changed before it
 * @param kept the watermark of the kept hashes
 */
function partsOf(
  { of, times, counter, counts }: ListDeclaration,
  caller: Caller,
  bind: Bind,
  before: string,
  kept: string | undefined,
) {
  if (!times) throw new Error('A digest needs the times of its list');
  const { id = 't.id', from } = of;
  const { updatedAt } = times;
  const visible = conditionsOf(of, caller, bind).join(' AND ');
  const end = `${bind(before)}::timestamptz`;
  const watermark = instant(`(${end} - interval '1 microsecond')`);
  // A row that has left the list changed, too: so the condition of the list does not apply.
  const since =
    kept &&
    `${from} WHERE t.organization_id = ${bind(caller.organizationId)}
        AND ${updatedAt} >= ${bind(kept < before ? kept : before)}::timestamptz`;
  // Of all rows, as of lists.
  const { organizationId } = caller;
  const total =
    kept &&
    (counter
      ? `tally(${bind(organizationId)}, '${counter}', ${bind(counts?.(caller) ?? organizationId)})`
      : `(SELECT count(*) FROM ${from} WHERE ${visible})`);
  return { id, from, updatedAt, visible, end, watermark, since, total };
}

/**
 * One statement, so that all buckets and the changed ids are of the same snapshot.
 *
 * @param kept hashes that are valid for buckets whose rows have not changed since
 * @param mostLines with more rows, there are no lines
 */
function statementOf(
  list: ListDeclaration,
  caller: Caller,
  bind: Bind,
  before: string,
  bucket: string | undefined,
  kept: Kept | undefined,
  mostLines: number,
): string {
  const parts = partsOf(list, caller, bind, before, kept?.watermark);
  const { id, from, updatedAt, visible, end, watermark, since, total = 'NULL' } = parts;
  const wanted =
    bucket !== undefined
      ? `SELECT ${bind(Number.parseInt(bucket, 16))}::int AS byte`
      : since
        ? `SELECT DISTINCT ${bucketOf(id)} AS byte FROM ${since}`
        : 'SELECT byte FROM generate_series(0, 255) byte';
  const rows =
    bucket === undefined
      ? 'NULL::json'
      : `json_agg(json_build_object('id', r.id, 'updatedAt', r.at) ORDER BY r.id)`;
  const lines = `string_agg(concat(r.id, ' ', r.at, E'\\n'), '' ORDER BY r.id)`;
  return `
    WITH changed AS MATERIALIZED (
      SELECT ${id} AS id FROM ${from} WHERE ${visible} AND ${updatedAt} >= ${end} LIMIT ${MOST_CHANGES + 1}
    ), wanted AS MATERIALIZED (${wanted}
    ), present AS (
      SELECT ${id} AS id, ${bucketOf(id)} AS byte, ${instant(updatedAt)} AS at FROM ${from}
      WHERE ${visible} AND ${updatedAt} < ${end} AND ${bucketOf(id)} IN (SELECT byte FROM wanted)
    ), hashed AS (
      SELECT r.byte, count(*)::int AS count, encode(sha256(convert_to(${lines}, 'UTF8')), 'hex') AS hash,
        ${mostLines > 0 ? `CASE WHEN sum(count(*)) OVER () < ${bind(mostLines)}::bigint THEN ${lines} END` : 'NULL'} AS lines, ${rows} AS rows
      FROM present r GROUP BY r.byte
    )
    SELECT ${named('w.byte')}, coalesce(h.count, 0), h.hash, h.lines, h.rows, NULL, NULL, NULL
    FROM wanted w LEFT JOIN hashed h ON h.byte = w.byte
    WHERE (SELECT count(*) FROM changed) <= ${MOST_CHANGES}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, ${watermark}, array(SELECT id FROM changed), ${total}`;
}

/** The rows that have changed since the kept watermark, in one statement, so that all are of the same snapshot. */
function changesOf(list: ListDeclaration, caller: Caller, bind: Bind, before: string, kept: string): string {
  const { id, updatedAt, visible, end, watermark, since, total } = partsOf(list, caller, bind, before, kept);
  return `
    SELECT r.id, CASE WHEN r.visible AND r.at < ${end} THEN ${instant('r.at')} END, coalesce(r.visible AND r.at >= ${end}, false), NULL
    FROM (
      SELECT ${id} AS id, ${updatedAt} AS at, ${visible} AS visible
      FROM ${since}
      ORDER BY ${updatedAt} LIMIT ${MOST_CHANGES}
    ) r
    UNION ALL
    SELECT NULL, ${watermark}, false, ${total}`;
}
