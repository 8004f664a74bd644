import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { type DataSource, type EntityTarget, In, type ObjectLiteral } from 'typeorm';
import { type Progress, progressOn } from '#libs/client';
import type { Actor, SigningSecret } from '#platform/access';
import { databaseServers, loadSettings, type Settings, SettingsError } from '#platform/config';
import {
  appUrlOf,
  connectToNode,
  createDataSource,
  isDistributed,
  isId,
  newId,
  type Roles,
  requireErasureSecret,
  statement,
} from '#platform/database';
import { findEmbeddedPostgres } from '#platform/embedded-postgres';
import { CommandError } from './errors';
import { organizationBySlug } from './organizations';
import { isStartline, urlOf } from './start/address';
import { runningIn } from './start/hold-home';

/** The environment of a command. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  stdout: Writable;
  /** Shows progress bars if it is a terminal. */
  stderr: Writable;
}

const OWNS_SCHEMA = statement({
  columns: { owns: 'boolean' },
  sql: `
    SELECT coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
    WHERE oid = to_regclass('organizations')), true) AS owns
  `,
});

/** @throws SettingsError that names the setting */
function requireDatabaseUrl(setting: string, url: string): string {
  try {
    databaseServers(url);
    return url;
  } catch (error) {
    throw new SettingsError(`${setting}: ${(error as Error).message}`);
  }
}

/** What a command uses: the settings, the database, and its output. */
export class Context {
  readonly environment: NodeJS.ProcessEnv;
  private connected: Promise<DataSource> | undefined;
  private readonly nodes = new Map<string, Promise<DataSource>>();
  private readonly home: string;

  /** @param json print JSON instead of text */
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

