import { createHash } from 'node:crypto';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type BodyBounds, type OrdinaryBody, readBody } from '#platform/validation';
import type { ImportSurface } from '../definitions';
import { type CheckResult, checkBatch } from './check-batch';

/** The kind of check. */
export type CheckedAs =
  | { surface: ImportSurface; keepsInvalid: boolean }
  | { body: OrdinaryBody; bounds: BodyBounds };

export interface CheckRequest {
  id: number;
  as: CheckedAs;
  bytes: Uint8Array;
}

export interface CheckReply {
  id: number;
  result?: CheckResult;
  failure?: string;
  /** SHA-256 of the bytes, for a batch without problems. */
  hash?: Uint8Array;
  /** Transferred back, to avoid a copy. Properties that are skipped may be missing. */
  bytes: Uint8Array;
}

// The event loop takes precedence. On Linux, a thread has its own priority.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), 5));

parentPort?.on('message', ({ id, as, bytes }: CheckRequest) => {
  const reply: CheckReply = { id, bytes };
  try {
    if ('surface' in as) {
      reply.result = checkBatch(as.surface, bytes, as.keepsInvalid);
      if ('rows' in reply.result) reply.hash = createHash('sha256').update(bytes).digest();
    } else {
      const { problems, kept } = readBody(as.body, bytes, as.bounds);
      reply.result = { problems };
      if (kept !== undefined) reply.bytes = new TextEncoder().encode(kept);
    }
  } catch (error) {
    reply.failure = String(error);
  }
  parentPort?.postMessage(reply, [reply.bytes.buffer as ArrayBuffer]);
});
