import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PIECE = 'x'.repeat(65_536);
const DRIBBLE_MS = 500;

/** What a hostile receiver of webhooks does with a delivery. */
const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  'answers at once': (response) => response.writeHead(200).end(),
  'never answers': () => {},
  'answers 500': (response) => response.writeHead(500).end(PIECE),
  'closes the connection': (response) => response.destroy(),
  'redirects to itself': (response) => response.writeHead(307, { location: response.req.url }).end(),
  'sends a byte at a time': (response) => {
    const timer = setInterval(() => response.write('x'), DRIBBLE_MS);
    response.once('close', () => clearInterval(timer));
  },
  'sends without end': (response) => {
    const send = () => {
      while (!response.destroyed && response.write(PIECE));
    };
    response.on('drain', send);
    send();
  },
};

export const RECEIVERS = Object.keys(ANSWERS);

/** Receives deliveries as an attacker would. */
export async function hostileReceiver(): Promise<{ server: Server; urlOf(name: string): string }> {
  const server = createServer((request, response) => {
    request.resume();
    ANSWERS[decodeURIComponent(request.url?.split('/')[1] ?? '')]?.(response);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, urlOf: (name) => `http://127.0.0.1:${port}/${encodeURIComponent(name)}` };
}
