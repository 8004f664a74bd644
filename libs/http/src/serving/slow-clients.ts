import { type Server, STATUS_CODES } from 'node:http';
import type { Settings } from '#libs/config';

const CHECK_EVERY_MS = 1_000;

/** Cuts off clients that dribble their headers or body, or don't read what they asked for. */
export function limitSlowClients(server: Server, settings: Settings): void {
  server.headersTimeout = settings.HEADERS_TIMEOUT_MS;
  server.requestTimeout = settings.REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = settings.KEEP_ALIVE_MS;
  // A connection on which nothing moves at all, the answer's reader included.
  server.timeout = Math.max(settings.REQUEST_TIMEOUT_MS, settings.KEEP_ALIVE_MS);
  // Node looks for late requests every 30 seconds unless told otherwise before it listens.
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = Math.min(
    CHECK_EVERY_MS,
    settings.HEADERS_TIMEOUT_MS,
  );
}

const REFUSALS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers must not be larger than 16384 bytes.'],
};

/** What is not HTTP never reaches a route; it is answered in the contract's shape all the same. */
export function refuseBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [statusCode, message] = REFUSALS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
    const reason = STATUS_CODES[statusCode];
    const body = JSON.stringify({ statusCode, error: reason, message });
    socket.end(
      [
        `HTTP/1.1 ${statusCode} ${reason}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}
