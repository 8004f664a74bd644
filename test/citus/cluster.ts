import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort, serverFolder, withDatabase } from '#libs/testing';
import { appUrlOf, distributeDatabase, migrate } from '#platform/database';
import { unprivileged } from '../../libs/platform/embedded-postgres/src/unprivileged';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { childrenOf, signal } from '../faults/freeze';
import { pace } from '../harness';

/** The programs of a PostgreSQL with the Citus extension; by default those of Debian's package `postgresql-15`. */
const BIN = process.env.CITUS_BIN || '/usr/lib/postgresql/15/bin';

const libraryOf = (bin: string): string => {
  const { stdout } = spawnSync(join(bin, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' });
  return join(stdout?.trim() || join(bin, '../lib'), 'citus.so');
};

/** Why no cluster can be started; undefined if one can. */
export const missingCitus = (): string | undefined =>
  [join(BIN, 'initdb'), libraryOf(BIN)]
    .filter((file) => !existsSync(file))
    .map(
      (file) =>
        `${file} does not exist. Install Citus there, or set CITUS_BIN to the programs of a PostgreSQL that has it.`,
    )[0];

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '200',
  max_connections: '200',
  shared_buffers: '32MB',
  max_worker_processes: '16',
  max_locks_per_transaction: '256',
  fsync: 'off',
  autovacuum_naptime: '10s',
  'citus.shard_count': '4',
  'citus.enable_unsafe_triggers': 'on',
  // A node that was killed is noticed by the next request, and not after the default of 30 s.
  'citus.node_connection_timeout': '2000',
};

/** Minor releases before 15.20 do not know it. */
const PLUGINS = { output_plugin_libraries: 'pgoutput, citus' };
const settingsOf = (given: Record<string, string>) => {
  const { stdout } = spawnSync(join(BIN, 'postgres'), ['--describe-config'], { encoding: 'utf8' });
  return { ...SETTINGS, ...(stdout.includes('output_plugin_libraries') && PLUGINS), ...given };
};

/** A PostgreSQL server of the cluster. */
export class Node {
  private server: ChildProcess | undefined;
  private release = () => {};

  private constructor(
    readonly port: number,
    private readonly home: string,
    private readonly as: ReturnType<typeof unprivileged>,
    private readonly settings: Record<string, string>,
  ) {}

  static async create(settings: Record<string, string>): Promise<Node> {
    const home = serverFolder('citus');
    const data = join(home, 'data');
    const as = unprivileged(data);
    as.own(home);
    const [initdb = '', ...words] = [
      ...as.prefix,
      ...[join(BIN, 'initdb'), '-D', data, '-U', 'startline', '--auth=trust'],
      ...['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    ];
    const made = spawnSync(initdb, words, { encoding: 'utf8', ...as.user });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    return new Node(await freePort(), home, as, settings);
  }

  url(database = 'startline'): string {
    return `postgres://startline@127.0.0.1:${this.port}/${database}`;
  }

  get pid(): number {
    return this.server?.pid as number;
  }

  async start(): Promise<void> {
    const [postgres = '', ...words] = [
      ...this.as.prefix,
      ...[join(BIN, 'postgres'), '-D', join(this.home, 'data'), '-p', String(this.port), '-k', ''],
      ...Object.entries(settingsOf(this.settings)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const server = spawn(postgres, words, {
      detached: true,
      stdio: 'ignore',
      ...this.as.user,
      // libpq would read certificates at the home of this user.
      env: { ...process.env, HOME: this.home },
    });
    this.server = server;
    await once(server, 'spawn');
    this.release = endWithUs(this.pid, this.home);
    while (!(await this.answers())) {
      if (server.exitCode !== null) throw new Error(`A node of the cluster ended with ${server.exitCode}`);
      await pace(50);
    }
  }

  private answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.url('postgres') });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  }

  /** @param signal SIGINT ends its connections; SIGQUIT ends it as a crash would */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const { server } = this;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    // Its data must outlive it.
    this.release();
    server.kill(signal);
    await gone;
  }

  /** Kills the server and the processes of its connections. */
  async kill(): Promise<void> {
    const { server, pid } = this;
    const gone = once(server as ChildProcess, 'exit');
    this.release();
    for (const each of [pid, ...childrenOf(pid)]) signal(each, 'SIGKILL');
    await gone;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The owner's URL, which also names the nodes: a process can start while the coordinator is away. */
export const anyOf = ({ coordinator, workers }: Cluster): string =>
  coordinator
    .url()
    .replace(/(127[^/]*)(.*)/, (_, first, rest) =>
      [
        `${[first, ...workers.map(({ port }) => `127.0.0.1:${port}`)].join(',')}${rest}`,
        'target_session_attrs=any',
      ].join('?'),
    );

export interface Cluster {
  /** The owner's URL of the coordinator, with an empty database. */
  url: string;
  coordinator: Node;
  workers: Node[];
  remove(): Promise<void>;
}

/** A coordinator and data nodes, with a database without tables. */
export async function startCluster(workerCount = 2, settings: Record<string, string> = {}): Promise<Cluster> {
  const nodes: Node[] = [];
  for (let i = 0; i <= workerCount; i++) nodes.push(await Node.create(settings));
  const [coordinator, ...workers] = nodes as [Node, ...Node[]];
  await Promise.all(nodes.map((node) => node.start()));
  await Promise.all(
    nodes.map(async (node) => {
      await withDatabase(node.url('postgres'), (client) => client.query('CREATE DATABASE startline'));
      await withDatabase(node.url(), (client) => client.query('CREATE EXTENSION citus'));
    }),
  );
  await withDatabase(coordinator.url(), async (client) => {
    await client.query(`SELECT citus_set_coordinator_host('127.0.0.1', $1::int)`, [coordinator.port]);
    for (const { port } of workers) await client.query(`SELECT citus_add_node('127.0.0.1', $1::int)`, [port]);
  });
  return {
    url: coordinator.url(),
    coordinator,
    workers,
    remove: async () => {
      for (const node of nodes) await node.remove();
    },
  };
}

/** A coordinator with two data nodes, and an empty distributed database. */
export async function startDistributed(settings: Record<string, string> = {}): Promise<Cluster> {
  const cluster = await startCluster(2, settings);
  await distributeEmpty(cluster.url);
  return cluster;
}

export async function distributeEmpty(url: string): Promise<void> {
  const roles = { appUrl: appUrlOf(url) };
  await migrate(url, roles);
  await distributeDatabase(url, roles);
}
