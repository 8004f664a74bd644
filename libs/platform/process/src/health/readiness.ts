import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Database, QUEUE_SCHEMA, REDIS, statement } from '#platform/database';
import { Shutdown } from '../shutdown/shutdown';

export interface ReadyState {
  ready: boolean;
  /** `ok`, or the problem of the part. */
  parts: Record<'process' | 'database' | 'migrations' | 'queue', string>;
  /** Problems that need an operator although this process can serve. */
  warnings: string[];
}

type Asked = Pick<ReadyState, 'warnings'> & { parts: Omit<ReadyState['parts'], 'process'> };

const REMEMBERED_MS = 1_000;
/** How long a part may take to respond. */
export const PATIENCE_MS = 2_000;

const FIND_SCHEMA = statement({
  parameters: ['name'],
  sql: 'SELECT 1 FROM pg_namespace WHERE nspname = $1',
  prepared: true,
});

const APPLIED_MIGRATIONS = statement({
  columns: { name: 'text' },
  sql: 'SELECT name::text FROM schema_migrations',
  prepared: true,
});

const PING = statement({ sql: 'SELECT 1', prepared: true });

/** Whether the process can do its work now. The route is public, so it queries the database at most once a second. */
@Injectable()
export class Readiness {
  private asked: { at: number; answer: Promise<Asked> } | undefined;
  private readonly warnings: (() => Promise<string[]>)[] = [];

  constructor(
    private readonly database: Database,
    @Inject(REDIS) private readonly redis: Redis | undefined,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * @param ask returns problems that need an operator; its errors are ignored, because the state of the parts reports
   * them
   */
  warn(ask: () => Promise<string[]>): void {
    this.warnings.push(ask);
  }

  async state(): Promise<ReadyState> {
    if (!this.asked || performance.now() - this.asked.at > REMEMBERED_MS) {
      this.asked = { at: performance.now(), answer: this.ask() };
    }
    const { parts: asked, warnings } = await this.asked.answer;
    const parts = { process: this.shutdown.begun ? 'shutting down' : 'ok', ...asked };
    return { ready: Object.values(parts).every((state) => state === 'ok'), parts, warnings };
  }

  private async ask(): Promise<Asked> {
    const warnings = this.database.nodes?.absent.map((name) => `${name} does not respond`) ?? [];
    const [database, migrations, queue] = await Promise.all([
      stateOf('does not respond', () => this.database.anywhere((on) => PING.run(on))),
      stateOf("can't be read", () => this.requireMigrations()),
      stateOf('does not respond', () => this.requireQueue()),
      ...this.warnings.map((ask) => stateOf('', async () => warnings.push(...(await ask())))),
    ]);
    return { parts: { database, migrations, queue }, warnings };
  }

  /** A schema that is newer than the process is supported: migrations run before a rollout. */
  private async requireMigrations(): Promise<void> {
    const applied = await this.database.anywhere((on) => APPLIED_MIGRATIONS.rows(on));
    const names = new Set(applied.map(({ name }) => name));
    const missing = this.database.dataSource.migrations.filter(
      (migration) => !names.has(migration.name ?? migration.constructor.name),
    );
    if (missing.length) throw new NotReady(`${missing.length} pending: run \`npm run startline -- migrate\``);
  }

  private async requireQueue(): Promise<void> {
    if (this.redis) return void (await this.redis.ping());
    if (!(await FIND_SCHEMA.run(this.database, [QUEUE_SCHEMA])))
      throw new NotReady('its schema is missing: run `npm run startline -- migrate`');
  }
}

/** An error whose message may be shown; other errors' messages stay in the process. */
class NotReady extends Error {}

async function stateOf(otherwise: string, ask: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotReady('does not respond in time')), PATIENCE_MS);
  });
  try {
    await Promise.race([ask(), late]);
    return 'ok';
  } catch (error) {
    return error instanceof NotReady ? error.message : otherwise;
  } finally {
    clearTimeout(timer);
  }
}
