import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#libs/config';
import {
  appUrlOf,
  createDataSource,
  type EmbeddedPostgres,
  migrate,
  startEmbeddedPostgres,
} from '#libs/database';
import { requireFreePort, urlOf } from './address';
import { greeting } from './greeting';
import { holdHome } from './hold-home';
import { type App, type Command, lastLinesOf, runCommand, startApp } from './programs';
import { signingSecrets, webhookSecretsKey } from './secrets';

const READY_MS = 60_000;
/** How long the port may stay taken by the api of a start that was killed. */
const KILLED_API_MS = 10_000;
/** Before a worker that ended is started again: the first time, and after it ended many times in succession. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** How long a step under way may take to notice that all is to stop. */
const STEP_MS = 5_000;

/** In a shell, beside `npm start`. */
const TOKEN_COMMAND = '$(npm run --silent startline -- key token --organization demo --name demo)';

export interface StartOptions {
  /** Restarts api and worker when a source file changes, and shows their logs. */
  watch?: boolean;
  /** Prints the demo key's token, which else only the first start does. */
  showKey?: boolean;
}

/** Everything on one machine, with demo data. */
export class Startline {
  private readonly home: string;
  private readonly url: string;
  private readonly environment: NodeJS.ProcessEnv;
  private steps: Promise<void> = Promise.resolve();
  private postgres: EmbeddedPostgres | undefined;
  private command: Command | undefined;
  private readonly apps = new Map<string, App>();
  private release = () => {};
  private stopping: Promise<never> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: StartOptions = {},
  ) {
    this.home = resolve(settings.STARTLINE_HOME);
    this.url = urlOf(settings.HOST, settings.PORT);
    // No load balancer has to notice a restart during development.
    this.environment = { ...process.env, STARTLINE_HOME: this.home, ...(options.watch && { DRAIN_MS: '0' }) };
  }

  /** Comes back when everything runs; from then on it runs until `stop`, or until a part of it ends. */
  async run(): Promise<void> {
    this.steps = this.start();
    await this.steps.catch((error: Error) => {
      // What is stopped in the middle of a step fails in that step.
      if (!this.stopping) void this.stop(1, error.message);
    });
  }

  /** Stops the apps, then the database; the data stays. Calls after the first change nothing. */
  stop(exitCode: number, reason?: string): Promise<never> {
    this.stopping ??= this.end(exitCode, reason);
    return this.stopping;
  }

  private async start(): Promise<void> {
    const { release, afterKill } = await holdHome(this.home, this.url);
    this.release = release;
    await requireFreePort(this.settings.HOST, this.settings.PORT, afterKill ? KILLED_API_MS : 0);
    this.environment.SIGNING_SECRETS = signingSecrets(this.home);
    this.environment.WEBHOOK_SECRETS_KEY = webhookSecretsKey(this.home);
    const { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_BACKUP_URL: backupUrl } = this.settings;
    const database = DATABASE_OWNER_URL ?? DATABASE_URL ?? (await this.embeddedDatabase());
    const appUrl = DATABASE_URL ?? appUrlOf(database);
    this.environment.DATABASE_OWNER_URL = database;
    this.environment.DATABASE_URL = appUrl;
    if (this.stopping) return;
    await migrate(database, { appUrl, backupUrl, log: say }).catch((error) => {
      throw new Error(`The database can't be used: ${wordsOf(error)}`);
    });
    if (this.stopping) return;
    const demo = (await isEmpty(database)) ? this.loadDemo() : undefined;
    const api = startApp('api', this.home, this.appEnvironment, this.options.watch);
    void api.gone.then((how) => this.lost('The api', how, api.logFile));
    this.apps.set('api', api);
    this.startWorker();
    await Promise.all([demo, this.untilReady()]);
    if (this.stopping) return;
    const token = await this.demoToken();
    // Terminals are logged and shared: it is shown once, and from then on a command says it.
    const isShown = this.options.showKey || demo !== undefined;
    const key = token && (isShown ? token : TOKEN_COMMAND);
    if (!this.stopping) process.stdout.write(`${greeting(this.url, join(this.home, 'logs'), key)}\n`);
  }

  private async end(exitCode: number, reason?: string): Promise<never> {
    say(reason ?? '\nStopping.');
    this.command?.kill();
    await Promise.race([this.steps.catch(() => {}), sleep(STEP_MS)]);
    await Promise.all([...this.apps.values()].map((app) => app.stop(this.settings.SHUTDOWN_MS + 5_000)));
    await this.postgres?.stop().catch((error: Error) => say(error.message));
    this.release();
    process.exit(exitCode);
  }

  /** A job can end a worker. The api goes on, and the worker starts again: it recognises the job. */
  private startWorker(pauseMs = SHORTEST_PAUSE_MS): void {
    const started = performance.now();
    // A worker checks no keys.
    const environment = { ...this.appEnvironment, SIGNING_SECRETS: undefined };
    const again = this.apps.has('worker');
    const worker = startApp('worker', this.home, environment, this.options.watch, again);
    this.apps.set('worker', worker);
    void worker.gone.then(async (how) => {
      if (this.stopping) return;
      const lasted = performance.now() - started;
      const pause = lasted > LONGEST_PAUSE_MS ? SHORTEST_PAUSE_MS : pauseMs;
      say(
        `\nThe worker ended by itself (${how}); it starts again in ${pause / 1_000} s. Its log, ${worker.logFile}, ends with:\n` +
          lastLinesOf(worker.logFile),
      );
      await sleep(pause);
      if (!this.stopping) this.startWorker(Math.min(2 * pause, LONGEST_PAUSE_MS));
    });
  }

  /** An app has no way to the roles that see all organizations. */
  private get appEnvironment(): NodeJS.ProcessEnv {
    return { ...this.environment, DATABASE_OWNER_URL: undefined, DATABASE_BACKUP_URL: undefined };
  }

  private async embeddedDatabase(): Promise<string> {
    this.postgres = await startEmbeddedPostgres({ home: this.home, log: say });
    this.postgres.onEnd(() =>
      this.lost('PostgreSQL', 'its process is gone', join(this.home, 'postgres.log')),
    );
    return this.postgres.url;
  }

  private async loadDemo(): Promise<void> {
    const { status, output } = await this.cli(['demo', 'load']);
    if (status !== 0) throw new Error('The demo data could not be loaded; see above.');
    say(output);
  }

  /** Signed again from the key's row; nothing keeps it. */
  private async demoToken(): Promise<string | undefined> {
    const words = ['key', 'token', '--organization', 'demo', '--name', 'demo', '--json'];
    const { status, output } = await this.cli(words);
    return status === 0 ? (JSON.parse(output) as { token: string }).token : undefined;
  }

  private cli(words: string[]): Command['ended'] {
    this.command = runCommand(words, this.environment);
    return this.command.ended;
  }

  private async untilReady(): Promise<void> {
    const end = Date.now() + READY_MS;
    while (!this.stopping) {
      const answer = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      if (answer?.ok) return;
      if (Date.now() > end)
        throw new Error(
          `The api does not get ready (${(await answer?.text()) ?? 'no answer'}); see ${join(this.home, 'logs')}.`,
        );
      await sleep(50);
    }
  }

  private lost(part: string, how: string, logFile: string): void {
    if (this.stopping) return;
    const lines = lastLinesOf(logFile);
    void this.stop(
      1,
      `\n${part} ended by itself (${how}), so everything stops. Its log, ${logFile}, ends with:\n${lines}`,
    );
  }
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A host of several addresses fails once for each, under an error without words. */
const wordsOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(wordsOf).join(', ') : error.message;

/** Nobody put an organization there; what is left of a demo whose loading was interrupted is nobody's. */
async function isEmpty(url: string): Promise<boolean> {
  const dataSource = await createDataSource({ url, applicationName: 'startline start' }).initialize();
  try {
    const found = await dataSource.query('SELECT 1 FROM organizations WHERE deleted_at IS NULL LIMIT 1');
    return found.length === 0;
  } finally {
    await dataSource.destroy();
  }
}
