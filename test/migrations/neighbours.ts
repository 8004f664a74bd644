import { Client } from 'pg';
import { eventually } from '../harness';

/** A migration that others have to wait for until it ends would exceed it, and no statement otherwise. */
const PATIENCE_MS = 60_000;

/** Two connections that use every table in a loop: one reads a row, the other writes one unchanged. */
export class Neighbours {
  private readonly failures = new Set<string>();
  private working: Promise<void>[] = [];
  private readonly rounds = [0, 0];
  private stopped = true;

  constructor(private readonly url: string) {}

  /** Resolves when both have started, with the current tables. */
  async start(): Promise<void> {
    this.failures.clear();
    this.stopped = false;
    this.working = (await this.statements()).map((statements, who) => this.work(statements, who));
    await this.goOn();
  }

  /** Resolves when both have used every table again. */
  async goOn(): Promise<void> {
    const before = [...this.rounds];
    await eventually(async () => this.rounds.every((round, who) => round > (before[who] ?? 0) + 1));
  }

  /** @returns their errors */
  async stop(): Promise<string[]> {
    this.stopped = true;
    await Promise.all(this.working);
    return [...this.failures];
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

  private async work(statements: string[], who: number): Promise<void> {
    const client = new Client({ connectionString: this.url, statement_timeout: PATIENCE_MS });
    await client.connect();
    while (!this.stopped) {
      for (const text of statements)
        await client.query(text).catch((error: Error) => this.failures.add(`${text}: ${error.message}`));
      (this.rounds[who] as number) += 1;
    }
    await client.end();
  }
}
