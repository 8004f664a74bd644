import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type OwnRedis, ownRedis, withDatabase } from '#libs/testing';
import { freeze } from '../faults/freeze';
import { Network } from '../faults/network';
import { OwnPostgres } from '../faults/own-postgres';
import { Program } from '../faults/workers';
import { UNLIMITED } from '../harness';
import { ACCEPTED, Receiver } from '../webhooks/receiver';
import { until } from './until';

const APPS = ['api', 'api', 'worker', 'worker'] as const;
const DISK_BYTES = 64 * 1_048_576;
const BALLAST = Buffer.alloc(65_536);
/** Tables that grow, on the small disk. */
const ON_SMALL_DISK = ['partners', 'race_day_log', 'import_rows', 'credits'];

const SETTINGS = {
  ...UNLIMITED,
  POOL_WAIT_MS: '2000',
  STATEMENT_TIMEOUT_MS: '4000',
  STARTLINE_TEST_SWEEP_MS: '1000',
  // A separate process of an import that is silent for longer counts as crashed; on a busy machine, a shorter time passes.
  STARTLINE_TEST_SILENT_MS: '10000',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  STARTLINE_TEST_WEBHOOK_SWEEP_MS: '500',
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
  /** The run's own network to PostgreSQL, which does not fail: PostgreSQL can get another port. */
  private own: Network;
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
    fleet.own = await Network.start(() => portOf(fleet.postgres.url));
    fleet.receiver.answer(ACCEPTED);
    const { redis } = fleet;
    if (redis) fleet.toRedis = await Network.start(() => portOf(redis.url));
    process.once('exit', () => fleet.abandon());
    await fleet.mountDisk();
    for (const app of APPS) fleet.apps.push({ app, port: await freePort() });
    await Promise.all(fleet.apps.map((_, which) => fleet.startApp(which)));
    return fleet;
  }

  /** PostgreSQL, with the owner's role. */
  get databaseUrl(): string {
    return this.own.through(this.postgres.url);
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
    await until('PostgreSQL runs', () => this.postgres.start().then(() => true));
  }

  /** With a file, so that it can be emptied without PostgreSQL, which does not start on a full disk. */
  fillDisk(): void {
    const file = openSync(this.ballast, 'w');
    try {
      for (;;) writeSync(file, BALLAST);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  emptyDisk(): void {
    rmSync(this.ballast);
  }

  private get ballast(): string {
    return join(this.disk as string, 'ballast');
  }

  async stop(): Promise<void> {
    await Promise.all(this.apps.map(({ program }) => program?.kill()));
    await this.receiver.stop();
    await this.toPostgres.stop();
    await this.own.stop();
    await this.toRedis?.stop();
    await this.redis?.stop();
    await this.postgres.remove();
    this.unmountDisk();
  }

  /** When the run is interrupted. PostgreSQL, Redis and the receiver end by themselves. */
  private abandon(): void {
    for (const { program } of this.apps) program?.child.kill('SIGKILL');
    this.unmountDisk();
  }

  private unmountDisk(): void {
    if (!this.disk) return;
    // PostgreSQL may still end.
    spawnSync('umount', ['--lazy', this.disk]);
    rmSync(this.disk, { recursive: true, force: true });
    this.disk = undefined;
  }

  /** Only root can mount a disk; without one, the fault is left out. */
  private async mountDisk(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'startline-chaos-disk-'));
    const { uid, gid } = this.postgres.owner;
    const words = ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},uid=${uid},gid=${gid}`, 'tmpfs', folder];
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
    const environment = {
      ...SETTINGS,
      DATABASE_URL: this.toPostgres.through(this.postgres.url),
      ...(this.redis && this.toRedis && { REDIS_URL: this.toRedis.through(this.redis.url) }),
      [port]: String(place.port),
    };
    place.program = await until(`the ${place.app} runs`, () => Program.start(place.app, environment));
  }
}

const portOf = (url: string): number => Number(new URL(url).port);
