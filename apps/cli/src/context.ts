import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { DataSource } from 'typeorm';
import type { SigningSecret } from '#libs/access';
import type { Actor } from '#libs/audit';
import { loadSettings, type Settings } from '#libs/config';
import { appUrlOf, createDataSource, findEmbeddedPostgres, type Roles } from '#libs/database';
import { CommandError } from './errors';
import { type Progress, progressOn } from './progress';

/** Where a command runs. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  stdout: Writable;
  /** Progress is drawn on it, if it is a terminal. */
  stderr: Writable;
}

/** What a command works with: the settings, the database, and the person or program it answers. */
export class Context {
  readonly environment: NodeJS.ProcessEnv;
  private connected: Promise<DataSource> | undefined;
  private readonly home: string;

  /** @param json whether a program reads the answer */
  constructor(
    readonly json: boolean,
    private readonly surroundings: Surroundings,
  ) {
    this.environment = surroundings.environment;
    this.home = resolve(this.environment.STARTLINE_HOME || '.startline');
  }

  /** The operating system user on this host, for the audit log; with sudo the user who called it. */
  get actor(): Actor {
    return {
      type: 'COMMAND_LINE',
      id: this.environment.SUDO_USER || operatingSystemUser(),
      origin: hostname(),
    };
  }

  /** The owner's: DATABASE_OWNER_URL, else DATABASE_URL, else the embedded server that `npm start` runs. */
  async databaseUrl(): Promise<string> {
    const { DATABASE_OWNER_URL, DATABASE_URL } = this.environment;
    const url = DATABASE_OWNER_URL || DATABASE_URL || (await findEmbeddedPostgres(this.home));
    if (url) return url;
    throw new CommandError(
      'NO_DATABASE',
      `There is no database: start one with "npm start" (looked in ${this.home}), or set DATABASE_URL.`,
    );
  }

  /** The other roles, as `migrate` takes them. */
  async roles(): Promise<Roles> {
    const { DATABASE_BACKUP_URL: backupUrl, DATABASE_OWNER_URL, DATABASE_URL } = this.environment;
    const isEmbedded = !DATABASE_OWNER_URL && !DATABASE_URL;
    return { appUrl: isEmbedded ? appUrlOf(await this.databaseUrl()) : DATABASE_URL, backupUrl };
  }

  /** Connected at first use, closed when the command is over. */
  dataSource(): Promise<DataSource> {
    this.connected ??= this.databaseUrl().then(async (url) => {
      const options = { url, applicationName: 'startline cli', poolWaitMs: 10_000 };
      const dataSource = await createDataSource(options).initialize();
      const [{ owns }] = await dataSource.query(
        `SELECT coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
           WHERE oid = to_regclass('organizations')), true) AS owns`,
      );
      if (owns) return dataSource;
      await dataSource.destroy();
      throw new CommandError(
        'NOT_OWNER',
        'DATABASE_URL is of the role of api and worker, which sees nothing without an organization. Set DATABASE_OWNER_URL to the URL of the role that owns the schema.',
      );
    });
    return this.connected;
  }

  /** @throws Error that names every setting that is missing or wrong */
  settings(): Settings {
    const {
      SIGNING_SECRETS = this.secretsAtHome(),
      WEBHOOK_SECRETS_KEY = this.secretsAtHome('webhook-secrets-key'),
      ...others
    } = this.environment;
    return loadSettings({ ...others, SIGNING_SECRETS, WEBHOOK_SECRETS_KEY });
  }

  /** SIGNING_SECRETS, else those that `npm start` made for itself. */
  signingSecrets(): SigningSecret[] {
    const { DATABASE_URL, SIGNING_SECRETS } = this.environment;
    if (DATABASE_URL && !SIGNING_SECRETS) {
      throw new CommandError(
        'NO_SIGNING_SECRET',
        'DATABASE_URL is set and SIGNING_SECRETS is not: a key signed with another secret than the api has would be ' +
          'refused with 401. Set SIGNING_SECRETS as the api has it. Where "npm start" serves this database, that is ' +
          `SIGNING_SECRETS=$(cat ${join(this.home, 'signing-secret')}).`,
      );
    }
    if (!SIGNING_SECRETS && !this.secretsAtHome()) {
      throw new CommandError(
        'NO_SIGNING_SECRET',
        `Nothing to sign a key with: set SIGNING_SECRETS as the api has it, or run "npm start" first (looked in ${this.home}).`,
      );
    }
    return this.settings().SIGNING_SECRETS;
  }

  /** For an answer that is too large to be had at once. */
  get stdout(): Writable {
    return this.surroundings.stdout;
  }

  /** The answer, once: `value` for programs, `text` for people. */
  answer(value: unknown, text: string): void {
    this.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Something to know that is not the answer. */
  note(line: string): void {
    this.surroundings.stderr.write(`${line}\n`);
  }

  /** Drawn on standard error, where a person watches. */
  progress(unit: string): Progress {
    return progressOn(this.surroundings.stderr, unit);
  }

  async close(): Promise<void> {
    await (await this.connected?.catch(() => undefined))?.destroy();
  }

  private secretsAtHome(name = 'signing-secret'): string | undefined {
    try {
      return readFileSync(join(this.home, name), 'utf8').trim();
    } catch {
      return undefined;
    }
  }
}

function operatingSystemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id without a name.
    return process.getuid ? `uid ${process.getuid()}` : null;
  }
}