  /** The owner's: `DATABASE_OWNER_URL`, or `DATABASE_URL`, or by default the embedded server of `npm start`. */
  async databaseUrl(): Promise<string> {
    const { DATABASE_OWNER_URL, DATABASE_URL } = this.environment;
    const url = DATABASE_OWNER_URL || DATABASE_URL || (await findEmbeddedPostgres(this.home));
    if (url) return requireDatabaseUrl(DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL', url);
    throw new CommandError('NO_DATABASE', await this.withoutDatabase());
  }

  private async withoutDatabase(): Promise<string> {
    const here = runningIn(this.home);
    if (here)
      return `Startline runs in ${this.home}, at ${here}, with a database that was set with DATABASE_URL. Set DATABASE_URL to the same value.`;
    const { HOST = '127.0.0.1', PORT = '3000' } = this.environment;
    const nearby = urlOf(HOST, Number(PORT));
    const other = (await isStartline(nearby))
      ? `The server at ${nearby} has another home: set STARTLINE_HOME to that directory, or DATABASE_URL to its database.`
      : 'Start one with "npm start", set STARTLINE_HOME to the directory of a running server, or set DATABASE_URL.';
    return `No database is running in ${this.home} (STARTLINE_HOME). ${other}`;
  }

  /** The address of the api, for links: `PUBLIC_URL`, that of the server in this home, or that of `HOST` and `PORT`. */
  apiUrl(): string {
    const { PUBLIC_URL, HOST, PORT } = this.settings();
    const url = PUBLIC_URL ?? runningIn(this.home);
    if (url) return url;
    const assumed = urlOf(HOST, PORT);
    this.note(
      `No server runs in ${this.home} (STARTLINE_HOME), so the link assumes the api at ${assumed}. If it is elsewhere, set PUBLIC_URL.`,
    );
    return assumed;
  }

  /** The other roles, as `migrate` takes them. */
  async roles(): Promise<Roles> {
    const { DATABASE_BACKUP_URL: backupUrl, DATABASE_OWNER_URL, DATABASE_URL } = this.environment;
    const isEmbedded = !DATABASE_OWNER_URL && !DATABASE_URL;
    return { appUrl: isEmbedded ? appUrlOf(await this.databaseUrl()) : DATABASE_URL, backupUrl };
  }

  /** Connects at first use; closed when the command ends. */
  dataSource(): Promise<DataSource> {
    this.connected ??= this.databaseUrl().then(async (url) => {
      const options = { url, applicationName: 'startline cli', poolWaitMs: 5_000 };
      const dataSource = await createDataSource(options).initialize();
      const { owns } = await OWNS_SCHEMA.one(dataSource);
      if (owns) return dataSource;
      await dataSource.destroy();
      throw new CommandError(
        'NOT_OWNER',
        'DATABASE_URL is of the role of api and worker, which sees nothing without an organization. Set DATABASE_OWNER_URL to the URL of the role that owns the schema.',
      );
    });
    return this.connected;
  }

  /** The server of an organization: in a distributed database its node, otherwise the only one. */
  async dataSourceOf(slug: string): Promise<DataSource> {
    const home = await this.dataSource();
    if (!(await isDistributed(home))) return home;
    return this.nodeOf((await organizationBySlug(home.manager, slug)).id);
  }

  /** An organization by its slug, in that database. */
  async organizationOf(slug: string) {
    const dataSource = await this.dataSourceOf(slug);
    const { manager } = dataSource;
    const organization = await organizationBySlug(manager, slug);
    return { dataSource, manager, organization, organizationId: organization.id };
  }

  /** As `dataSourceOf`, by id. */
  async nodeOf(organizationId: string): Promise<DataSource> {
    const home = await this.dataSource();
    if (!(await isDistributed(home))) return home;
    let node = this.nodes.get(organizationId);
    if (!node) {
      const options = { url: await this.databaseUrl(), applicationName: 'startline cli', poolWaitMs: 10_000 };
      node = connectToNode(home, organizationId, options);
      this.nodes.set(organizationId, node);
    }
    return node;
  }

  /** The server of the organization that a row belongs to; any, if there is no such row. */
  async dataSourceHolding(entity: EntityTarget<ObjectLiteral>, id: string): Promise<DataSource> {
    const [found] = isId(id) ? await this.dataSourcesHolding(entity, [id]) : [];
    return found ?? this.nodeOf(newId());
  }

  /** The servers of the organizations that rows belong to. */
  async dataSourcesHolding(entity: EntityTarget<ObjectLiteral>, ids: string[]): Promise<DataSource[]> {
    const home = await this.dataSource();
    if (!(await isDistributed(home))) return [home];
    const named = home.getMetadata(entity).findColumnWithPropertyName('participantId')
      ? [{ id: In(ids) }, { participantId: In(ids) }]
      : { id: In(ids) };
    const rows = await home.manager.find(entity, { where: named });
    const organizations = new Set<string>(rows.map(({ organizationId }) => organizationId));
    return Promise.all([...organizations].map((organizationId) => this.nodeOf(organizationId)));
  }

  /**
   * With the secrets of `npm start`, and the directory of its embedded database if there is no other.
   *
   * @throws Error that names every missing or invalid setting
   */
  settings(): Settings {
    const { DATABASE_OWNER_URL, DATABASE_URL } = this.environment;
    const embedded = DATABASE_OWNER_URL || DATABASE_URL ? undefined : this.home;
    const {
      SIGNING_SECRETS = this.secretsAtHome(),
      WEBHOOK_SECRETS_KEY = this.secretsAtHome('webhook-secrets-key'),
      ERASURE_SECRET = this.secretsAtHome('erasure-secret'),
      ...others
    } = this.environment;
    const DATABASE_DIRECTORY = others.DATABASE_DIRECTORY || embedded;
    return loadSettings({
      ...others,
      DATABASE_DIRECTORY,
      SIGNING_SECRETS,
      WEBHOOK_SECRETS_KEY,
      ERASURE_SECRET,
    });
  }

  /**
   * `ERASURE_SECRET`, or by default the secret that `npm start` generated.
   *
   * @throws CommandError if it is not the one of the database
   */
  async erasureSecret(): Promise<string | undefined> {
    const { ERASURE_SECRET: secret } = this.settings();
    const dataSource = await this.dataSource();
    await requireErasureSecret(dataSource, secret).catch((error: unknown) => {
      if (error instanceof SettingsError) throw new CommandError('ERASURE_SECRET', error.message);
      throw error;
    });
    return secret;
  }

  /** `SIGNING_SECRETS`, or by default the secret that `npm start` generated. */
  signingSecrets(): SigningSecret[] {
    const { DATABASE_URL, SIGNING_SECRETS } = this.environment;
    if (DATABASE_URL && !SIGNING_SECRETS) {
      throw new CommandError(
        'NO_SIGNING_SECRET',
        'DATABASE_URL is set but SIGNING_SECRETS is not. Set SIGNING_SECRETS to the same value as for the api: ' +
          'the api answers 401 to keys signed with another secret. If "npm start" serves this database, use ' +
          `SIGNING_SECRETS=$(cat ${join(this.home, 'signing-secret')}).`,
      );
    }
    if (!SIGNING_SECRETS && !this.secretsAtHome()) {
      throw new CommandError(
        'NO_SIGNING_SECRET',
        `There is no signing secret in ${this.home}. Set SIGNING_SECRETS to the same value as for the api, or run "npm start" first.`,
      );
    }
    return this.settings().SIGNING_SECRETS;
  }

  /** For output that is too large to hold in memory. */
  get stdout(): Writable {
    return this.surroundings.stdout;
  }

  /** Prints the result; call it once. `value` is for `--json`, `text` for people. */
  answer(value: unknown, text: string): void {
    this.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** Prints a note to standard error. */
  note(line: string): void {
    this.surroundings.stderr.write(`${line}\n`);
  }

  /** A progress bar on standard error, if that is a terminal. */
  progress(unit: string): Progress {
    return progressOn(this.surroundings.stderr, unit);
  }

  async close(): Promise<void> {
    for (const connected of [...this.nodes.values(), this.connected])
      await (await connected?.catch(() => undefined))?.destroy();
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
