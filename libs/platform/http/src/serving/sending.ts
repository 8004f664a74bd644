import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Response } from 'express';
import type { Settings } from '#platform/config';
import { errors } from '#platform/validation';
import { type ApiRequest, endTurns } from '../request';
import { type Encoding, encodingFor } from './compression';
import { isClosed, UnsentBytes } from './unsent-bytes';

/** Up to this length, Node sends head and text in one system call. */
export const SMALL = 16_384;
/** Compression saves fewer bytes of a smaller body than it is worth. */
const COMPRESSED_FROM = 2_048;
/** The most bytes that are handed to a connection before its client must read. */
const PIECE = 65_536;
/** A larger body is compressed as it is sent, so that it is never in memory as one buffer. */
const WHOLE = 1_048_576;

/** The most bytes that are sent before other connections have a turn. */
const TURN = 262_144;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

type Piece = string | Buffer;
type SendingSettings = Pick<Settings, 'BODIES_LIMIT' | 'REQUEST_TIMEOUT_MS'>;

/**
 * Sends bodies no faster than clients read. What a client has not read counts in its organization's budget, and a client that
 * does not take a piece within half of REQUEST_TIMEOUT_MS loses its connection.
 */
export class Sending {
  readonly unsent: UnsentBytes;

  constructor(private readonly settings: SendingSettings) {
    this.unsent = new UnsentBytes(settings.BODIES_LIMIT);
  }

  /** JSON. A small one, which most are, is one write, and is not counted. */
  json(response: Response, pieces: readonly Piece[], status = 200): void {
    // No more than the bytes, which are only counted for a small body: that takes time.
    const units = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (units < SMALL) {
      const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
      if (length < SMALL && !this.encodingOf(response, length)) {
        const [run] = pieces.length > 1 ? runsOf(pieces) : pieces;
        response.writeHead(status, { ...JSON_TYPE, 'content-length': length });
        response.end(run);
        return;
      }
    }
    this.large(response, pieces, { units, status }).catch(() => response.destroy());
  }

  /**
   * Text as it is produced. Stops when the client disconnects, or has lost rights. An error before the first piece becomes an error
   * response; a later one breaks the connection.
   */
  async stream(
    response: Response,
    produced: AsyncGenerator<string, void>,
    headers: Record<string, string>,
  ): Promise<void> {
    const pieces = whilePermitted(response, produced);
    const first = await pieces.next();
    endTurns(response.req as Response['req'] & Pick<ApiRequest, 'turns'>);
    const encoding = encodingFor(response.req);
    response.writeHead(200, {
      ...headers,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding.name }),
    });
    const organizationId = organizationOf(response);
    const { unsent } = this;
    const all = async function* () {
      try {
        for (let next = first; !next.done; next = await pieces.next()) {
          const bytes = Buffer.byteLength(next.value);
          unsent.add(organizationId, bytes);
          try {
            yield* chunksOf([next.value]);
          } finally {
            unsent.add(organizationId, -bytes);
          }
          // The cursor goes no further than the client, nor while other clients of the organization do not read.
          await unsent.room(organizationId, response);
        }
      } finally {
        await pieces.return();
      }
    };
    await this.write(response, all(), encoding);
  }

  private encodingOf(response: Response, length: number): Encoding | undefined {
    if (length < COMPRESSED_FROM) return undefined;
    response.setHeader('vary', 'accept-encoding');
    return encodingFor(response.req);
  }

  private async large(response: Response, pieces: readonly Piece[], { units, status }: Body): Promise<void> {
    const organizationId = organizationOf(response);
    // The memory is used until the last piece is sent.
    const held = <T>(bytes: number, work: () => Promise<T>) => this.held(organizationId, bytes, work);
    const { chunks, length } = await held(units, () => encoded(pieces));
    const encoding = this.encodingOf(response, length);
    if (encoding && length > WHOLE) {
      response.writeHead(status, { ...JSON_TYPE, 'content-encoding': encoding.name });
      await held(length, () => this.write(response, chunks, encoding));
      return;
    }
    const compressed = await encoding?.compress(Buffer.concat(chunks, length)).catch(() => undefined);
    const size = compressed?.length ?? length;
    if (isClosed(response)) return;
    response.writeHead(status, {
      ...JSON_TYPE,
      ...(compressed && { 'content-encoding': encoding?.name }),
      'content-length': size,
    });
    await held(size, () => this.write(response, compressed ? chunksOf([compressed]) : chunks, undefined));
  }

  /** Counts bytes during the work. */
  private async held<T>(organizationId: string, bytes: number, work: () => Promise<T>): Promise<T> {
    this.unsent.add(organizationId, bytes);
    try {
      return await work();
    } finally {
      this.unsent.add(organizationId, -bytes);
    }
  }

  /** Writes the chunks one after another, each when the connection has taken the one before, and ends the response. */
  private async write(
    response: Response,
    chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
    encoding: Encoding | undefined,
  ): Promise<void> {
    let since = 0;
    const sink = async (source: AsyncIterable<Buffer> | Iterable<Buffer>) => {
      for await (const chunk of source) {
        if (!response.write(chunk)) await this.taken(response, 'drain');
        if (isClosed(response)) return;
        since += chunk.length;
        // A connection that takes everything at once drains before other connections have a turn.
        if (since >= TURN) {
          since = 0;
          await turnOfLoop();
        }
      }
      response.end();
      if (!response.writableFinished) await this.taken(response, 'finish');
    };
    try {
      await (encoding
        ? pipeline(Readable.from(chunks, { highWaterMark: 1 }), encoding.stream(), sink)
        : sink(chunks));
    } catch (error) {
      const isGone = isClosed(response);
      response.destroy();
      if (!isGone) throw error;
    }
  }

  /** Waits for the client. One that takes nothing for too long is disconnected. */
  private taken(response: ServerResponse, event: 'drain' | 'finish'): Promise<void> {
    const { socket } = response.req;
    if (isClosed(response)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.destroy(), this.settings.REQUEST_TIMEOUT_MS / 2);
      const done = () => {
        clearTimeout(timer);
        response.off(event, done);
        socket.off('close', done);
        resolve();
      };
      response.on(event, done);
      socket.on('close', done);
    });
  }
}

