import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends text as it is made, no faster than the client reads. It stops making it when the client leaves. A failure before
 * the first piece is answered as an error; one after it breaks the connection.
 */
export async function sendStream(
  response: Response,
  pieces: AsyncGenerator<string, void>,
  headers: Record<string, string>,
): Promise<void> {
  const first = await pieces.next();
  response.writeHead(200, headers);
  const all = async function* () {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } finally {
      await pieces.return();
    }
  };
  // A text of a page at a time: two of them are held at most.
  await pipeline(Readable.from(all(), { highWaterMark: 1 }), response).catch(
    (error: NodeJS.ErrnoException) => {
      response.destroy();
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    },
  );
}
