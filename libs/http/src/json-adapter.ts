import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { JsonText } from '#libs/resources';

/** Up to here Node sends a text together with its head, in one call of the system. */
const SMALL = 16_384;

/** Express, and a short way out for bodies that are JSON. */
export class JsonAdapter extends ExpressAdapter {
  /**
   * Each path has one spelling: a proxy that keeps `/metrics` from the world need not think of `/Metrics/`. Nest has
   * made the router by then, too early for Express's settings.
   */
  constructor() {
    super();
    Object.assign(this.instance.router, { caseSensitive: true, strict: true });
  }

  override reply(response: Response, body: unknown, statusCode?: number) {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile)
      return super.reply(response, body, statusCode);
    const pieces = body instanceof JsonText ? body.pieces : [JSON.stringify(body)];
    const [only = ''] = pieces;
    const sent = pieces.length === 1 && only.length < SMALL ? only : bytesOf(pieces);
    response.writeHead(statusCode ?? 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(sent),
    });
    response.end(sent);
    return response;
  }
}

/** Each piece goes straight to its place: a page of a megabyte is never a string, which only a full collection frees. */
function bytesOf(pieces: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}
