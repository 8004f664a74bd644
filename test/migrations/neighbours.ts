import { Client } from 'pg';
import { eventually } from '../harness';

/** A migration that others have to wait for until it ends would exceed it, and no statement otherwise. */
const PATIENCE_MS = 60_000;

/** Two connections that use every table in a loop: one reads a row, the other writes one unchanged. */
export class Neighbours {
  private readonly failures = new Set<string>();
  private working: Promise<void>[] = [];
  private readonly rounds = [0, 0];
  /** Of each connection. Those of an earlier start are not continued. */
  private current: string[][] = [];

  constructor(private readonly url: string) {}

  /** Resolves when both work, from now on with the current tables. Their errors so far are forgotten. */
  async start(): Promise<void> {
    this.current = await this.statements();
    this.failures.clear();
    if (this.working.length > 0) return;
    this.working = this.current.map((_, who) => this.work(who));
    await this.goOn();
  }

  /**
   * Resolves when both have used every table again.
   *
   * @returns their errors since the start
   */
  async goOn(): Promise<string[]> {
    const before = [...this.rounds];
    await eventually(async () => this.rounds.every((round, who) => round > (before[who] ?? 0) + 1));
    return [...this.failures];
  }

  async stop(): Promise<void> {
    this.current = [];
    await Promise.all(this.working);
  }

  private async statements(): Promise<string[][]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    const { rows } = await client.query<{ name: string; column: string }>(
      `SELECT DISTINCT ON (c.oid) c.relname AS name, a.attname AS column FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND a.attidentity = '' AND a.attgenerated = ''
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.oid, a.attnum`,
    );
    await client.end();
    return [
      rows.map(({ name, column }) => `SELECT ${column} FROM ${name} LIMIT 1`),
      rows.map(
        ({ name, column }) =>
          `UPDATE ${name} SET ${column} = ${column} WHERE ctid = (SELECT ctid FROM ${name} LIMIT 1)`,
      ),
    ];
  }

  private async work(who: number): Promise<void> {
    const client = new Client({ connectionString: this.url, statement_timeout: PATIENCE_MS });
    await client.connect();
    for (let statements = this.current[who]; statements; statements = this.current[who]) {
      for (const text of statements) {
        const failure = await client.query(text).then(
          () => undefined,
          (error: Error) => error.message,
        );
        if (statements !== this.current[who]) break;
        if (failure) this.failures.add(`${text}: ${failure}`);
      }
      (this.rounds[who] as number) += 1;
    }
    await client.end();
  }
}
