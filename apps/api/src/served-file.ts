import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { acceptedOf } from '#platform/http';

const UNCHANGED = 304;

/** A file in memory, plain and compressed. Anyone may read it, so a request must cost little. */
export interface ServedFile {
  type: string;
  etag: string;
  /** By content encoding, the smallest last; `identity` always exists. */
  bodies: Map<string, Buffer>;
}

export const servedFile = (
  type: string,
  identity: Buffer,
  compressed: Iterable<[string, Buffer]> = [],
): ServedFile => ({
  type,
  etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
  bodies: new Map([['identity', identity], ...compressed]),
});

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Compresses once, in libuv's threads. */
export async function compressedFile(type: string, text: string): Promise<ServedFile> {
  const identity = Buffer.from(text);
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(identity),
    promisify<Buffer, typeof BROTLI, Buffer>(brotliCompress)(identity, BROTLI),
  ]);
  return servedFile(type, identity, [
    ['gzip', zipped],
    ['br', brotli],
  ]);
}

export function sendFile({ type, etag, bodies }: ServedFile, request: Request, response: Response): void {
  response.setHeader('etag', etag);
  response.setHeader('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === etag) {
    response.status(UNCHANGED).end();
    return;
  }
  const encoding = acceptedOf(request, [...bodies.keys()].filter((name) => name !== 'identity').reverse());
  if (encoding) response.setHeader('content-encoding', encoding);
  const body = bodies.get(encoding ?? 'identity') as Buffer;
  response.setHeader('content-type', type);
  response.setHeader('content-length', body.length);
  response.end(body);
}
