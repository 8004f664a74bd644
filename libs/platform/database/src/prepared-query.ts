import { LRUCache } from 'lru-cache';
import {
  type ClientBase,
  type FieldDef,
  type QueryConfig as PgQueryConfig,
  type Pool,
  type QueryResult,
  type Submittable,
  types,
} from 'pg';
import { prepareValue } from 'pg/lib/utils';

/** A statement, and values for its parameters. */
export interface QueryConfig {
  /** Under which it stays prepared on a connection. Without a name, it is parsed for each execution. */
  name?: string;
  text: string;
  values?: readonly unknown[];
  /** Rows are objects; or arrays of values; or arrays of texts, as PostgreSQL writes the values. */
  rowMode?: 'array' | 'text';
  /** With `text`: what to keep of a row, called as it arrives. */
  each?: (row: (string | null)[], columns: readonly FieldDef[]) => unknown;
  /** In milliseconds. Without it, that of the connection. */
  query_timeout?: number;
}

/** A statement without a result of interest, executed before another in the same round trip. It must be prepared already. */
export interface Preceding {
  name: string;
  values: readonly string[];
}

/** The columns of a statement, and the parsers of their values. */
interface Description {
  fields: readonly FieldDef[];
  parsers: readonly ((text: string) => unknown)[];
}

/** The parts of pg's connection that are used here. pg has them, but its types do not. */
interface Wire {
  stream: { cork(): void; uncork(): void; pause(): void; resume(): void };
  /** Texts of the prepared statements, by name. pg maintains it from `name` and `text` of the active query. */
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  close(statement: { type: 'S'; name: string }): void;
  bind(bound: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

/**
 * The bytes of rows after which the other connections of the process have a turn. Without a pause, the event loop reads up to 32
 * times from a connection that has more.
 */
const TURN = 262_144;

/**
 * The most statements that stay prepared on a connection. A list has a text for each set of filters, more than a million together, and
 * PostgreSQL keeps the plan of each in the memory of the connection.
 */
const MOST_PREPARED = 500;

/** A statement that is prepared on a connection, or is about to be. */
interface Prepared {
  /** PostgreSQL refuses to execute a prepared statement whose columns have changed, so that it remains valid. */
  description?: Description;
}

const statements = new WeakMap<Wire, LRUCache<string, Prepared>>();

const statementsOn = (wire: Wire): LRUCache<string, Prepared> => {
  let prepared = statements.get(wire);
  if (!prepared) {
    prepared = new LRUCache({
      max: MOST_PREPARED,
      dispose(_, name, reason) {
        if (reason !== 'evict') return;
        delete wire.parsedStatements[name];
        wire.close({ type: 'S', name });
      },
    });
    statements.set(wire, prepared);
  }
  return prepared;
};

/** Whether a statement is prepared on a connection, where it can precede another. */
export const isPrepared = (client: ClientBase, name: string): boolean =>
  (client as unknown as { connection: Wire }).connection.parsedStatements[name] !== undefined;

const descriptionOf = (fields: readonly FieldDef[]): Description => ({
  fields,
  parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID)),
});

/** `SELECT 5`, `INSERT 0 5` */
const TAG = /^(\w+)(?:.* (\d+))?$/;

/**
 * An execution of a statement. pg describes the columns of a prepared statement for each execution, which costs both sides more
 * than a short row. Here a connection describes them for the first execution only.
 */
class PreparedQuery implements Submittable {
  // pg's client reads the first three, and sets the fourth.
  readonly name: string;
  readonly text: string;
  readonly query_timeout?: number;
  declare callback: (error: Error | null, result?: QueryResult) => void;
  private readonly values: readonly (string | Buffer | null)[];
  private readonly rowMode: QueryConfig['rowMode'];
  private readonly each: QueryConfig['each'];
  private description?: Description;
  private prepared: Prepared = {};
  private readonly rows: unknown[] = [];
  private command = '';
  private rowCount: number | null = null;
  private failure?: Error;
  private wire?: Wire;
  private sinceTurn = 0;

