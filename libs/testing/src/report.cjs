const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** What `npm test` may grow by before somebody decides that it should. */
const GROWTH = 1.1;
/** Failed cases of a file, at once; all of them follow with their errors at the end. */
const MOST_SHOWN = 10;

/**
 * Prints each file of a suite when it ends. Fails a whole run that has many more cases, or starts many more programs, than
 * test/size.json says: change it in the same commit if they are worth their time.
 */
module.exports = class Report {
  /** @param size what a whole run may have; without it, anything */
  constructor({ testPathPatterns, testNamePattern }, { size }) {
    this.isHeld = size !== undefined && testPathPatterns.patterns.length === 0 && !testNamePattern;
    this.size = size;
    this.files = new Map();
    this.folder = mkdtempSync(join(tmpdir(), 'startline-programs-'));
    this.programs = join(this.folder, 'programs');
    writeFileSync(this.programs, '');
    process.env.TESTS_PROGRAMS = this.programs;
  }

  onTestCaseResult({ path }, { ancestorTitles: [file = ''], duration, status, fullName }) {
    if (!path.includes('/test/suites/')) return;
    const open = this.files.get(path);
    if (open?.file !== file) {
      this.print(open);
      this.files.set(path, { file, cases: 0, failed: 0, ms: 0 });
    }
    const of = this.files.get(path);
    of.cases += 1;
    of.ms += duration ?? 0;
    if (status === 'failed') {
      of.failed += 1;
      if (of.failed <= MOST_SHOWN) process.stderr.write(`  failed: ${fullName}\n`);
    }
  }

  onTestFileResult({ path }) {
    this.print(this.files.get(path));
    this.files.delete(path);
  }

  onRunComplete(_, { numTotalTests: cases }) {
    const started = readFileSync(this.programs, 'utf8').split('\n').slice(0, -1);
    const programs = started.length;
    rmSync(this.folder, { recursive: true });
    if (!this.isHeld) return;
    const kinds = ['api', 'worker', 'process'].map(
      (kind) => `${started.filter((each) => each === kind).length} ${kind}`,
    );
    process.stderr.write(`${cases} cases, ${programs} programs started: ${kinds.join(', ')}\n`);
    this.problems = problemsOf(this.size, { cases, programs });
  }

  getLastError() {
    return this.problems?.length ? new Error(this.problems.join('\n')) : undefined;
  }

  print(file) {
    if (!file) return;
    const { cases, failed, ms } = file;
    const result = failed ? `${failed} of ${cases} failed` : `${cases} passed`;
    process.stderr.write(`${file.file}: ${result}, ${(ms / 1000).toFixed(1)} s\n`);
  }
};

/** Why a run is larger than it may be. */
function problemsOf(size, run) {
  return Object.keys(run)
    .filter((what) => run[what] > size[what] * GROWTH)
    .map(
      (what) =>
        `npm test has ${run[what]} ${what}, and test/size.json allows a tenth more than ${size[what]}`,
    );
}
module.exports.problemsOf = problemsOf;
