import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that holds package.json: sources and their build lie at different depths below it. */
export const REPOSITORY = repositoryOf(__dirname);

function repositoryOf(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error(`There is no package.json above ${__dirname}`);
  return repositoryOf(dirname(folder));
}
