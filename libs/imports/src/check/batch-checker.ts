import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '#libs/config';
import { FairQueue } from '#libs/fair-share';
import type { ImportSurface } from '../surfaces';
import type { CheckResult } from './check-batch';
import type { CheckReply, CheckRequest } from './check-thread';

interface Waiting {
  resolve(reply: CheckReply): void;
  reject(error: Error): void;
}

/** In development the thread runs from its source, as everything else does. */
const FROM_SOURCE = __filename.endsWith('.ts');

/** Checks batches in a thread of its own: a 20 MB body must not stop other requests. One at a time. */
@Injectable()
export class BatchChecker implements OnApplicationBootstrap, OnApplicationShutdown {
  private thread: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private serial = 0;
  private readonly queue: FairQueue;

  constructor(@Inject(SETTINGS) { CHECK_WAIT_MS }: Settings) {
    this.queue = new FairQueue({ slots: 1, waitMs: CHECK_WAIT_MS });
  }

  /** The first import need not wait for the thread. */
  onApplicationBootstrap(): void {
    this.running();
  }

  /**
   * @param organizationId organizations take turns
   * @param body moves to the thread where it can: it is empty afterwards
   * @returns the verdict, and the bytes and their hash
   * @throws ShareExceeded where the organization's other batches kept the thread busy for CHECK_WAIT_MS
   */
  check(
    organizationId: string,
    surface: ImportSurface,
    body: Buffer,
    rowsLimit: number,
  ): Promise<{ result: CheckResult; bytes: Buffer; hash: Buffer }> {
    return this.queue.run(organizationId, () => this.checkNow(surface, body, rowsLimit));
  }

  private async checkNow(
    surface: ImportSurface,
    body: Buffer,
    rowsLimit: number,
  ): Promise<{ result: CheckResult; bytes: Buffer; hash: Buffer }> {
    const isAlone = body.byteLength === body.buffer.byteLength;
    const bytes = isAlone ? new Uint8Array(body.buffer as ArrayBuffer) : new Uint8Array(body);
    const id = ++this.serial;
    const reply = await new Promise<CheckReply>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.running().postMessage({ id, surface, bytes, rowsLimit } satisfies CheckRequest, [bytes.buffer]);
    });
    if (!reply.result) throw new Error(`A batch could not be checked: ${reply.failure}`);
    const { result, bytes: again, hash = [] } = reply;
    return { result, bytes: Buffer.from(again.buffer), hash: Buffer.from(hash) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread?.terminate();
  }

  private running(): Worker {
    if (this.thread) return this.thread;
    const file = join(__dirname, `check-thread${FROM_SOURCE ? '.ts' : '.js'}`);
    const execArgv = FROM_SOURCE ? ['-C', 'source', '-r', '@swc-node/register'] : process.execArgv;
    const thread = new Worker(file, { execArgv });
    thread.unref();
    thread.on('message', (reply: CheckReply) => this.take(reply.id)?.resolve(reply));
    thread.on('error', (error) => this.lose(error));
    thread.on('exit', () => this.lose(new Error('the thread ended')));
    this.thread = thread;
    return thread;
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  /** Out of memory, say: whoever waits fails, and the next batch gets a new thread. */
  private lose(error: Error): void {
    this.thread = undefined;
    for (const id of [...this.waiting.keys()]) this.take(id)?.reject(error);
  }
}
