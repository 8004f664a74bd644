import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const CHECKER = resolve(__dirname, '../../dist/libs/domain/imports/src/check/batch-checker.js');
const PROGRAM = `
  const checker = new (require(${JSON.stringify(CHECKER)}).BatchChecker)({ TURN_WAIT_MS: 1000 });
  checker.onApplicationBootstrap();
  void checker.onApplicationShutdown();`;

it('checks imports in a process that was started with flags of V8', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, ['--stack-size=900', '-e', PROGRAM]);
  expect(stderr).toBe('');
});
