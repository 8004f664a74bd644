import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { startEmbeddedPostgres } from '#libs/embedded-postgres';
import { MUTANTS, type Mutant } from './mutants';

/**
 * `npm run mutants [-- words…]`: plants the defects of `mutants.ts` (those that contain one of the words), one at a time, in
 * a copy of the sources, and runs the tests that should notice. Prints a table; ends with status 1 if a defect escapes, or if
 * one of the files that noticed fails without a defect as well.
 */

const ROOT = resolve(__dirname, '../..');
/** Always the same, because transformed files are cached by path. */
const COPY = join(tmpdir(), 'startline-mutants');

interface Outcome {
  /** The first test that failed. */
  noticed: string | undefined;
  file: string | undefined;
  seconds: number;
}

function copySources(): void {
  rmSync(COPY, { recursive: true, force: true });
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of listed.stdout.trim().split('\n')) {
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(COPY, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'));
  cpSync(join(ROOT, 'dist'), join(COPY, 'dist'), { recursive: true });
}

async function run(tests: string[], url: string): Promise<Outcome> {
  const start = performance.now();
  // Migrations and the processes that tests start are built.
  const built = spawnSync(process.execPath, ['build/build.mjs', '--programs'], {
    cwd: COPY,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`The build has failed:\n${built.stderr}`);
  const words = ['--ci', '--silent', '--bail', '--maxWorkers=2', ...tests];
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...words], {
    cwd: COPY,
    // A condition that a defect prevents is not waited for as long as on a slow machine.
    env: { ...process.env, TEST_DATABASE_URL: url, TEST_PATIENCE_MS: '30000' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(jest.stderr), once(jest, 'close')]);
  const seconds = (performance.now() - start) / 1_000;
  if (code === 0) return { noticed: undefined, file: undefined, seconds };
  const [, file] = /^FAIL (\S+)/m.exec(said) ?? [];
  const [, noticed] = /● (.+)/.exec(said) ?? [];
  if (!file || !noticed || noticed.includes('failed to run')) throw new Error(`Jest has failed:\n${said}`);
  return { noticed, file, seconds };
}

async function plant({ file, from, to, tests }: Mutant, url: string): Promise<Outcome> {
  const path = join(COPY, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} must contain this once:\n${from}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    return await run(tests.split(' '), url);
  } finally {
    writeFileSync(path, source);
  }
}

const row = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

async function main(words: string[]): Promise<void> {
  const chosen = MUTANTS.filter(
    ({ defect, file }) => words.length === 0 || words.some((word) => `${defect} ${file}`.includes(word)),
  );
  copySources();
  const home = mkdtempSync(join(tmpdir(), 'startline-mutants-'));
  const server = await startEmbeddedPostgres({ home, durable: false });
  try {
    row('', 'Defect', 'File', 'Noticed by', 'Seconds');
    row('-', '-', '-', '-', '-');
    const files = new Set<string>();
    let found = 0;
    for (const mutant of chosen) {
      const { noticed, file, seconds } = await plant(mutant, server.url);
      if (noticed) found += 1;
      if (file) files.add(file);
      row(noticed ? 'found' : 'ESCAPED', mutant.defect, mutant.file, noticed ?? '', seconds.toFixed(0));
    }
    process.stdout.write(`${found} of ${chosen.length} found\n`);
    if (found < chosen.length) process.exitCode = 1;
    const control = files.size > 0 ? await run([...files], server.url) : undefined;
    if (control?.noticed) throw new Error(`It also fails without a defect: ${control.noticed}`);
  } finally {
    await server.stop();
    rmSync(home, { recursive: true });
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