  /** @throws if a value can't be a parameter */
  constructor(
    { name = '', text, values = [], rowMode, each, query_timeout }: QueryConfig,
    private preceding?: Preceding,
  ) {
    this.name = name;
    this.text = text;
    this.values = values.map((value) => prepareValue(value));
    this.rowMode = rowMode;
    this.each = each;
    this.query_timeout = query_timeout;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    this.wire = wire;
    const { name, text, values, preceding } = this;
    const statements = statementsOn(wire);
    // One write for all messages.
    wire.stream.cork();
    // What is used least makes room first: of messages that follow an error, PostgreSQL heeds none.
    if (preceding) statements.get(preceding.name);
    this.prepared = statements.get(name) ?? {};
    if (name && !statements.has(name)) statements.set(name, this.prepared);
    if (preceding) {
      wire.bind({ statement: preceding.name, values: preceding.values });
      wire.execute();
    }
    const isParsed = wire.parsedStatements[name] !== undefined;
    if (isParsed) this.description = this.prepared.description;
    else wire.parse({ name, text });
    wire.bind({ statement: name, values });
    if (!this.description) wire.describe({ type: 'P' });
    wire.execute();
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.description = descriptionOf(fields);
  }

  handleDataRow({ fields: row, length }: { fields: (string | null)[]; length: number }): void {
    this.giveTurns(length);
    if (this.preceding || this.failure) return;
    try {
      this.rows.push(this.rowMode === 'text' ? this.kept(row) : this.parsed(row));
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (this.preceding) {
      this.preceding = undefined;
      return;
    }
    const [, command = '', count] = TAG.exec(text) ?? [];
    this.command = command;
    this.rowCount = count === undefined ? null : Number(count);
  }

  handleReadyForQuery(): void {
    if (this.failure) {
      this.callback(this.failure);
      return;
    }
    // PostgreSQL describes no columns of a statement without them.
    this.description ??= descriptionOf([]);
    this.prepared.description = this.description;
    const { command, rowCount, rows, description } = this;
    const fields = description.fields as FieldDef[];
    this.callback(null, { command, rowCount, oid: 0, fields, rows });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('Statements can not copy');
  }

  handleCopyData(): void {}

  private giveTurns(bytes: number): void {
    this.sinceTurn += bytes;
    const stream = this.wire?.stream;
    if (this.sinceTurn < TURN || !stream) return;
    this.sinceTurn = 0;
    stream.pause();
    setImmediate(() => stream.resume());
  }

  private kept(row: (string | null)[]): unknown {
    return this.each ? this.each(row, (this.description as Description).fields) : row;
  }

  private parsed(row: readonly (string | null)[]): unknown {
    const { fields, parsers } = this.description as Description;
    const values = row.map((text, i) => (text === null ? null : parsers[i]?.(text)));
    if (this.rowMode) return values;
    return Object.fromEntries(fields.map(({ name }, i) => [name, values[i]]));
  }
}

/**
 * Executes a statement.
 *
 * @param on a connection, or a pool, which lends one
 */
export async function execute<Row>(
  on: ClientBase | Pool,
  config: QueryConfig,
  preceding?: Preceding,
): Promise<QueryResult<Row & object>> {
  // Only pg's own queries may have several commands.
  if (!config.name && !preceding) return on.query<Row & object>(config as PgQueryConfig);
  const query = new PreparedQuery(config, preceding);
  const send = on.query.bind(on) as unknown as (
    query: PreparedQuery,
    values: undefined,
    done: unknown,
  ) => void;
  try {
    return await new Promise((resolve, reject) => {
      send(query, undefined, (error: Error | null, result: QueryResult<Row & object>) =>
        error ? reject(error) : resolve(result),
      );
    });
  } catch (error) {
    // The stack of pg's errors begins at the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
