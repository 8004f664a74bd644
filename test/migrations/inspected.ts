import type { QueryRunner } from 'typeorm';
import type { Migration } from '../../libs/platform/database/src/migrations';

/** Lock modes that block writers; AccessExclusiveLock also blocks readers. */
const HOLDS_UP_WRITERS = [
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
] as const;

/**
 * The maximum rows written by one transaction: it holds their locks, and the watermark of all pollers, until it ends.
 */
const LARGEST_BATCH = 1_000;

interface Relation {
  name: string;
  /** Its file; a rewritten table has another one. */
  file: string;
  rowsRead: number;
  rowsWritten: number;
}

interface State {
  tables: Map<string, Relation>;
  /** Each with its table. */
  indexes: Map<string, { name: string; table: string; file: string }>;
}

/**
 * Runs a migration like `migrate`, and checks after each statement which locks it holds. A lock that blocks writers is
 * permitted for a moment, but not in a transaction that also processes rows, whose duration grows with the table, and not
 * in a transaction that locks a second table, because it could deadlock with requests.
 *
 * @param besides tables that are always small
 * @returns the problems of the migration
 */
export async function inspected(
  queryRunner: QueryRunner,
  migration: Migration,
  besides: readonly string[] = [],
): Promise<string[]> {
  const wrong = new Set<string>();
  const whole = migration.transaction !== false;
  let before: State;
  // Row counts include what the session has not reported yet; within a transaction it reports nothing.
  const begin = async () => {
    await queryRunner.startTransaction();
    before = await stateOf(queryRunner);
  };
  const look = async () => {
    const after = await stateOf(queryRunner);
    for (const words of await violations(queryRunner, before, after, besides)) wrong.add(words);
  };
  const statement = async (text: string, values?: unknown[]) => {
    // Concurrent statements do not block, and run without a transaction.
    const alone = !whole && !/\bCONCURRENTLY\b/i.test(text);
    if (alone) await begin();
    const answer = await queryRunner.query(text, values);
    if (whole || alone) await look();
    if (alone) await queryRunner.commitTransaction();
    return answer;
  };
  const watched = new Proxy(queryRunner, {
    get: (target, name) => (name === 'query' ? statement : Reflect.get(target, name)),
  });

  if (whole) await begin();
  try {
    await migration.up(watched);
    if (whole) await queryRunner.commitTransaction();
  } catch (error) {
    if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction();
    throw error;
  }
  return [...wrong];
}

async function violations(
  queryRunner: QueryRunner,
  before: State,
  after: State,
  besides: readonly string[],
): Promise<string[]> {
  const tables = [...after.tables].flatMap(([id, now]) => {
    const then = before.tables.get(id);
    return then && !besides.includes(now.name) ? [{ id, now, then }] : [];
  });
  const held = await heldUp(queryRunner, new Set(tables.map(({ id }) => id)));
  const stopped = held.filter(({ readers }) => readers);
  const names = held.map(({ name }) => name).join(', ');
  const rewritten = tables.filter(({ now, then }) => now.file !== then.file);
  const read = tables.filter(({ now, then }) => now.rowsRead > then.rowsRead);
  const written = tables.filter(({ now, then }) => now.rowsWritten - then.rowsWritten > LARGEST_BATCH);
  const files = new Set([...before.indexes.values()].map(({ file }) => file));
  const built = [...after.indexes.values()].filter(
    ({ table, file }) => tables.some(({ id }) => id === table) && !files.has(file),
  );
  return [
    ...(stopped.length > 1
      ? [`stops ${stopped.map(({ name }) => name).join(' and ')} in one transaction`]
      : []),
    ...rewritten.map(({ now }) => `writes the table ${now.name} anew`),
    ...built.map(({ name }) => `builds ${name} while writers wait`),
    ...written.map(({ now }) => `writes more than ${LARGEST_BATCH} rows of ${now.name} in one transaction`),
    ...(held.length ? read : []).map(
      ({ now }) => `reads the rows of ${now.name} while writers wait for ${names}`,
    ),
  ];
}

/** Tables, of the given ones, that this transaction locks for writers, and whether for readers as well. */
async function heldUp(
  queryRunner: QueryRunner,
  ids: ReadonlySet<string>,
): Promise<{ name: string; readers: boolean }[]> {
  const locks: { id: string; name: string; readers: boolean }[] = await queryRunner.query(
    `SELECT relation::text AS id, relation::regclass::text AS name, bool_or(mode = 'AccessExclusiveLock') AS readers
     FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted AND mode = ANY ($1)
     GROUP BY relation ORDER BY name`,
    [HOLDS_UP_WRITERS],
  );
  return locks.filter(({ id }) => ids.has(id));
}

async function stateOf(queryRunner: QueryRunner): Promise<State> {
  const tables: (Relation & { id: string })[] = await queryRunner.query(
    `SELECT c.oid::text AS id, c.relname AS name, c.relfilenode::text AS file,
       (pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::int AS "rowsRead",
       (pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid)
         + pg_stat_get_xact_tuples_deleted(c.oid))::int AS "rowsWritten"
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
  );
  const indexes: { id: string; name: string; table: string; file: string }[] = await queryRunner.query(
    `SELECT c.oid::text AS id, c.relname AS name, i.indrelid::text AS table, c.relfilenode::text AS file
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
  );
  const byId = <Row extends { id: string }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));
  return { tables: byId(tables), indexes: byId(indexes) };
}
