import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Request } from 'express';

/** An encoding of response bodies. Compression runs in libuv's threads, not on the event loop. */
export interface Encoding {
  name: string;
  compress(bytes: Buffer): Promise<Buffer>;
  stream(): Transform;
}

/** Quality 1 is smaller than gzip's default and takes a fifth of its time (docs/decisions/requests-and-bodies.md). */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** Half the time of the default, for 15% more bytes. */
const GZIP = { level: 3 };
const compressBrotli = promisify<Buffer, typeof BROTLI, Buffer>(brotliCompress);
const compressGzip = promisify<Buffer, typeof GZIP, Buffer>(gzip);

/** In the order in which they are preferred. */
const ENCODINGS: readonly Encoding[] = [
  {
    name: 'br',
    compress: (bytes) => compressBrotli(bytes, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  { name: 'gzip', compress: (bytes) => compressGzip(bytes, GZIP), stream: () => createGzip(GZIP) },
];
const NAMES = ENCODINGS.map(({ name }) => name);

/** Browsers send less than 50 characters. Reading 15 KB would take longer than most requests. */
const LONGEST_HEADER = 256;

/** The first of the encodings that the client accepts, if any. */
export const acceptedOf = (request: Request, names: readonly string[]): string | undefined => {
  const header = request.headers['accept-encoding'];
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  return names.find((name) => request.acceptsEncodings(name));
};

/** The encoding for the response, or `undefined` if the client accepts none. */
export const encodingFor = (request: Request): Encoding | undefined => {
  const accepted = acceptedOf(request, NAMES);
  return ENCODINGS.find(({ name }) => name === accepted);
};
