import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { JsonText } from '#platform/queries';
import { type ApiRequest, endTurns } from './request';
import type { Sending } from './serving/sending';
import { refuseBy } from './serving/slow-clients';

/**
 * The path and query of a request target. Node also accepts targets that contain an address, and those that are no URLs, to which
 * Express would answer before any middleware.
 */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const { pathname, search } = URL.canParse(target) ? new URL(target) : { pathname: target, search: '' };
  return pathname.startsWith('/') ? pathname + search : `/${pathname}${search}`;
}

const TRAILING_SLASH =
  /^(\/(?:v0|marketplace|timing-inbound|identity|console\/v1|docs|changelog)\b(?:[^?]*[^/?])?)\/(?=\?|$)/;

/** A trailing slash of an operation, or of a page of the reference, is ignored. */
const withoutTrailingSlash = (path: string): string => path.replace(TRAILING_SLASH, '$1');

/** A proxy may choose another one than this server. */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

/** What Express's router has of a route. */
interface RouterLayer {
  route?: { methods: Record<string, boolean> };
  match(path: string): boolean;
}

/** The Express adapter, with a fast path for JSON bodies. */
export class JsonAdapter extends ExpressAdapter {
  /**
   * Paths are case-sensitive and, except for a trailing slash of operations, strict, so that a proxy that blocks `/metrics` need not
   * consider `/Metrics/`. Nest creates the router too early for Express's own settings.
   *
   * @param sending how bodies are sent
   */
  constructor(readonly sending: Sending) {
    super();
    Object.assign(this.instance.router, { caseSensitive: true, strict: true });
  }

  /**
   * Requests and responses are made with Express's prototypes. Express would otherwise change the prototype of each, which makes every
   * later access to its properties slower.
   */
  override initHttpServer(): void {
    const { instance } = this;
    class Incoming extends IncomingMessage {}
    class Outgoing extends ServerResponse {}
    Object.setPrototypeOf(Incoming.prototype, instance.request);
    Object.setPrototypeOf(Outgoing.prototype, instance.response);
    Object.assign(instance, { request: Incoming.prototype, response: Outgoing.prototype });
    this.httpServer = createServer(
      // Node's own response to a request without Host has no body.
      { IncomingMessage: Incoming, ServerResponse: Outgoing, requireHostHeader: false },
      (request, response) => {
        if (request.headers.host === undefined && request.httpVersion !== '1.0')
          return refuseBy(response, 400, 'Send the header Host.');
        if (hasTwoHosts(request)) return refuseBy(response, 400, 'Send the header Host once.');
        request.url = withoutTrailingSlash(pathOf(request.url ?? ''));
        instance(request, response);
      },
    );
  }

  /** The methods of the routes at the path. */
  methodsOf(path: string): string[] {
    const layers: RouterLayer[] = this.instance.router.stack;
    const routes = layers.flatMap((layer) => (layer.route && layer.match(path) ? [layer.route] : []));
    const methods = routes.flatMap((route) =>
      Object.keys(route.methods).map((method) => method.toUpperCase()),
    );
    return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])];
  }

  override reply(response: Response, body: unknown, statusCode?: number) {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile)
      return super.reply(response, body, statusCode);
    const pieces = body instanceof JsonText ? body.pieces : [JSON.stringify(body)];
    const request = response.req as Request & Pick<ApiRequest, 'tagged' | 'turns'>;
    const { tagged } = request;
    endTurns(request);
    if (tagged && body instanceof JsonText && body.shows(tagged.changedAt)) {
      response.setHeader('etag', tagged.etag);
      if (response.req.headers['if-none-match'] === '*') return response.writeHead(304).end();
    }
    this.sending.json(response, pieces, statusCode);
    return response;
  }
}
