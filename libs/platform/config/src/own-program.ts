import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { releaseFolder } from './release';

const IS_SOURCE = __filename.endsWith('.ts');

/**
 * A module that runs in a thread or process of its own: as it was built, or in development from source. Tests run what was built
 * too, which loads in a third of the time.
 *
 * @param path of the module, without its extension
 * @returns its file, and options of Node; without them, it has those of this process
 */
export function ownProgram(path: string): { file: string; execArgv?: string[] } {
  const built = `${IS_SOURCE ? join(releaseFolder(), 'dist', relative(releaseFolder(), path)) : path}.js`;
  if (!IS_SOURCE || (process.env.NODE_ENV === 'test' && existsSync(built))) return { file: built };
  return { file: `${path}.ts`, execArgv: ['-C', 'source', '-r', '@swc-node/register'] };
}
