import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { serverFolder } from '#libs/testing';
import { appUrlOf, migrate } from '#platform/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { freeze } from '../faults/freeze';

/** A server in a separate folder. */
class Server {
  private server: EmbeddedPostgres;
  private release = () => {};

  constructor(readonly home: string) {}

  get url(): string {
    return this.server.url;
  }

  get data(): string {
    return join(this.home, 'postgres');
  }

  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres({ home: this.home });
    this.release = endWithUs(this.server.pid, this.home);
  }

  async stop(): Promise<void> {
    this.release();
    await this.server.stop();
  }

  kill(): void {
    this.release();
    process.kill(this.server.pid, 'SIGKILL');
  }

  /** @returns what makes it continue */
  freeze(): () => void {
    return freeze(this.server.pid);
  }
}

/** A primary with the schema, and a streaming replica of it: two real servers. */
export class StreamingPair {
  private readonly home = serverFolder('replicas');
  readonly primary = new Server(join(this.home, 'primary'));
  readonly replica = new Server(join(this.home, 'replica'));

  /** The replica starts as a copy of the stopped primary, which needs none of PostgreSQL's other programs. */
  static async start(): Promise<StreamingPair> {
    const pair = new StreamingPair();
    const { home, primary, replica } = pair;
    chmodSync(home, 0o755);
    await primary.start();
    await migrate(primary.url, { appUrl: appUrlOf(primary.url) });
    await primary.stop();
    mkdirSync(replica.home);
    for (const name of ['postgres', 'postgres-password'])
      execFileSync('cp', ['-a', join(primary.home, name), join(replica.home, name)]);
    await primary.start();
    const { username, password, port } = new URL(primary.url);
    appendFileSync(
      join(replica.data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
    );
    writeFileSync(join(replica.data, 'standby.signal'), '');
    await replica.start();
    return pair;
  }

  /** The owner's URL of whichever server is the primary. */
  get url(): string {
    const { host } = new URL(this.replica.url);
    return `${this.primary.url.replace(/@([^/]*)/, `@$1,${host}`)}?target_session_attrs=read-write`;
  }

  /** From now on, a transaction is committed when the replica has stored it too. */
  async synchronize(): Promise<void> {
    await on(this.primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await on(this.primary.url, 'SELECT pg_reload_conf()');
    while (
      (await on(this.primary.url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0
    );
  }

  /** Makes the replica the primary, as `pg_ctl promote` does. Resolves when it accepts writes. */
  async promote(): Promise<void> {
    await this.onReplica('SELECT pg_promote(true, 60)');
  }

  /** The clients that are connected to the former primary. Those whose commits wait for the standby have left. */
  async clientsOfPrimary(): Promise<string[]> {
    const rows = await on(
      this.primary.url,
      `SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'startline%'
         AND application_name <> 'startline hosts' AND state LIKE 'idle%'`,
    );
    return rows.map(({ name }) => name);
  }

  /** It continues to receive the log without applying it. */
  async pauseReplay(): Promise<void> {
    await this.onReplica('SELECT pg_wal_replay_pause()');
    while ((await this.onReplica('SELECT pg_get_wal_replay_pause_state() AS state'))[0].state !== 'paused');
  }

  async resumeReplay(): Promise<void> {
    await this.onReplica('SELECT pg_wal_replay_resume()');
  }

  onReplica(statement: string): Promise<any[]> {
    return on(this.replica.url, statement);
  }

  async remove(): Promise<void> {
    await this.replica.stop();
    await this.primary.stop();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function on(connectionString: string, statement: string): Promise<any[]> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
