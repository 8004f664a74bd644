import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { startEmbeddedPostgres } from '#libs/embedded-postgres';
import { MUTANTS, type Mutant } from './mutants';

/**
 * `npm run mutants [-- words…]`: plants the defects of `mutants.ts` (those that contain one of the words), one at a time, in
 * a copy of the sources, and runs the tests that should notice. Prints a table; ends with status 1 if a defect escapes, or if
 * one of the files that noticed fails without a defect as well. The sources need not be built: only code that tests run in their own process is changed.
 */

const ROOT = resolve(__dirname, '../..');
/** Always the same, because transformed files are cached by path. */
const COPY = join(tmpdir(), 'startline-mutants');

interface Outcome {
  /** Of the first test that failed, or of a file that could not run. */
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
  for (const folder of ['node_modules', 'dist']) symlinkSync(join(ROOT, folder), join(COPY, folder));
}

async function run(tests: string[], url: string): Promise<Outcome> {
  const results = join(COPY, 'results.json');
  rmSync(results, { force: true });
  const start = performance.now();
  const jest = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--ci',
      '--silent',
      '--bail',
      '--maxWorkers=1',
      '--json',
      `--outputFile=${results}`,
    ].concat(tests),
    { cwd: COPY, env: { ...process.env, TEST_DATABASE_URL: url }, stdio: 'ignore' },
  );
  await once(jest, 'exit');
  const seconds = (performance.now() - start) / 1_000;
  if (!existsSync(results)) return { noticed: 'Jest has failed', file: undefined, seconds };
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
  const failed = testResults.find(({ status }: { status: string }) => status === 'failed');
  const test = failed?.assertionResults.find(({ status }: { status: string }) => status === 'failed');
  const file = failed && relative(COPY, failed.name);
  return { noticed: failed && (test?.fullName ?? `${file} did not run`), file, seconds };
}

async function plant({ file, from, to, tests }: Mutant, url: string): Promise<Outcome> {
  const path = join(COPY, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} must contain this once:\n${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    return await run(tests.split(' '), url);
  } finally {
    writeFileSync(path, text);
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
