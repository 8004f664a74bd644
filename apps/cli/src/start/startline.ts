import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#platform/config';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { requireFreePort, urlOf } from './address';
import { greeting } from './greeting';
import { holdHome } from './hold-home';
import { type App, buildConsole, lastLinesOf, startApp, watchConsole } from './programs';
import { erasureSecret, signingSecrets, webhookSecretsKey } from './secrets';

const READY_MS = 60_000;
/** How long to wait for the port if the previous start was killed and its api is still stopping. */
const KILLED_API_MS = 10_000;
const LAST_PORT = 65_535;
/** The pause before the worker restarts, which grows from the first value to the second. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** How long a running step may take to stop. */
const STEP_MS = 5_000;

/** The staff member who signs in to the console of the demo organization. */
const DEMO_OWNER = 'owner@demo.example';

/** A shell expression that yields the token while `npm start` runs. */
const TOKEN_COMMAND = '$(npm run --silent startline -- key token --organization demo --name test-demo)';

export interface StartOptions {
  /** Restarts api and worker and builds the console when a source file changes, and shows their logs. */
  watch?: boolean;
  /** Prints the token of the demo key, which otherwise only the first start prints. */
  showKey?: boolean;
}

/** Everything on one machine, with demo data. */
export class Startline {
  private readonly home: string;
  private readonly url: string;
  private readonly environment: NodeJS.ProcessEnv;
  private steps: Promise<void> = Promise.resolve();
  private postgres: EmbeddedPostgres | undefined;
  private runsCommand = false;
  private readonly apps = new Map<string, App>();
  private release = () => {};
  private stopConsole = () => {};
  private stopping: Promise<never> | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly options: StartOptions = {},
  ) {
    this.home = resolve(settings.STARTLINE_HOME);
    this.url = urlOf(settings.HOST, settings.PORT);
    // Development has no load balancer that must notice a restart.
    this.environment = { ...process.env, STARTLINE_HOME: this.home, ...(options.watch && { DRAIN_MS: '0' }) };
  }

  /** Resolves when everything runs. It runs until `stop` is called or a part of it ends. */
  async run(): Promise<void> {
    this.steps = this.start();
    await this.steps.catch((error: Error) => {
      // A stop during a step makes that step fail.
      if (!this.stopping) void this.stop(1, error.message);
    });
  }

  /** Stops the apps, then the database. Further calls have no effect. */
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
    this.environment.ERASURE_SECRET = erasureSecret(this.home);
    // Loads its modules while the database starts. With --watch, Node gives the program no channel to this process.
    const early = this.options.watch ? undefined : this.startApi({ awaits: true });
    const { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_BACKUP_URL: backupUrl } = this.settings;
    const database = DATABASE_OWNER_URL ?? DATABASE_URL ?? (await this.embeddedDatabase());
    // Loads the entities, which must not delay the api.
    const { appUrlOf, cannotConnect, isEmpty, migrate, requireRedis, unreachableFor } =
      require('./database') as typeof import('./database');
    const appUrl = DATABASE_URL ?? appUrlOf(database);
    this.environment.DATABASE_OWNER_URL = database;
    this.environment.DATABASE_URL = appUrl;
    if (!DATABASE_OWNER_URL && !DATABASE_URL) this.environment.DATABASE_DIRECTORY ??= this.home;
    if (this.stopping) return;
    // Without it, neither the worker nor the demo would begin.
    await requireRedis(this.settings, { mayBeAway: false });
    await migrate(database, { appUrl, backupUrl, log: say }).catch((error) => {
      const reason = unreachableFor(error);
      throw new Error(
        reason
          ? cannotConnect({ DATABASE_OWNER_URL, DATABASE_URL }, reason)
          : `The database can't be used: ${wordsOf(error)}`,
      );
    });
    if (this.stopping) return;
    if (this.options.watch) this.stopConsole = watchConsole();
    if (early) early.begin(this.appEnvironment);
    else this.startApi({ watch: true });
    const isNew = await isEmpty(database);
    await this.untilReady();
    if (this.stopping) return;
    // The rest begins when the api is ready, because all of it needs the processors.
    const consoleBuilt = this.options.watch ? undefined : this.buildConsole();
    this.startWorker();
    if (isNew) {
      say(`The api answers at ${this.url}. Loading the demo data.`);
      await this.loadDemo();
    }
    if (this.stopping) return;
    const token = await this.demoToken();
    const link = token && (await this.demoLink());
    // Terminals are logged and shared, so the token is shown once; later starts print the command that shows it.
    const isShown = this.options.showKey || isNew;
    const key = token && (isShown ? token : TOKEN_COMMAND);
    await consoleBuilt;
    if (!this.stopping)
      process.stdout.write(`${greeting(this.url, join(this.home, 'logs'), { key, link })}\n`);
  }

  private async end(exitCode: number, reason?: string): Promise<never> {
    say(reason ?? '\nStopping.');
    this.stopConsole();
    // A command can be interrupted: it loses its connection.
    if (!this.runsCommand) await Promise.race([this.steps.catch(() => {}), sleep(STEP_MS)]);
    // A progress bar hides the cursor and turns line wrapping off.
    else if (process.stderr.isTTY) process.stderr.write('\x1b[?25h\x1b[?7h');
    const { DRAIN_MS, SHUTDOWN_MS } = this.settings;
    await Promise.all([...this.apps.values()].map((app) => app.stop(DRAIN_MS + SHUTDOWN_MS + STEP_MS)));
    await this.postgres?.stop().catch((error: Error) => say(error.message));
    this.release();
    process.exit(exitCode);
  }

  private startApi(options: { watch?: boolean; awaits?: boolean }): App {
    const api = startApp('api', this.home, this.appEnvironment, options);
    void api.gone.then((how) => this.lost('The api', how, api.logFile));
    this.apps.set('api', api);
    return api;
  }

  /**
   * A job can crash the worker. The API keeps running and the worker restarts; the worker then recognizes such a job.
   */
  private startWorker(pauseMs = SHORTEST_PAUSE_MS): void {
    const started = performance.now();
    // The worker verifies no tokens.
    const environment: NodeJS.ProcessEnv = { ...this.appEnvironment, SIGNING_SECRETS: undefined };
    const { METRICS_PORT: ofApi } = this.settings;
    if (ofApi !== undefined) environment.METRICS_PORT = ofApi < LAST_PORT ? String(ofApi + 1) : undefined;
    const again = this.apps.has('worker');
    const worker = startApp('worker', this.home, environment, { watch: this.options.watch, again });
    this.apps.set('worker', worker);
    void worker.gone.then(async (how) => {
      if (this.stopping) return;
      const lasted = performance.now() - started;
      const pause = lasted > LONGEST_PAUSE_MS ? SHORTEST_PAUSE_MS : pauseMs;
      say(
        `\nThe worker ended unexpectedly (${how}) and restarts in ${pause / 1_000} s. The end of its log, ${worker.logFile}:\n` +
          lastLinesOf(worker.logFile),
      );
      await sleep(pause);
      if (!this.stopping) this.startWorker(Math.min(2 * pause, LONGEST_PAUSE_MS));
    });
  }

  /** An app has no connection to the roles that see all organizations. */
  private get appEnvironment(): NodeJS.ProcessEnv {
    return { ...this.environment, DATABASE_OWNER_URL: undefined, DATABASE_BACKUP_URL: undefined };
  }

  private async embeddedDatabase(): Promise<string> {
    this.postgres = await startEmbeddedPostgres({ home: this.home, log: say });
    this.postgres.onEnd(() => this.lost('PostgreSQL', 'process not found', join(this.home, 'postgres.log')));
    return this.postgres.url;
  }

  private async loadDemo(): Promise<void> {
    const { status, output } = await this.cli(['demo', 'load']);
    if (status !== 0) throw new Error("The demo data can't be loaded; see the messages above.");
    say(output);
  }

  /** Tokens are not stored: signs the token again from the key's row. */
  private async demoToken(): Promise<string | undefined> {
    const words = ['key', 'token', '--organization', 'demo', '--name', 'test-demo', '--json'];
    const { status, output } = await this.cli(words);
    return status === 0 ? (JSON.parse(output) as { token: string }).token : undefined;
  }

  /** A link that signs the demo's owner in to the console, once. */
  private async demoLink(): Promise<string | undefined> {
    const words = ['staff', 'link', DEMO_OWNER, '--organization', 'demo', '--role', 'owner', '--json'];
    const { status, output } = await this.cli(words);
    return status === 0 ? (JSON.parse(output) as { link: string }).link : undefined;
  }

  /** Runs a command of the command line in this process; its messages go to the terminal. */
  private async cli(words: string[]): Promise<{ status: number; output: string }> {
    let output = '';
    const stdout = new Writable({
      write(chunk, _, done) {
        output += chunk;
        done();
      },
    });
    this.runsCommand = true;
    try {
      // Loads all commands, which must not delay the api.
      const { run } = require('../run') as typeof import('../run');
      const status = await run(words, { environment: this.environment, stdout, stderr: process.stderr });
      return { status, output };
    } finally {
      this.runsCommand = false;
    }
  }

  private buildConsole(): Promise<void> {
    const { built, stop } = buildConsole();
    this.stopConsole = stop;
    return built;
  }

  private async untilReady(): Promise<void> {
    const end = Date.now() + READY_MS;
    while (!this.stopping) {
      const answer = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      if (answer?.ok) return;
      if (Date.now() > end)
        throw new Error(
          `The api is not ready (${(await answer?.text()) ?? 'no response'}). See the logs in ${join(this.home, 'logs')}.`,
        );
      await sleep(50);
    }
  }

  private lost(part: string, how: string, logFile: string): void {
    if (this.stopping) return;
    const lines = lastLinesOf(logFile);
    void this.stop(
      1,
      `\n${part} ended unexpectedly (${how}). Stopping. The end of its log, ${logFile}:\n${lines}`,
    );
  }
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A host with several addresses fails with an AggregateError, whose own message is empty. */
const wordsOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(wordsOf).join(', ') : error.message;
