import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/**
 * A receiver in a separate process. The path determines its behavior, and the query its secret. It reports each request to
 * its parent, which can set the response of `/asked`.
 */

const KEPT_OPEN_MS = 60_000;
let asked = 500;
process.on('message', (status: number) => {
  asked = status;
});

const behaviours: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  ok: (response) => response.writeHead(204).end(),
  says: (response) => response.writeHead(200).end('x'.repeat(200_000)),
  asked: (response) => response.writeHead(asked).end(`${asked}`),
  gone: (response) => response.writeHead(410).end(),
  busy: (response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
  redirects: (response) => response.writeHead(302, { location: '/ok' }).end(),
  hangs: () => {},
  closes: (_, request) => request.socket.destroy(),
  'closes-in-body': (response, request) => {
    response.writeHead(500, { 'content-length': '1000' });
    response.write('only this', () => request.socket.destroy());
  },
  'byte-by-byte': (response) => {
    response.writeHead(500);
    const timer = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(timer));
  },
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url as string, 'http://receiver');
  const body = await text(request);
  const secret = searchParams.get('secret');
  let verified: boolean | undefined;
  if (secret) {
    try {
      new Webhook(secret).verify(body, request.headers as Record<string, string>);
      verified = true;
    } catch {
      verified = false;
    }
  }
  const path = pathname.slice(1);
  const status = path === 'asked' ? asked : undefined;
  const port = request.socket.remotePort;
  process.send?.({ path, headers: request.headers, body, verified, status, port });
  (behaviours[path] ?? behaviours.ok)?.(response, request);
});
server.keepAliveTimeout = KEPT_OPEN_MS;
server.listen(0, '127.0.0.1', () => process.send?.({ listening: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
