import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that holds package.json: sources and their build are at different depths below it. */
export function releaseFolder(folder = __dirname): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error(`There is no package.json above ${__dirname}`);
  return releaseFolder(dirname(folder));
}

export const releaseVersion = (): string =>
  JSON.parse(readFileSync(join(releaseFolder(), 'package.json'), 'utf8')).version;
