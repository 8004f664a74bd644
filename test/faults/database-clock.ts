import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDatabase } from '#libs/testing';
import { launch } from '../../libs/platform/embedded-postgres/src/server';
import { unprivileged } from '../../libs/platform/embedded-postgres/src/unprivileged';
import { eventually } from '../harness';
import { OwnPostgres } from './own-postgres';

/** Of Debian's package `libfaketime`, for the machines that the product runs on. */
const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(existsSync);

export const canShiftClock = LIBRARY !== undefined;

/** A PostgreSQL whose clock can be set. The test's clock and those of API and worker are not changed. */
export class ShiftedPostgres {
  private constructor(
    readonly own: OwnPostgres,
    private readonly file: string,
  ) {}

  static async start(): Promise<ShiftedPostgres> {
    const own = await OwnPostgres.start();
    const shifted = new ShiftedPostgres(own, join(own.home, 'clock'));
    shifted.setClock(0);
    const { url } = own;
    const port = Number(new URL(url).port);
    await own.stop();
    const data = join(own.home, 'postgres');
    const as = unprivileged(data);
    const clock = {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: shifted.file,
      // Reads the file once a second: read at each call, also in handlers of signals, it hangs and crashes PostgreSQL.
      FAKETIME_CACHE_DURATION: '1',
      // Timeouts use the monotonic clock, which nobody sets.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const environment = Object.entries(clock).map(([name, value]) => `${name}=${value}`);
    const prefix = [...as.prefix, '/usr/bin/env', ...environment];
    await launch({ home: own.home, data, port, durable: true }, { ...as, prefix });
    await eventually(() => withDatabase(url, async () => true).catch(() => false));
    // Adopts the server that runs.
    await own.start();
    return shifted;
  }

  /** @returns once no process that works has the former time */
  async setBack(seconds: number): Promise<void> {
    this.setClock(-seconds);
    await withDatabase(this.own.url, (client) =>
      eventually(async () => {
        const { rows } = await client.query(
          `SELECT max(state_change) AS newest FROM pg_stat_activity WHERE backend_type = 'client backend'`,
        );
        return rows[0].newest.getTime() < Date.now() - (seconds * 1000) / 4;
      }),
    );
  }

  /** @param seconds relative to the real time */
  setClock(seconds: number): void {
    // The library ends a process that finds the file empty.
    const next = `${this.file}.next`;
    writeFileSync(next, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    chmodSync(next, 0o644);
    renameSync(next, this.file);
  }
}
