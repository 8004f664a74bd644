import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientBase, Pool, QueryResult } from 'pg';
import { DataSource, EntityManager, type QueryRunner } from 'typeorm';
import { execute } from './prepared-query';

/** What pg returns for a value of a PostgreSQL type. */
interface Outputs {
  uuid: string;
  text: string;
  name: string;
  tsquery: string;
  boolean: boolean;
  int: number;
  bigint: string;
  numeric: string;
  float8: number;
  timestamptz: Date;
  bytea: Buffer;
  json: unknown;
  jsonb: unknown;
}

/**
 * The JavaScript types that pg accepts for parameters of a PostgreSQL type, if they differ. JSON is passed as text.
 */
interface Inputs extends Omit<Outputs, 'bigint' | 'timestamptz' | 'json' | 'jsonb'> {
  bigint: string | number | bigint;
  timestamptz: string | Date;
  json: string;
  jsonb: string;
}

type TypeName = keyof Outputs;

/**
 * A PostgreSQL type. `?` follows the type of a value that can be null, and `!` that of a value that is never null, although
 * its column could be.
 */
export type SqlType = `${TypeName}${'' | '[]'}${'' | '?' | '!'}`;

/** A PostgreSQL type with a narrower TypeScript type. */
export interface Typed<T> {
  type: SqlType;
  /** Has no value at run time. */
  as?: T;
}
type Declared = SqlType | Typed<unknown>;

/**
 * Values of `type` that TypeScript knows more about: `typed<StaffRole>('text')`, or the contents of JSON.
 */
export const typed = <T>(type: SqlType): Typed<T> => ({ type });

export const typeOf = (declared: Declared): SqlType =>
  typeof declared === 'string' ? declared : declared.type;

type Value<Types, Name> = Name extends `${infer Element}[]`
  ? Types[Element & keyof Types][]
  : Types[Name & keyof Types];
type Nullable<Types, Name> = Name extends `${infer Some}?`
  ? Value<Types, Some> | null
  : Name extends `${infer Some}!`
    ? Value<Types, Some>
    : Value<Types, Name>;
type Output<D> = D extends Typed<infer T> ? T : Nullable<Outputs, D>;
type Input<D> = D extends Typed<infer T> ? T : ReadonlyArrays<Nullable<Inputs, D>>;
type ReadonlyArrays<V> = V extends (infer Element)[] ? readonly Element[] : V;

type Columns = Readonly<Record<string, Declared>>;
type RowOf<C> = { -readonly [Name in keyof C]: Output<C[Name]> };
type ParametersOf<P> = { readonly [Index in keyof P]: Input<P[Index]> };

/** The type of a statement's rows. */
export type Row<S> = S extends Statement<infer _, infer C> ? RowOf<C> : never;

/** The type of a statement's parameter values. */
export type Values<S> = S extends Statement<infer P, infer _> ? ParametersOf<P> : never;

/** Runs statements outside of transactions, such as `database.of(organizationId)`. */
export interface Executor {
  execute(query: {
    name?: string;
    text: string;
    values: unknown[];
  }): Promise<Pick<QueryResult, 'rows' | 'rowCount'>>;
}

/** Where a statement runs: on a connection of a pool, or in the transaction of a manager. */
export type RunsOn = Executor | EntityManager | DataSource | QueryRunner | ClientBase;

/** If a statement has no parameters, its values can be omitted. */
type ValuesOf<P extends readonly Declared[]> = P extends readonly []
  ? [values?: readonly []]
  : [values: ParametersOf<P>];

interface Declaration<P, C> {
  /** The types of `$1`, `$2` and so on. */
  parameters?: P;
  /** The names and types of the columns, in any order. A statement without them returns no rows to its caller. */
  columns?: C;
  sql: string;
  /** Planned once for each connection. Otherwise PostgreSQL plans it each time, for its values and the current data. */
  prepared?: true;
}

/** Statements are prepared under a name that is derived from their text, so that PostgreSQL plans each only once. */
const names = new LRUCache<string, string>({ max: 5_000 });
export function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

const LOCKING = /\bFOR (NO KEY )?UPDATE\b|\bpg_advisory_(xact_)?lock\b/;

