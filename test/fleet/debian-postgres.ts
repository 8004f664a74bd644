import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort, serverFolder } from '#libs/testing';
import { unprivileged } from '../../libs/platform/embedded-postgres/src/unprivileged';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { OwnPostgres } from '../faults/own-postgres';
import { eventually } from '../harness';

/** The directory of programs of Debian's package `postgresql-15`. */
const BIN = '/usr/lib/postgresql/15/bin';

export interface FleetPostgres {
  url: string;
  remove(): Promise<void>;
}

export const hasDebianPostgres = existsSync(join(BIN, 'initdb'));

/** The oldest supported PostgreSQL, from Debian; npm's if it is not installed. Without a schema. */
export async function fleetPostgres(): Promise<FleetPostgres> {
  if (!hasDebianPostgres) return OwnPostgres.start();
  const home = serverFolder('fleet');
  const data = join(home, 'data');
  const as = unprivileged(data);
  as.own(home);
  const words = (program: string, ...rest: string[]) => [...as.prefix, join(BIN, program), ...rest];
  const [initdb = '', ...options] = words(
    'initdb',
    ...['-D', data, '-U', 'startline', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
  );
  const made = spawnSync(initdb, options, { encoding: 'utf8', ...as.user });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const [postgres = '', ...settings] = words(
    'postgres',
    ...['-D', data, '-p', String(port), '-k', '', '-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'max_connections=200', '-c', 'fsync=off'],
  );
  const server = spawn(postgres, settings, { detached: true, stdio: 'ignore', ...as.user });
  await once(server, 'spawn');
  const release = endWithUs(server.pid as number, home);
  const url = `postgres://startline@127.0.0.1:${port}/postgres`;
  await eventually(async () => {
    if (server.exitCode !== null) throw new Error('PostgreSQL 15 did not start');
    const client = new Client({ connectionString: url });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    url,
    remove: async () => {
      const gone = once(server, 'exit');
      server.kill('SIGINT');
      await gone;
      release();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
