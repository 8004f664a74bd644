import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { JsonText } from '#libs/resources';

/** Up to this length, Node sends head and text in one system call. */
const SMALL = 16_384;

/** The Express adapter, with a fast path for JSON bodies. */
export class JsonAdapter extends ExpressAdapter {
  /**
   * Paths are case-sensitive and strict, so that a proxy that blocks `/metrics` need not consider `/Metrics/`. Nest creates
   * the router too early for Express's own settings.
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

/** Sends each piece separately: a string of a megabyte would only be freed by a full garbage collection. */
function bytesOf(pieces: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}
