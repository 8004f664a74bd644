import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { REPOSITORY } from '../repository';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A built file of the console, plain and compressed. */
export interface PageFile {
  type: string;
  etag: string;
  /** By content encoding; `identity` always exists. */
  bodies: Map<string, Buffer>;
}

/** The console's built files by their path below `/console`: some 20, which stay in memory. */
export function readPages(): Map<string, PageFile> {
  const folder = join(REPOSITORY, 'dist/console');
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true }).map(String);
  return new Map(
    names
      .filter((name) => TYPES[extname(name)])
      .map((name) => [name.replaceAll('\\', '/'), read(join(folder, name))]),
  );
}

function read(file: string): PageFile {
  const identity = readFileSync(file);
  const bodies = new Map([['identity', identity]]);
  if (existsSync(`${file}.br`)) bodies.set('br', readFileSync(`${file}.br`));
  if (existsSync(`${file}.gz`)) bodies.set('gzip', readFileSync(`${file}.gz`));
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(file)] ?? '', etag, bodies };
}
