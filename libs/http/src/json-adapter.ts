import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { JsonText } from '#libs/resources';
import type { ApiRequest } from './request';
import { type Encoding, encodingFor } from './serving/compression';
import { indexRoutes } from './serving/route-index';

/** Up to this length, Node sends head and text in one system call. */
const SMALL = 16_384;

/** The Express adapter, with a fast path for JSON bodies. */
export class JsonAdapter extends ExpressAdapter {
  /**
   * Paths are case-sensitive and strict, so that a proxy that blocks `/metrics` need not consider `/Metrics/`. Nest creates
   * the router too early for Express's own settings.
   *
   * @param compressedFrom the bytes from which a body is compressed; 0 for none
   */
  constructor(private readonly compressedFrom = 0) {
    super();
    Object.assign(this.instance.router, { caseSensitive: true, strict: true });
    indexRoutes(this.instance.router);
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
    this.httpServer = createServer({ IncomingMessage: Incoming, ServerResponse: Outgoing }, instance);
  }

  override reply(response: Response, body: unknown, statusCode?: number) {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile)
      return super.reply(response, body, statusCode);
    const pieces = body instanceof JsonText ? body.pieces : [JSON.stringify(body)];
    const { tagged } = response.req as Request & Pick<ApiRequest, 'tagged'>;
    if (tagged && body instanceof JsonText && body.shows(tagged.changedAt)) {
      response.setHeader('etag', tagged.etag);
      if (response.req.headers['if-none-match'] === '*') return response.writeHead(304).end();
    }
    const [only = ''] = pieces;
    const isSmall = pieces.length === 1 && only.length < SMALL;
    const sent = isSmall ? only : bytesOf(pieces);
    const encoding = this.encodingOf(response, sent.length);
    if (encoding) void compressed(response, Buffer.from(sent), encoding, statusCode);
    else send(response, sent, statusCode);
    return response;
  }

  private encodingOf(response: Response, length: number): Encoding | undefined {
    if (this.compressedFrom === 0 || length < this.compressedFrom) return undefined;
    response.setHeader('vary', 'accept-encoding');
    return encodingFor(response.req);
  }
}

async function compressed(response: Response, bytes: Buffer, encoding: Encoding, status?: number) {
  const sent = await encoding.compress(bytes).catch(() => undefined);
  if (response.destroyed) return;
  if (sent) response.setHeader('content-encoding', encoding.name);
  send(response, sent ?? bytes, status);
}

function send(response: Response, sent: string | Buffer, statusCode = 200): void {
  response.writeHead(statusCode, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(sent),
  });
  response.end(sent);
}

/** Encodes each piece separately: a string of a megabyte would only be freed by a full garbage collection. */
function bytesOf(pieces: readonly (string | Buffer)[]): Buffer {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces)
    at += typeof piece === 'string' ? bytes.write(piece, at) : piece.copy(bytes, at);
  return bytes;
}
