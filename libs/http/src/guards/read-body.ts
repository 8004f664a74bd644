import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';

/**
 * The body's bytes. One whose length is known goes straight to its place, piece by piece: putting 20 MB together
 * at the end would keep every other request waiting meanwhile.
 *
 * @param length as its header says; Node's parser lets no more through, and no less without an error
 * @throws whatever ends the request early; raw-body's `entity.too.large` where no length was given
 */
export async function readBody(
  request: IncomingMessage,
  length: number | undefined,
  limit: number,
): Promise<Buffer> {
  if (length === undefined) return getRawBody(request, { limit });
  // Memory of its own, so that it can move to another thread.
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  await new Promise<void>((resolve, reject) => {
    request
      .on('data', (piece: Buffer) => {
        filled += piece.copy(bytes, filled);
      })
      .once('end', resolve)
      .once('error', reject)
      // Without an end before: its client is gone.
      .once('close', () => reject(new Error('The body ended early')));
  });
  return bytes;
}