interface Body {
  /** Of the pieces: bytes of a buffer, UTF-16 units of a text. */
  units: number;
  status: number;
}

/** @throws ApiError 401 if the caller has other rights than at the beginning */
async function* whilePermitted(
  { req }: Response,
  pieces: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  const { isStillPermitted } = req as unknown as Partial<ApiRequest>;
  for await (const piece of pieces) {
    if (isStillPermitted && !(await isStillPermitted())) throw errors.unauthorized();
    yield piece;
  }
}

/** Responses without a caller, such as documents, share one budget. */
const organizationOf = ({ req }: Response): string =>
  (req as unknown as Partial<ApiRequest>).caller?.organizationId ?? '';

/** All bytes in chunks of one write. Other connections have turns meanwhile. */
async function encoded(pieces: readonly Piece[]): Promise<{ chunks: Buffer[]; length: number }> {
  const chunks: Buffer[] = [];
  let [length, since] = [0, 0];
  for (const chunk of chunksOf(pieces)) {
    chunks.push(chunk);
    length += chunk.length;
    since += chunk.length;
    if (since < TURN) continue;
    since = 0;
    await turnOfLoop();
  }
  return { chunks, length };
}

/** The bytes in chunks of one write. Pieces that are neighbours in memory stay where they are, other short ones are joined. */
function* chunksOf(pieces: readonly Piece[]): Generator<Buffer, void> {
  for (const run of runsOf(pieces)) {
    for (let at = 0; at < run.length; at += PIECE) yield run.subarray(at, at + PIECE);
  }
}

function* runsOf(pieces: readonly Piece[]): Generator<Buffer, void> {
  let parts: Buffer[] = [];
  let length = 0;
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    const before = parts.at(-1);
    if (before && isFollowedBy(before, bytes)) {
      parts[parts.length - 1] = Buffer.from(before.buffer, before.byteOffset, before.length + bytes.length);
    } else {
      if (length >= SMALL) {
        yield joined(parts, length);
        parts = [];
        length = 0;
      }
      parts.push(bytes);
    }
    length += bytes.length;
  }
  if (length > 0) yield joined(parts, length);
}

const isFollowedBy = (before: Buffer, bytes: Buffer): boolean =>
  before.buffer === bytes.buffer && before.byteOffset + before.length === bytes.byteOffset;

const joined = (parts: Buffer[], length: number): Buffer =>
  parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, length);
