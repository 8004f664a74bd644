import type { IncomingMessage } from 'node:http';
import type { BodyBandwidth } from '../guards/body-bandwidth';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MS = 30_000;
/** A client that sends nothing for this long has read the response, or never will. */
const IDLE_MS = 2_000;

/**
 * Reads the rest of a body and discards it. Closing a connection with unread bytes resets it, and a client that sends its
 * whole body before it reads would lose the response. The bytes count in the organization's bandwidth.
 *
 * @returns when the body ended, or its client was given enough time and bytes
 */
export function discardBody(
  request: IncomingMessage,
  bandwidth: BodyBandwidth,
  organizationId: string,
): Promise<void> {
  return new Promise((resolve) => {
    let left = MOST_BYTES;
    const end = () => {
      clearTimeout(late);
      clearTimeout(idle);
      request.removeListener('data', discard).pause();
      resolve();
    };
    const late = setTimeout(end, MOST_MS).unref();
    const idle = setTimeout(() => (request.isPaused() ? idle.refresh() : end()), IDLE_MS).unref();
    const discard = (piece: Buffer) => {
      idle.refresh();
      left -= piece.length;
      if (left < 0) end();
      else if (bandwidth.isUsedUp(organizationId, piece.length, () => request.resume())) request.pause();
    };
    request.on('data', discard).once('end', end).once('close', end).resume();
  });
}