/** How long the statements of each connection that take locks lasted, in milliseconds. */
const lockMs = new WeakMap<ClientBase | Pool, number>();

/**
 * How long the statements that take locks lasted on the connection of a transaction, in milliseconds. Two readings give the
 * part of the time in between that may have been a wait for other transactions.
 */
export const lockMsOf = async (manager: EntityManager): Promise<number> =>
  lockMs.get(await connectionOf(manager)) ?? 0;

/** An SQL statement. */
export class Statement<P extends readonly Declared[], C extends Columns> {
  readonly parameters: readonly SqlType[];
  readonly columns: ReadonlyMap<string, SqlType> | undefined;
  readonly text: string;
  private readonly name: string | undefined;
  private readonly locks: boolean;

  constructor({ parameters, columns, sql, prepared }: Declaration<P, C>) {
    this.parameters = (parameters ?? []).map(typeOf);
    this.columns = columns && new Map(Object.entries(columns).map(([name, type]) => [name, typeOf(type)]));
    this.text = sql;
    this.name = prepared && nameOf(sql);
    this.locks = LOCKING.test(sql);
  }

  async rows(on: RunsOn, ...[values]: ValuesOf<P>): Promise<RowOf<C>[]> {
    return (await this.execute(on, values)).rows;
  }

  /** The first row, if there is one. */
  async first(on: RunsOn, ...[values]: ValuesOf<P>): Promise<RowOf<C> | undefined> {
    return (await this.execute(on, values)).rows[0];
  }

  /** The row of a statement that always returns one. */
  async one(on: RunsOn, ...[values]: ValuesOf<P>): Promise<RowOf<C>> {
    const [row] = (await this.execute(on, values)).rows;
    if (!row) throw new Error(`No row: ${this.text}`);
    return row;
  }

  /** @returns how many rows it changed or read */
  async run(on: RunsOn, ...[values]: ValuesOf<P>): Promise<number> {
    return (await this.execute(on, values)).rowCount ?? 0;
  }

  private async execute(on: RunsOn, values: readonly unknown[] = []) {
    const query = { name: this.name, text: this.text, values: values as unknown[] };
    if ('execute' in on) return on.execute(query);
    const connection = await connectionOf(on);
    if (!this.locks) return execute<RowOf<C>>(connection, query);
    const began = performance.now();
    try {
      return await execute<RowOf<C>>(connection, query);
    } finally {
      lockMs.set(connection, (lockMs.get(connection) ?? 0) + performance.now() - began);
    }
  }
}

async function connectionOf(on: Exclude<RunsOn, Executor>): Promise<ClientBase | Pool> {
  if (on instanceof EntityManager) return on.queryRunner ? on.queryRunner.connect() : poolOf(on.dataSource);
  if (on instanceof DataSource) return poolOf(on);
  // A query runner returns its connection; a client is a connection itself.
  return 'manager' in on ? on.connect() : on;
}

export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/**
 * The callers that wait because no connection is idle. pg-pool queues a caller for a moment also if one is, which would
 * count the queries of the scrape that asks.
 */
export const waitingCallers = ({ waitingCount, idleCount }: Pool): number =>
  Math.max(0, waitingCount - idleCount);

const declared: Statement<readonly Declared[], Columns>[] = [];

/** All statements of the modules that are loaded. A test compares them with a migrated database. */
export const declaredStatements = (): readonly Statement<readonly Declared[], Columns>[] => declared;

/**
 * Declares an SQL statement. Call it once for each statement, when the module is loaded.
 *
 *   const FIND_PARTNER = statement({
 *     parameters: ['uuid', 'text'],
 *     columns: { id: 'uuid', name: 'text', websiteUrl: 'text?' },
 *     sql: 'SELECT id, name, website_url AS "websiteUrl" FROM partners WHERE organization_id = $1 AND name = $2',
 *   });
 *   const partner = await FIND_PARTNER.first(manager, [organizationId, name]);
 */
export function statement<
  const P extends readonly Declared[] = [],
  const C extends Columns = Record<never, never>,
>(declaration: Declaration<P, C>): Statement<P, C> {
  const made = new Statement<P, C>(declaration);
  declared.push(made as unknown as (typeof declared)[number]);
  return made;
}
