import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type OwnRedis, ownRedis, withDatabase } from '#libs/testing';
import { UNLIMITED } from '../contract/refused';
import { freeze } from '../faults/freeze';
import { OwnPostgres } from '../faults/own-postgres';
import { Program } from '../faults/workers';
import { Receiver } from '../webhooks/receiver';
import { Network } from './network';
import { until } from './until';

const APPS = ['api', 'api', 'worker', 'worker'] as const;
const DISK_BYTES = 64 * 1_048_576;
/** Tables that grow, on the small disk. */
const ON_SMALL_DISK = ['partners', 'race_day_log', 'import_rows', 'credits'];

const SETTINGS = {
  ...UNLIMITED,
  POOL_WAIT_MS: '2000',
  STATEMENT_TIMEOUT_MS: '4000',
  IDLE_TRANSACTION_MS: '2000',
  SWEEP_MS: '1000',
  JOB_LOCK_MS: '2000',
  JOB_BACKOFF_MS: '100',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_SWEEP_MS: '500',
  WEBHOOK_TIMEOUT_MS: '2000',
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 100 }, () => '1').join(','),
};

/** A process with its supervisor: `start` runs it again after it ended. */
interface App {
  app: (typeof APPS)[number];
  port: number;
  program?: Program;
}

/** Two APIs, two workers, PostgreSQL, Redis if it is installed, and a webhook receiver. */
export class Fleet {
  postgres: OwnPostgres;
  redis: OwnRedis | undefined;
  receiver: Receiver;
  toPostgres: Network;
  toRedis: Network | undefined;
  private apps: App[] = [];
  private disk: string | undefined;

  static async start(): Promise<Fleet> {
    const fleet = new Fleet();
    const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
    [fleet.postgres, fleet.redis, fleet.receiver] = await Promise.all([
      OwnPostgres.start(),
      hasRedis ? ownRedis() : undefined,
      Receiver.start(),
    ]);
    fleet.toPostgres = await Network.start(() => portOf(fleet.postgres.url));
    const { redis } = fleet;
    if (redis) fleet.toRedis = await Network.start(() => portOf(redis.url));
    await fleet.mountDisk();
    for (const app of APPS) fleet.apps.push({ app, port: await freePort() });
    await Promise.all(fleet.apps.map((_, which) => fleet.startApp(which)));
    return fleet;
  }

  get urls(): string[] {
    return this.apps.flatMap(({ app, port }) => (app === 'api' ? [`http://127.0.0.1:${port}`] : []));
  }

  get hasSmallDisk(): boolean {
    return this.disk !== undefined;
  }

  /** @param which of the two */
  program(app: App['app'], which: number): App {
    return this.apps.filter((each) => each.app === app)[which] as App;
  }

  async restart(app: App['app'], which: number): Promise<void> {
    await this.startApp(this.apps.indexOf(this.program(app, which)));
  }

  freezePostgres(): () => void {
    return freeze(this.postgres.pid);
  }

  /** PostgreSQL's processes need a moment to detect that their parent is dead. */
  async restartPostgres(): Promise<void> {
    await until('PostgreSQL runs', () =>
      this.postgres.start().then(
        () => true,
        () => false,
      ),
    );
  }

  async fillDisk(): Promise<void> {
    await withDatabase(this.postgres.url, async (client) => {
      // It can be killed meanwhile; the statement reports that.
      client.on('error', () => {});
      await client.query('CREATE TABLE IF NOT EXISTS ballast (bytes bytea) TABLESPACE small');
      // Not compressed, so that few statements fill the disk.
      await client.query('ALTER TABLE ballast ALTER bytes SET STORAGE EXTERNAL');
      for (;;) {
        await client.query(
          `INSERT INTO ballast SELECT decode(repeat(md5(random()::text), 220), 'hex') FROM generate_series(1, 1000)`,
        );
      }
    }).catch(() => {});
  }

  async emptyDisk(): Promise<void> {
    await until('the disk has space', () =>
      withDatabase(this.postgres.url, (client) => {
        client.on('error', () => {});
        return client.query('DROP TABLE IF EXISTS ballast');
      }).then(
        () => true,
        () => false,
      ),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.apps.map(({ program }) => program?.kill()));
    await this.receiver.stop();
    await this.toPostgres.stop();
    await this.toRedis?.stop();
    await this.redis?.stop();
    await this.postgres.remove();
    if (!this.disk) return;
    spawnSync('umount', [this.disk]);
    rmSync(this.disk, { recursive: true, force: true });
  }

  /** Only root can mount a disk; without one, the fault is left out. */
  private async mountDisk(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'startline-chaos-disk-'));
    const words = ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder];
    if (spawnSync('mount', words).status !== 0) return void rmSync(folder, { recursive: true });
    this.disk = folder;
    await withDatabase(this.postgres.url, async (client) => {
      await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
      for (const table of ON_SMALL_DISK) await client.query(`ALTER TABLE ${table} SET TABLESPACE small`);
    });
  }

  /** As a supervisor: again, until it runs. */
  private async startApp(which: number): Promise<void> {
    const place = this.apps[which] as App;
    const port = place.app === 'api' ? 'PORT' : 'METRICS_PORT';
    const url = new URL(this.postgres.url);
    url.port = String(this.toPostgres.port);
    const environment = {
      ...SETTINGS,
      DATABASE_URL: url.href,
      ...(this.toRedis && { REDIS_URL: `redis://127.0.0.1:${this.toRedis.port}` }),
      [port]: String(place.port),
    };
    await until(`the ${place.app} runs`, async () => {
      place.program = await Program.start(place.app, environment).catch(() => undefined);
      return place.program;
    });
  }
}

const portOf = (url: string): number => Number(new URL(url).port);
