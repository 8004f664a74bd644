import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ownProgram, SETTINGS, type Settings } from '#platform/config';
import { FairQueue } from '#platform/scheduling';
import {
  type BodyBounds,
  type CheckingThread,
  type OrdinaryBody,
  type Problem,
  SMALL_ENOUGH,
} from '#platform/validation';
import type { ImportSurface } from '../definitions';
import { type CheckResult, checkBatch } from './check-batch';
import type { CheckedAs, CheckReply, CheckRequest } from './check-thread';

interface Waiting {
  resolve(reply: CheckReply): void;
  reject(error: Error): void;
}

/**
 * Checks large bodies in a separate thread, one at a time, so that a 20 MB body does not block
 * other requests. Small imports are checked at once.
 */
@Injectable()
export class BatchChecker implements CheckingThread, OnApplicationBootstrap, OnApplicationShutdown {
  private thread: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private serial = 0;
  private readonly queue: FairQueue;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.queue = new FairQueue({ slots: 1, waitMs: settings.TURN_WAIT_MS });
  }

  /** Starts the thread early, so that the first import does not wait for it. */
  onApplicationBootstrap(): void {
    this.running();
  }

  /**
   * @param organizationId organizations take turns
   * @param body is transferred to the thread if possible, and then empty
   * @param keepsInvalid as for `checkBatch`
   * @returns the result, the bytes and their hash
   * @throws ShareExceeded if the body waited longer than TURN_WAIT_MS
   */
  async check(
    organizationId: string,
    surface: ImportSurface,
    body: Buffer,
    keepsInvalid = false,
  ): Promise<{ result: CheckResult; bytes: Buffer; hash: Buffer }> {
    // So that a small import does not wait for the check of another organization's large one.
    if (body.length <= SMALL_ENOUGH) {
      const result = checkBatch(surface, body, keepsInvalid);
      return { result, bytes: body, hash: createHash('sha256').update(body).digest() };
    }
    const {
      result,
      bytes,
      hash = [],
    } = await this.queue.run(organizationId, () => this.ask({ surface, keepsInvalid }, body));
    return { result, bytes, hash: Buffer.from(hash) };
  }

  async checkBody(
    organizationId: string,
    body: OrdinaryBody,
    bytes: Buffer,
    bounds: BodyBounds,
  ): Promise<{ problems: Problem[]; bytes: Buffer }> {
    const { result, bytes: again } = await this.queue.run(organizationId, () =>
      this.ask({ body, bounds }, bytes),
    );
    return { problems: 'problems' in result ? result.problems : [], bytes: again };
  }

  private async ask(
    as: CheckedAs,
    body: Buffer,
  ): Promise<{ result: CheckResult; bytes: Buffer; hash?: Uint8Array }> {
    const { buffer, byteOffset, byteLength } = body;
    // Small buffers of Node share the memory of its pool.
    const isOwn = byteOffset === 0 && buffer.byteLength > Buffer.poolSize;
    const bytes = isOwn ? new Uint8Array(buffer as ArrayBuffer, 0, byteLength) : new Uint8Array(body);
    const id = ++this.serial;
    const reply = await new Promise<CheckReply>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.running().postMessage({ id, as, bytes } satisfies CheckRequest, [bytes.buffer]);
    });
    if (!reply.result) throw new Error(`The check of a body failed: ${reply.failure}`);
    const { buffer: checked, byteOffset: begin, byteLength: length } = reply.bytes;
    return { result: reply.result, bytes: Buffer.from(checked, begin, length), hash: reply.hash };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread?.terminate();
  }

  private running(): Worker {
    if (this.thread) return this.thread;
    const { file, ...options } = ownProgram(join(__dirname, 'check-thread'));
    // Without options, it inherits those of this process; listed, Node rejects flags of V8.
    const thread = new Worker(file, options);
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

  /** The thread ended, for example out of memory: the pending check fails, and the next body starts a new thread. */
  private lose(error: Error): void {
    this.thread = undefined;
    for (const id of [...this.waiting.keys()]) this.take(id)?.reject(error);
  }
}
