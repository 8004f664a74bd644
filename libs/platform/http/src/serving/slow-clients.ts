import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Settings } from '#platform/config';

const CHECK_EVERY_MS = 1_000;
const HEADERS_TIMEOUT_MS = 10_000;

/** Closes connections of clients that send or read too slowly. */
export function limitSlowClients(server: Server, settings: Settings): void {
  server.headersTimeout = Math.min(HEADERS_TIMEOUT_MS, settings.REQUEST_TIMEOUT_MS);
  server.requestTimeout = settings.REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = settings.KEEP_ALIVE_MS;
  // A connection without any traffic in either direction.
  server.timeout = Math.max(settings.REQUEST_TIMEOUT_MS, settings.KEEP_ALIVE_MS);
  // Node checks for late requests every 30 seconds by default; this must be set before it listens.
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = Math.min(
    CHECK_EVERY_MS,
    settings.REQUEST_TIMEOUT_MS,
  );
}

const REFUSALS: Record<string, readonly [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers must not be larger than 16384 bytes.'],
};

const refusalOf = (statusCode: number, message: string) => {
  const body = JSON.stringify({ statusCode, error: STATUS_CODES[statusCode], message });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { body, headers };
};

function refuse(socket: Duplex, statusCode: number, message: string): void {
  const { body, headers } = refusalOf(statusCode, message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines, '', body].join('\r\n'));
}

/** By the response, which follows those to earlier requests. */
export function refuseBy(response: ServerResponse, statusCode: number, message: string): void {
  const { body, headers } = refusalOf(statusCode, message);
  response.writeHead(statusCode, headers).end(body);
}

/** What does not reach a route gets a response of the same format (docs/interface.md#errors). */
export function refuseBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [statusCode, message] = REFUSALS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.'];
    refuse(socket, statusCode, message);
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own listeners and the time limit: an error would end the process, and an idle client keep the connection.
    socket.on('error', () => {});
    refuse(socket, 405, 'This server is no proxy.');
    socket.destroySoon();
  });
  // `readBody` asks the client to continue: nobody sends a body that is refused by its headers.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (_request, response) =>
    refuseBy(response, 417, 'Of the header Expect, only 100-continue is supported.'),
  );
}
