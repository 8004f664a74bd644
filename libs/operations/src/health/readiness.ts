import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Database, QUEUE_SCHEMA } from '#libs/database';
import { REDIS } from '#libs/redis';
import { Shutdown } from '../shutdown/shutdown';

export interface ReadyState {
  ready: boolean;
  /** `ok`, or what is wrong with the part. */
  parts: Record<'process' | 'database' | 'migrations' | 'queue', string>;
}

const REMEMBERED_MS = 1_000;
const PATIENCE_MS = 2_000;

/** Whether the process can do its work now. Asked by anybody, so that it asks the database once a second at most. */
@Injectable()
export class Readiness {
  private asked: { at: number; parts: Promise<Omit<ReadyState['parts'], 'process'>> } | undefined;

  constructor(
    private readonly database: Database,
    @Inject(REDIS) private readonly redis: Redis | undefined,
    private readonly shutdown: Shutdown,
  ) {}

  async state(): Promise<ReadyState> {
    if (!this.asked || performance.now() - this.asked.at > REMEMBERED_MS) {
      this.asked = { at: performance.now(), parts: this.ask() };
    }
    const parts = { process: this.shutdown.begun ? 'shutting down' : 'ok', ...(await this.asked.parts) };
    return { ready: Object.values(parts).every((state) => state === 'ok'), parts };
  }

  private async ask() {
    const [database, migrations, queue] = await Promise.all([
      stateOf('does not answer', () => this.database.query('SELECT 1')),
      stateOf("can't be read", () => this.requireMigrations()),
      stateOf('does not respond', () => this.requireQueue()),
    ]);
    return { database, migrations, queue };
  }

  /** A schema newer than the process is fine: that is how a release is rolled out. */
  private async requireMigrations(): Promise<void> {
    const applied = await this.database.query<{ name: string }>('SELECT name FROM schema_migrations');
    const names = new Set(applied.map(({ name }) => name));
    const missing = this.database.dataSource.migrations.filter(
      (migration) => !names.has(migration.name ?? migration.constructor.name),
    );
    if (missing.length) throw new NotReady(`${missing.length} pending: run \`npm run startline -- migrate\``);
  }

  private async requireQueue(): Promise<void> {
    if (this.redis) return void (await this.redis.ping());
    const found = await this.database.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [QUEUE_SCHEMA]);
    if (!found.length) throw new NotReady('its schema is missing: run `npm run startline -- migrate`');
  }
}

/** Something that we know the words for; other errors' words stay in the process. */
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
