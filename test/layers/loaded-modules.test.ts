import { execFileSync } from 'node:child_process';

/** The files that a process has loaded after `entry`. */
function loadedBy(entry: string): string[] {
  const script = `require(${JSON.stringify(`${process.cwd()}/dist/${entry}`)});
    process.stdout.write(JSON.stringify(Object.keys(require.cache)));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', maxBuffer: 1 << 26 }));
}

const SERVING = /@nestjs\/swagger|libs\/platform\/http\/|\.guard\.[jt]s$/;

it('the worker loads neither Swagger nor a guard', () => {
  const files = loadedBy('apps/worker/src/create-worker.js');
  expect(files.some((file) => file.endsWith('import-runner.js'))).toBe(true);
  expect(files.filter((file) => SERVING.test(file))).toEqual([]);
});

it('the API does, so that the test above can fail', () => {
  const files = loadedBy('apps/api/src/create-api.js');
  expect(files.filter((file) => SERVING.test(file)).length).toBeGreaterThan(3);
});

/** ES modules too: a process has aborted in Node when their thread was ended while it loaded them. */
it('the checking thread loads neither the database nor Nest', () => {
  const files = loadedBy('libs/domain/imports/src/check/check-thread.js');
  expect(files.some((file) => file.endsWith('bookings.import.js'))).toBe(true);
  expect(files.filter((file) => /libs\/platform\/database\/|@nestjs|typeorm/.test(file))).toEqual([]);
});
