import { type Database, NIL_ID, type RunsOn, statement } from '#platform/database';
import type { RateKey, RateStore, Standing } from './rate-store';

/** One time for the whole statement: the end of the window must not change between the two columns. */
const ADD = statement({
  parameters: ['uuid', 'text', 'int', 'float8'],
  columns: { used: 'int', endsInMs: 'float8' },
  sql: `
    INSERT INTO rate_windows AS w (api_key_id, endpoint, used, window_start)
    VALUES ($1, $2, $3, statement_timestamp())
    ON CONFLICT (api_key_id, endpoint) DO UPDATE SET
      used = CASE WHEN w.window_start > statement_timestamp() - $4 * interval '1 millisecond'
        THEN w.used + excluded.used ELSE excluded.used END,
      window_start = CASE WHEN w.window_start > statement_timestamp() - $4 * interval '1 millisecond'
        THEN w.window_start ELSE statement_timestamp() END
    RETURNING used, $4 - extract(epoch FROM statement_timestamp() - window_start) * 1000 AS "endsInMs"
  `,
  prepared: true,
});

/** Counts in an unlogged table: after a crash of the database, counts start at zero, and so do those of an organization that
 * has moved to another node. */
export class PostgresRateStore implements RateStore {
  constructor(private readonly database: Database) {}

  async add(key: RateKey, uses: number, windowMs: number): Promise<Standing> {
    const values = [key.keyId, key.operation, uses, windowMs] as const;
    const { used, endsInMs } = await this.counted((on) => ADD.one(on, values), key);
    return { used, endsInMs: Number(endsInMs) };
  }

  /** Each node of a distributed database counts for its organizations, so that the absence of a server stops no others. */
  private counted<T>(add: (on: RunsOn) => Promise<T>, { organizationId }: RateKey): Promise<T> {
    if (!this.database.nodes) return add(this.database);
    if (organizationId === NIL_ID) return this.database.anywhere(add);
    return add(this.database.pastQueue(organizationId));
  }
}
