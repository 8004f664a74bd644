import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { withDatabase } from '#libs/testing';
import { startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { Load } from './load';
import { OwnPostgres } from './own-postgres';

const SIZE = 48 * 1_048_576;

/** A disk of 48 MB. Only root can create one; otherwise the test is skipped. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'startline-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** @returns the path of a file that takes all the space there is */
function fillDisk(): string {
  const path = join(disk as string, 'ballast');
  const file = openSync(path, 'w');
  // A page is the smallest unit of the disk.
  for (let bytes = SIZE; bytes >= 4_096; bytes /= 2) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
  closeSync(file);
  return path;
}

const disk = smallDisk();
afterAll(() => {
  if (!disk) return;
  spawnSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

(disk ? describe : describe.skip)('with a full disk for its tables (needs root)', () => {
  let postgres: OwnPostgres;
  let api: TestApi;
  let worker: INestApplicationContext;
  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    // The write-ahead log is on another disk, as recommended: PostgreSQL stops if that disk is full.
    await withDatabase(postgres.url, async (client) => {
      await client.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
      for (const table of ['partners', 'race_day_log', 'import_rows', 'credits'])
        await client.query(`ALTER TABLE ${table} SET TABLESPACE small`);
    });
    api = await startApi({ ...UNLIMITED, DATABASE_URL: postgres.url });
    worker = await startWorker(api, { STARTLINE_TEST_SWEEP_MS: '500' });
  });
  afterAll(async () => {
    await worker?.close();
    await api?.close();
    await postgres?.remove();
  });

  it('with a full disk, writes get 503, reads continue, nothing is lost, and everything recovers', async () => {
    const load = await Load.on(api);
    await load.answered(200, 60);
    const ballast = fillDisk();
    await load.answered(503);
    expect((await api.get('/identity')).status).toBe(200);
    expect((await api.get('/v0/participants')).status).toBe(200);
    expect((await api.get('/health/ready', null)).body.ready).toBe(true);
    rmSync(ballast);
    await load.answered(200, 60);
    await load.stop();
    expect([...load.wrong]).toEqual([]);
    await load.expectKept();
  });
});
