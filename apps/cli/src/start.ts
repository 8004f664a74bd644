import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings, type Settings } from '#libs/config';
import { createDataSource, type EmbeddedPostgres, migrate, startEmbeddedPostgres } from '#libs/database';
import { type App, programOf, startApp, stopApp } from './start/apps';
import { holdHome } from './start/process-lock';
import { signingSecrets } from './start/secrets';

const READY_MS = 60_000;

/** `npm start`: everything on one machine, with demo data, until Ctrl-C. */
class Start {
  private readonly home: string;
  private readonly url: string;
  private readonly environment: NodeJS.ProcessEnv;
  private postgres: EmbeddedPostgres | undefined;
  private apps: App[] = [];
  private release = () => {};
  private stopping: Promise<void> | undefined;

  constructor(private readonly settings: Settings) {
    this.home = resolve(settings.STARTLINE_HOME);
    this.url = `http://${settings.HOST === '0.0.0.0' ? '127.0.0.1' : settings.HOST}:${settings.PORT}`;
    this.environment = { ...process.env, STARTLINE_HOME: this.home };
  }

  async run(): Promise<void> {
    await requireFreePort(this.settings.HOST, this.settings.PORT);
    mkdirSync(this.home, { recursive: true });
    this.release = holdHome(join(this.home, 'start.json'), this.url);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => void this.stop(0));

    this.environment.DATABASE_URL = this.settings.DATABASE_URL ?? (await this.embeddedDatabase());
    this.environment.SIGNING_SECRETS = signingSecrets(this.home);
    await migrate(this.environment.DATABASE_URL, say);
    await this.loadDemo(this.environment.DATABASE_URL);
    if (this.stopping) return;

    this.apps = ['api', 'worker'].map((name) => startApp(name, this.home, this.environment));
    for (const app of this.apps) void app.gone.then((lastWords) => this.lost(app, lastWords));
    await this.untilReady();
    if (!this.stopping) this.greet();
  }

  /** Stops the apps, then the database; the data stays. */
  stop(exitCode: number): Promise<void> {
    this.stopping ??= (async () => {
      await Promise.all(this.apps.map((app) => stopApp(app, this.settings.SHUTDOWN_MS + 5_000)));
      await this.postgres?.stop();
      this.release();
      process.exit(exitCode);
    })();
    return this.stopping;
  }

  private async embeddedDatabase(): Promise<string> {
    this.postgres = await startEmbeddedPostgres({ home: this.home, log: say });
    return this.postgres.url;
  }

  private async loadDemo(url: string): Promise<void> {
    const dataSource = await createDataSource({ url, applicationName: 'startline start' }).initialize();
    const organizations = await dataSource
      // The demo's own are closed until it is loaded to the end: an interrupted load is begun again.
      .query('SELECT 1 FROM organizations WHERE deleted_at IS NULL LIMIT 1')
      .finally(() => dataSource.destroy());
    if (organizations.length > 0) return;
    const { status } = this.cli(['demo', 'load'], 'inherit');
    if (status !== 0) throw new Error('The demo data could not be loaded; see above.');
  }

  private async untilReady(): Promise<void> {
    const end = Date.now() + READY_MS;
    while (!this.stopping) {
      const ready = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      if (ready?.ok) return;
      if (Date.now() > end) throw new Error(`The api does not get ready; see ${this.apps[0]?.logFile}`);
      await sleep(50);
    }
  }

  private async lost({ name, logFile }: App, lastWords: string): Promise<void> {
    if (this.stopping) return;
    process.stderr.write(
      `\nThe ${name} ended by itself, so everything stops. Its log is ${logFile}; it ends with:\n${lastWords}\n`,
    );
    await this.stop(1);
  }

  private greet(): void {
    const demo = this.cli(['key', 'token', '--organization', 'demo', '--name', 'demo', '--json'], 'pipe');
    const token = demo.status === 0 ? (JSON.parse(demo.stdout) as { token: string }).token : undefined;
    const lines = [
      '',
      `  Startline is ready at  ${this.url}`,
      `  API reference          ${this.url}/docs`,
      `  Logs                   ${join(this.home, 'logs')}`,
      ...(token
        ? [
            '',
            '  A key of the organization "demo", and a first call:',
            '',
            `  export KEY=${token}`,
            `  curl -s -H "Authorization: Bearer $KEY" "${this.url}/v0/event-occurrences?page%5Bsize%5D=2"`,
          ]
        : []),
      '',
      '  Ctrl-C stops everything; the data stays for the next start.',
      '',
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }

  private cli(words: string[], output: 'inherit' | 'pipe') {
    return spawnSync(process.execPath, [...process.execArgv, programOf('cli'), ...words], {
      env: this.environment,
      encoding: 'utf8',
      stdio: ['ignore', output, 'inherit'],
    });
  }
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function requireFreePort(host: string, port: number): Promise<void> {
  await new Promise<void>((free, taken) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      taken(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is taken. Stop what uses it, or choose another: PORT=3001 npm start`)
          : new Error(`Can't listen on ${host}:${port}: ${error.message}`),
      ),
    );
    probe.listen(port, host, () => probe.close(() => free()));
  });
}

async function main(): Promise<void> {
  let start: Start | undefined;
  try {
    // The apps get the real secrets; here they only have to be well-formed.
    start = new Start(
      loadSettings({
        ...process.env,
        SIGNING_SECRETS: process.env.SIGNING_SECRETS ?? `unset:${'-'.repeat(32)}`,
      }),
    );
    await start.run();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    await (start?.stop(1) ?? process.exit(1));
  }
}

void main();
