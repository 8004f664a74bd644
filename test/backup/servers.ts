import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { appUrlOf, migrate } from '#platform/database';
import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { endWithUs } from '../../libs/testing/src/end-with-us';
import { fleetPostgres } from '../fleet/debian-postgres';

/** A server with data, and a method to copy the data to a new one. */
export interface Source {
  url: string;
  /** Backs it up while it runs, and stops it. */
  backUp(): Promise<void>;
  /** Restores the backup to an empty server. */
  restore(): Promise<{ url: string }>;
  remove(): Promise<void>;
}

const run = (program: string, words: string[]): void => {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
};

/** Whether a program is on the PATH: pg_dump and pg_restore must be at least as new as the server. */
export const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** By `pg_dump` and `pg_restore`, without the queues. */
export async function dumped(): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'startline-dump-'));
  const file = join(folder, 'startline.dump');
  const from = await fleetPostgres();
  await migrate(from.url, { appUrl: appUrlOf(from.url) });
  let source: typeof from | undefined = from;
  let target: typeof from | undefined;
  return {
    url: from.url,
    backUp: async () => {
      run('pg_dump', ['-Fc', '--exclude-schema=bullmq', '-f', file, from.url]);
      await from.remove();
      source = undefined;
    },
    restore: async () => {
      target = await fleetPostgres();
      run('pg_restore', ['--exit-on-error', '--no-owner', '--no-privileges', '-d', target.url, file]);
      // Creates the queues again.
      await migrate(target.url, { appUrl: appUrlOf(target.url) });
      return target;
    },
    remove: async () => {
      await source?.remove();
      await target?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * By a copy of the data folder of the running server, like `pg_basebackup`, which the npm package does not contain.
 */
export async function copied(): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'startline-copy-'));
  chmodSync(folder, 0o755);
  const homes = { from: join(folder, 'from'), to: join(folder, 'to') };
  const from = await startEmbeddedPostgres({ home: homes.from });
  const release = [endWithUs(from.pid, folder)];
  let running: typeof from | undefined = from;
  await migrate(from.url, { appUrl: appUrlOf(from.url) });
  const data = { from: join(homes.from, 'postgres'), to: join(homes.to, 'postgres') };
  return {
    url: from.url,
    backUp: async () => {
      const client = new Client({ connectionString: from.url });
      await client.connect();
      await client.query(`SELECT pg_backup_start('test', fast => true)`);
      execFileSync('mkdir', [homes.to]);
      execFileSync('cp', ['-a', data.from, data.to]);
      execFileSync('cp', ['-a', join(homes.from, 'postgres-password'), homes.to]);
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)');
      rmSync(join(data.to, 'pg_wal'), { recursive: true });
      execFileSync('cp', ['-a', join(data.from, 'pg_wal'), data.to]);
      writeFileSync(join(data.to, 'backup_label'), rows[0].labelfile);
      rmSync(join(data.to, 'postmaster.pid'));
      await client.end();
      await from.stop();
      running = undefined;
    },
    restore: async () => {
      running = await startEmbeddedPostgres({ home: homes.to });
      release.push(endWithUs(running.pid, folder));
      return running;
    },
    remove: async () => {
      for (const let_ of release) let_();
      await running?.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
