import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { MUTANTS, type Mutant } from './mutants';

/**
 * `npm run mutants [-- --only 3,26] [-- --from 12] [-- --json results.json]`: plants the defects of `mutants.ts`, one at a time,
 * in a copy of the sources, runs the tests that should notice, and prints a table. The tests run once without a defect at first.
 *
 * With `--json`, results are written to the file as they come, and those of other defects in it stay in the table. So an
 * interrupted run continues with `--from`. Ends with status 1 unless every result in the table is `found`.
 */

const ROOT = resolve(__dirname, '../..');
/** Always the same for a clone, because transformed files are cached by path. */
const COPY = join(tmpdir(), `startline-mutants${ROOT.replaceAll('/', '-')}`);
/** Jest does not end by itself if a defect keeps a process open. */
const LIMIT_MS = 1_200_000;

/**
 * What an assertion throws: `expect`, `node:assert`, the comparison with the OpenAPI document, and `eventually`. Anything else
 * is a crash, of a set-up for example, which says nothing about the tests.
 */
const ASSERTION =
  /\bexpect\(|AssertionError|openapi\.json does not|It did not come about|Property failed after/;

interface Result {
  number: number;
  defect: string;
  file: string;
  result: 'found' | 'ESCAPED' | 'error';
  /** The test that noticed, or the reason why there is no result. */
  by: string;
  seconds: number;
  commit: string;
}

/** Failed tests, as `file: name`, with the first line of their errors. */
interface Run {
  asserted: Map<string, string>;
  crashed: Map<string, string>;
}

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string' }, json: { type: 'string' } },
});

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

async function run(tests: string[], names = ''): Promise<Run> {
  // Migrations and the processes that tests start are built.
  const built = spawnSync(process.execPath, ['build/build.mjs', '--programs'], {
    cwd: COPY,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`The build has failed: ${built.stderr}`);
  const folder = mkdtempSync(join(tmpdir(), 'startline-mutants-'));
  try {
    const report = join(folder, 'report.json');
    const words = [
      '--ci',
      '--silent',
      '--json',
      `--outputFile=${report}`,
      ...(names ? ['-t', names] : []),
      ...tests,
    ];
    const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...words], {
      cwd: COPY,
      // A condition that a defect prevents is not waited for as long as on a slow machine.
      env: { ...process.env, TEST_PATIENCE_MS: '60000' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    });
    const [said] = await Promise.all([text(jest.stderr), once(jest, 'close')]);
    if (!existsSync(report)) throw new Error(`Jest did not end, or not well: ${said.slice(-500)}`);
    return read(JSON.parse(readFileSync(report, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Report {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

function read({ testResults }: Report): Run {
  const found: Run = { asserted: new Map(), crashed: new Map() };
  if (testResults.length === 0) throw new Error('No test file has this name');
  for (const { name, message, assertionResults } of testResults) {
    const file = relative(COPY, name);
    if (assertionResults.length === 0) found.crashed.set(file, firstLine(message));
    for (const { fullName, status, failureMessages } of assertionResults) {
      if (status !== 'failed') continue;
      const errors = stripVTControlCharacters(failureMessages.join('\n'));
      const kind = ASSERTION.test(errors) ? found.asserted : found.crashed;
      kind.set(`${file}: ${fullName}`, firstLine(errors));
    }
  }
  return found;
}

const firstLine = (words: string) => stripVTControlCharacters(words).trim().split('\n')[0] ?? '';

async function plant({ file, from, to, tests, names }: Mutant): Promise<Run> {
  const path = join(COPY, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`The file must contain this once: ${from}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    return await run(tests.split(' '), names);
  } finally {
    writeFileSync(path, source);
  }
}

/** A failure counts if it is an assertion's, and the same test passes without the defect. */
function judge({ asserted, crashed }: Run, control: Run): Pick<Result, 'result' | 'by'> {
  const inControl = new Set([...control.asserted.keys(), ...control.crashed.keys()]);
  const isNew = ([test]: [string, string]) =>
    !inControl.has(test) && !inControl.has(test.split(': ')[0] ?? '');
  const [noticed] = [...asserted].filter(isNew);
  if (noticed) return { result: 'found', by: noticed[0] };
  const [broken] = [...crashed].filter(isNew);
  if (broken) return { result: 'error', by: `No assertion: ${broken.join(': ')}` };
  if (inControl.size > 0 && asserted.size + crashed.size > 0)
    return {
      result: 'error',
      by: `It fails without the defect as well: ${[...asserted, ...crashed][0]?.[0]}`,
    };
  return { result: 'ESCAPED', by: '' };
}

const row = (...cells: (string | number)[]) =>
  process.stdout.write(`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`);

async function main(): Promise<void> {
  const only = options.only?.split(',').map(Number);
  const first = Number(options.from ?? 1);
  const chosen = MUTANTS.map((mutant, i) => ({ ...mutant, number: i + 1 })).filter(
    ({ number }) => number >= first && (!only || only.includes(number)),
  );
  const { json } = options;
  const results = new Map<string, Result>();
  const known: Result[] = json && existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : [];
  for (const one of known)
    if (MUTANTS.some(({ defect }) => defect === one.defect)) results.set(one.defect, one);
  const commit = spawnSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' });

  copySources();
  const control: Run = { asserted: new Map(), crashed: new Map() };
  for (const names of new Set(chosen.map((mutant) => mutant.names))) {
    const same = chosen.filter((mutant) => mutant.names === names);
    const files = [...new Set(same.flatMap(({ tests }) => tests.split(' ')))];
    process.stderr.write(`Without a defect: ${files.join(' ')}\n`);
    const { asserted, crashed } = await run(files, names);
    for (const [test, error] of asserted) control.asserted.set(test, error);
    for (const [test, error] of crashed) control.crashed.set(test, error);
  }
  for (const [test, error] of [...control.asserted, ...control.crashed])
    process.stderr.write(`Fails without a defect: ${test}: ${error}\n`);

  for (const mutant of chosen) {
    const { number, defect, file } = mutant;
    const start = performance.now();
    const { result, by } = await plant(mutant).then(
      (planted) => judge(planted, control),
      (error: Error) => ({ result: 'error' as const, by: firstLine(error.message) }),
    );
    const seconds = Math.round((performance.now() - start) / 1_000);
    results.set(defect, { number, defect, file, result, by, seconds, commit: commit.stdout.trim() });
    process.stderr.write(`${number}. ${result}, ${seconds} s: ${defect}: ${by}\n`);
    if (json) writeFileSync(json, `${JSON.stringify([...results.values()], null, 2)}\n`);
  }

  const table = [...results.values()].sort((left, right) => left.number - right.number);
  row('', 'Defect', 'File', 'Result', 'Noticed by', 'Seconds');
  row('-', '-', '-', '-', '-', '-');
  for (const { number, defect, file, result, by, seconds } of table)
    row(number, defect, file, result, by, seconds);
  const found = table.filter(({ result }) => result === 'found').length;
  process.stdout.write(`${found} of ${MUTANTS.length} found\n`);
  if (found < table.length) process.exitCode = 1;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
