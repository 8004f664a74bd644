import type { IncomingMessage } from 'node:http';
import { errors } from '#libs/errors';
import type { BodyBudget, BodyShare } from './body-budget';

/** Memory that a body begins with, and that doubles as it grows. */
const FIRST = 4_096;

export interface BodyToRead {
  /** As its header says: Node's parser lets no more through, and no less without an error. */
  length: number | undefined;
  /** The most that may arrive where no length was given. */
  limit: number;
  budget: BodyBudget;
  organizationId: string;
}

/**
 * The body's bytes. Memory is taken as they arrive: a length that was only announced costs nothing.
 *
 * @param onEnd calls back when the request's answer is sent, or its client is gone
 * @throws ApiError 413; 503 where memory is short; 400 where the body did not arrive whole
 */
export async function readBody(
  request: IncomingMessage,
  { length, limit, budget, organizationId }: BodyToRead,
  onEnd: (release: () => void) => void,
): Promise<Buffer> {
  let cut: (error: Error) => void = () => {};
  const share = budget.open(organizationId, () => cut(errors.overloaded({ connection: 'close' })));
  onEnd(() => share.release());
  const body = new GrowingBody(length, limit, share);
  try {
    await new Promise<void>((resolve, reject) => {
      cut = reject;
      request
        .on('data', (piece: Buffer) => {
          try {
            body.add(piece);
          } catch (error) {
            reject(error);
          }
        })
        .once('end', resolve)
        .once('error', () => reject(errors.invalid('The body was not received completely')))
        // Without an end before: its client is gone.
        .once('close', () => reject(errors.invalid('The body was not received completely')));
    });
  } catch (error) {
    request.removeAllListeners('data').pause();
    share.release();
    throw error;
  }
  share.complete();
  return body.bytes();
}

class GrowingBody {
  private memory = Buffer.alloc(0);
  private filled = 0;

  constructor(
    private readonly length: number | undefined,
    private readonly limit: number,
    private readonly share: BodyShare,
  ) {}

  add(piece: Buffer): void {
    const needed = this.filled + piece.length;
    if (needed > this.limit) throw errors.tooLarge(this.limit);
    if (needed > this.memory.length) this.enlarge(needed);
    this.filled += piece.copy(this.memory, this.filled);
  }

  bytes(): Buffer {
    return this.filled === this.memory.length ? this.memory : this.memory.subarray(0, this.filled);
  }

  private enlarge(needed: number): void {
    const size = Math.min(Math.max(needed, this.memory.length * 2, FIRST), this.length ?? this.limit);
    this.share.grow(size - this.memory.length);
    // Memory of its own, so that it can move to another thread.
    const larger = Buffer.allocUnsafeSlow(size);
    this.memory.copy(larger, 0, 0, this.filled);
    this.memory = larger;
  }
}
