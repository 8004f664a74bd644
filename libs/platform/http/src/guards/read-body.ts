import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { errors } from '#platform/validation';
import type { BodyBandwidth } from './body-bandwidth';
import type { BodyBudget, BodyShare } from './body-budget';

/** The initial buffer, which doubles as the body grows. */
const FIRST = 4_096;
/** A larger buffer has room for the whole body, because the copy of megabytes would stop the event loop. */
const LARGEST_COPY = 524_288;
/** A body up to this size is read and processed at once, whatever its organization has sent. */
export const SMALL_BODY = 16_384;
/** The size in bytes of decompressed pieces: with zlib's default of 16 KB, each MB waits 64 times for the event loop. */
const UNZIPPED = 131_072;
/** The memory in bytes that zlib uses to decompress one body. */
const UNZIP = 65_536 + UNZIPPED;

export interface BodyToRead {
  /** The length of the header, which Node's parser enforces. */
  length: number | undefined;
  /** The limit for a body without a length, and for a compressed one after decompression. */
  limit: number;
  /** The error of a body beyond the limit. */
  tooLarge: () => Error;
  /** The body is compressed by gzip. */
  isGzip: boolean;
  budget: BodyBudget;
  bandwidth: BodyBandwidth;
  organizationId: string;
}

/**
 * The bytes of the body. Received bytes count, not the announced length: memory that is not written is not used. A compressed body is
 * decompressed as it arrives; budget, bandwidth and limit apply to the decompressed bytes.
 *
 * @param onEnd called when the response was sent or the client disconnected
 *
 * @throws what `tooLarge` makes; ApiError 503 if memory is short; 400 if the body is incomplete, or is not gzip
 */
export async function readBody(
  request: IncomingMessage,
  { length, limit, tooLarge, isGzip, budget, bandwidth, organizationId }: BodyToRead,
  onEnd: (release: () => void) => void,
): Promise<Buffer> {
  let cut: (error: Error) => void = () => {};
  const share = budget.open(organizationId, () => cut(errors.overloaded({ connection: 'close' })));
  onEnd(() => share.release());
  if (isGzip) share.grow(UNZIP);
  const body = new GrowingBody(isGzip ? undefined : length, limit, tooLarge, share);
  const unzip = isGzip ? createGunzip({ chunkSize: UNZIPPED }) : undefined;
  const source = unzip ?? request;
  let isReading = true;
  const resume = () => {
    if (isReading) source.resume();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      cut = reject;
      const incomplete = () => reject(errors.invalid('The body was not received completely'));
      source
        .on('data', (piece: Buffer) => {
          try {
            body.add(piece);
          } catch (error) {
            reject(error);
            return;
          }
          if (body.size > SMALL_BODY && bandwidth.isUsedUp(organizationId, piece.length, resume))
            source.pause();
        })
        .once('end', resolve);
      unzip?.once('error', () => reject(errors.invalid('The body is not valid gzip data, or not all of it')));
      request
        .once('error', incomplete)
        // Closed before the end: the client disconnected.
        .once('close', () => request.complete || incomplete());
      if (unzip) request.pipe(unzip);
    });
  } catch (error) {
    request.unpipe().removeAllListeners('data').pause();
    unzip?.destroy();
    share.release();
    throw error;
  } finally {
    isReading = false;
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
    private readonly tooLarge: () => Error,
    private readonly share: BodyShare,
  ) {}

  add(piece: Buffer): void {
    const needed = this.filled + piece.length;
    if (needed > this.limit) throw this.tooLarge();
    this.share.grow(piece.length);
    if (needed > this.memory.length) this.enlarge(needed);
    this.filled += piece.copy(this.memory, this.filled);
  }

  get size(): number {
    return this.filled;
  }

  bytes(): Buffer {
    return this.filled === this.memory.length ? this.memory : this.memory.subarray(0, this.filled);
  }

  private enlarge(needed: number): void {
    const whole = this.length ?? this.limit;
    const doubled = Math.max(needed, this.memory.length * 2, FIRST);
    // A separate buffer, which can be transferred to another thread.
    const larger = Buffer.allocUnsafeSlow(doubled > LARGEST_COPY ? whole : Math.min(doubled, whole));
    this.memory.copy(larger, 0, 0, this.filled);
    this.memory = larger;
  }
}
