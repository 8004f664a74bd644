import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { encodingFor } from './serving/compression';

/**
 * Sends text as it is produced, no faster than the client reads. Stops when the client disconnects. An error before
 * the first piece becomes an error response; a later one breaks the connection.
 */
export async function sendStream(
  response: Response,
  pieces: AsyncGenerator<string, void>,
  headers: Record<string, string>,
): Promise<void> {
  const first = await pieces.next();
  const encoding = encodingFor(response.req);
  response.writeHead(200, {
    ...headers,
    vary: 'accept-encoding',
    ...(encoding && { 'content-encoding': encoding.name }),
  });
  const all = async function* () {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } finally {
      await pieces.return();
    }
  };
  // One text per page: at most two are in memory.
  const source = Readable.from(all(), { highWaterMark: 1 });
  const stages = encoding ? [source, encoding.stream(), response] : [source, response];
  await pipeline(stages).catch((error: NodeJS.ErrnoException) => {
    response.destroy();
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
