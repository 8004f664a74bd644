import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serverFolder } from '#libs/testing';
import { appUrlOf, migrate } from '#platform/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { endWithUs } from '../../libs/testing/src/end-with-us';

/** A durable PostgreSQL of a test. */
export class OwnPostgres {
  readonly home = serverFolder('faults');
  private server: EmbeddedPostgres;
  private release = () => {};

  /** Runs, with the schema. */
  static async start(): Promise<OwnPostgres> {
    const own = new OwnPostgres();
    chmodSync(own.home, 0o755);
    await own.start();
    await migrate(own.url, { appUrl: appUrlOf(own.url) });
    return own;
  }

  get url(): string {
    return this.server.url;
  }

  get pid(): number {
    return this.server.pid;
  }

  /** The user that it runs as. */
  get owner(): { uid: number; gid: number } {
    return statSync(join(this.home, 'postgres'));
  }

  /** Starts it on the existing data, at the same address. */
  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres({ home: this.home });
    this.release = endWithUs(this.server.pid, this.home);
  }

  /** Stops it as an operator would, which closes connections. */
  async stop(): Promise<void> {
    this.release();
    await this.server.stop();
  }

  /** Kills it, which also ends the processes of its connections. */
  kill(): void {
    this.release();
    process.kill(this.server.pid, 'SIGKILL');
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}
