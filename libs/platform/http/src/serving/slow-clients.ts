import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Settings } from '#platform/config';

const CHECK_EVERY_MS = 1_000;

/** Closes connections of clients that send or read too slowly. */
export function limitSlowClients(server: Server, settings: Settings): void {
  server.headersTimeout = settings.HEADERS_TIMEOUT_MS;
  server.requestTimeout = settings.REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = settings.KEEP_ALIVE_MS;
  // A connection without any traffic in either direction.
  server.timeout = Math.max(settings.REQUEST_TIMEOUT_MS, settings.KEEP_ALIVE_MS);
  // Node checks for late requests every 30 seconds by default; this must be set before it listens.
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = Math.min(
    CHECK_EVERY_MS,
    settings.HEADERS_TIMEOUT_MS,
  );
}

const REFUSALS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers must not be larger than 16384 bytes.'],
};

function refuse(socket: Duplex, statusCode: number, message: string): void {
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
}

/** What does not reach a route gets a response of the same format (docs/interface.md#errors). */
export function refuseBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [statusCode, message] = REFUSALS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
    refuse(socket, statusCode, message);
  });
  server.on('connect', (_request, socket: Duplex) => refuse(socket, 405, 'This server is no proxy.'));
  server.on('checkExpectation', ({ socket }) =>
    refuse(socket, 417, 'Of the header Expect, only 100-continue is supported.'),
  );
}
