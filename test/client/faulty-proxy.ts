import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

/** What happens to one request, instead of being passed on. */
export type Fault = (answer: ServerResponse, pass: Pass) => unknown;

/** Asks the API. */
type Pass = (options?: { compressed: boolean }) => Promise<IncomingMessage>;

export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
}

/** A proxy before an API, which does the given faults to the next requests whose path matches. */
export interface FaultyProxy {
  url: string;
  faults: [on: RegExp, fault: Fault][];
  seen: Seen[];
  close(): void;
}

export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const proxy: FaultyProxy = { url: '', faults: [], seen: [], close: () => undefined };
  const server = createServer(async (request, answer) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    proxy.seen.push({ method, path, headers });
    const pass: Pass = async ({ compressed } = { compressed: true }) => {
      const { 'accept-encoding': _, ...others } = headers;
      const asked = compressed ? headers : others;
      const passed = send(target + path, { method, headers: asked }).end(body);
      const [response] = await once(passed, 'response');
      return response;
    };
    const at = proxy.faults.findIndex(([on]) => on.test(path));
    const [found] = at < 0 ? [] : proxy.faults.splice(at, 1);
    await (found?.[1] ?? passes)(answer, pass);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return proxy;
}

export const passes: Fault = async (answer, pass) => {
  const response = await pass();
  answer.writeHead(response.statusCode ?? 500, response.headers);
  response.pipe(answer);
};

export const says =
  (status: number, headers: Record<string, string> = {}, body: unknown = {}): Fault =>
  (answer) =>
    answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const breaksOff: Fault = (answer) => answer.destroy();

/** It was processed, and nobody learns of it. */
export const losesTheAnswer: Fault = async (answer, pass) => {
  await text(await pass());
  answer.destroy();
};

export const neverAnswers: Fault = () => undefined;

export const pageOfAProxy: Fault = (answer) =>
  answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>');

/** Passes on a part of the body. Then the connection ends as if it was whole, or breaks. */
export const cuts =
  (cut: (body: Buffer) => Buffer, end: 'ends' | 'breaks', compressed = false): Fault =>
  async (answer, pass) => {
    const response = await pass({ compressed });
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = response.headers;
    answer.writeHead(response.statusCode ?? 500, headers);
    answer.write(cut(await buffer(response)), () => (end === 'ends' ? answer.end() : answer.destroy()));
  };
