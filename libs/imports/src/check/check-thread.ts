import { createHash } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ImportSurface } from '../definitions';
import { type CheckResult, checkBatch } from './check-batch';

export interface CheckRequest {
  id: number;
  surface: ImportSurface;
  bytes: Uint8Array;
  rowsLimit: number;
}

export interface CheckReply {
  id: number;
  result?: CheckResult;
  failure?: string;
  /** SHA-256 of the bytes, of a batch that is well. */
  hash?: Uint8Array;
  /** Comes back, so that it need not be copied. */
  bytes: Uint8Array;
}

// A batch may take a second to check: whoever reads a participant meanwhile goes first. On Linux alone a thread has
// a priority of its own.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), 5));

parentPort?.on('message', ({ id, surface, bytes, rowsLimit }: CheckRequest) => {
  const reply: CheckReply = { id, bytes };
  try {
    reply.result = checkBatch(surface, bytes, rowsLimit);
    if ('rows' in reply.result) reply.hash = createHash('sha256').update(bytes).digest();
  } catch (error) {
    reply.failure = String(error);
  }
  parentPort?.postMessage(reply, [bytes.buffer as ArrayBuffer]);
});
