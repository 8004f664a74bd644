import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { REPOSITORY } from '../../repository';
import { type ServedFile, servedFile } from '../../served-file';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const FOLDER = join(REPOSITORY, 'dist/console');
/** The build writes it last. */
const STAMP = join(REPOSITORY, 'dist/console.stamp');

/** The console's built files by their path below `/console`: some 20, which stay in memory. */
export class Pages {
  private files = readPages();
  private builtAt = builtAt();

  get(name: string): ServedFile | undefined {
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

function readPages(): Map<string, ServedFile> {
  if (!existsSync(FOLDER)) return new Map();
  const names = readdirSync(FOLDER, { recursive: true }).map(String);
  return new Map(
    names
      .filter((name) => TYPES[extname(name)])
      .map((name) => [name.replaceAll('\\', '/'), read(join(FOLDER, name))]),
  );
}

function read(file: string): ServedFile {
  const compressed = [
    ['gzip', `${file}.gz`],
    ['br', `${file}.br`],
  ].filter(([, path]) => existsSync(path as string));
  return servedFile(
    TYPES[extname(file)] ?? '',
    readFileSync(file),
    compressed.map(([encoding, path]) => [encoding as string, readFileSync(path as string)]),
  );
}
