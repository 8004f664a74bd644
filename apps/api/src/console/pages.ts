import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
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

const FOLDER = join(REPOSITORY, 'dist/console');
/** The build writes it last. */
const STAMP = join(REPOSITORY, 'dist/console.stamp');

/** The console's built files by their path below `/console`: some 20, which stay in memory. */
export class Pages {
  private files = readPages();
  private builtAt = builtAt();

  get(name: string): PageFile | undefined {
    return this.files.get(name);
  }

  /** Reads the files again after a build. */
  async refresh(): Promise<void> {
    const before = await this.builtAt;
    this.builtAt = builtAt();
    if ((await this.builtAt) !== before) this.files = readPages();
  }
}

const builtAt = (): Promise<number | undefined> =>
  stat(STAMP).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );

function readPages(): Map<string, PageFile> {
  if (!existsSync(FOLDER)) return new Map();
  const names = readdirSync(FOLDER, { recursive: true }).map(String);
  return new Map(
    names
      .filter((name) => TYPES[extname(name)])
      .map((name) => [name.replaceAll('\\', '/'), read(join(FOLDER, name))]),
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
