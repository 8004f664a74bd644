import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { indexRoutes } from './route-index';

const ROUTES = [
  '/',
  '/health',
  '/v0/races',
  '/v0/races/:id',
  '/v0/races/export',
  '/v0/races/:id/tickets',
  '/v0/tickets/:id',
  '/v0/:other/:id',
  '/:any/things/:id',
  '/marketplace/events{/}',
  '/files/*path',
];
const REQUESTS = [
  ...[
    '/',
    '/health',
    '/health/',
    '/v0/races',
    '/v0/races/7',
    '/v0/races/export',
    '/v0/races/',
    '/v0/races/7/tickets',
  ],
  ...[
    '/v0/tickets/7?page=1',
    '/v0/teams/7',
    '/v0/things/7',
    '/v1/things/7',
    '/marketplace/events',
    '/marketplace/events/',
  ],
  ...[
    '/files/a/b/c',
    '/files/a',
    '/V0/races',
    '/v0/%72aces',
    '/v0//7',
    '//v0/races',
    '/v0/races/7/8/9',
    '/nothing',
  ],
];

/** An app that answers with the routes that it tried. */
async function serve(isIndexed: boolean): Promise<{ url: string; close: () => void }> {
  const app = express();
  Object.assign(app.router, { caseSensitive: true, strict: true });
  if (isIndexed) indexRoutes(app.router as unknown as Parameters<typeof indexRoutes>[0]);
  const tried: string[] = [];
  app.use((_, __, next) => {
    tried.length = 0;
    next();
  });
  for (const path of ROUTES)
    app.get(path, (request, _, next) => {
      tried.push(`${path} ${JSON.stringify(request.params)}`);
      next();
    });
  app.post('/v0/races', (_, response) => void response.json('created'));
  app.use((_, response) => void response.json(tried));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it('gives each request the routes that Express would give it, in the same order', async () => {
  const [plain, indexed] = [await serve(false), await serve(true)];
  try {
    for (const path of REQUESTS) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const answer = async ({ url }: { url: string }) => {
          const response = await fetch(url + path, { method });
          return [path, method, response.status, response.headers.get('allow'), await response.text()];
        };
        expect(await answer(indexed)).toEqual(await answer(plain));
      }
    }
  } finally {
    plain.close();
    indexed.close();
  }
});

it.each(['http://[', 'http://a:b:c/', '//', '*', 'http://example.com', '?a=b', '/v0/races?a?b/c'])(
  'leaves the request target %s to Express',
  async (target) => {
    const answers = [];
    for (const isIndexed of [false, true]) {
      const { url, close } = await serve(isIndexed);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.end(`GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
      answers.push((await text(socket)).replace(/^date: .*$/im, ''));
      close();
    }
    expect(answers[1]).toBe(answers[0]);
    expect(answers[0]).toMatch(/^HTTP\/1.1 \d/);
  },
);
