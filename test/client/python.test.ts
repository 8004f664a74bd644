import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mypy, PACKAGE, python, skippedWithout } from './python';

const run = promisify(execFile);
const withPython = skippedWithout(python, 'Python 3.11');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'startline-python-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the package for Python', () => {
  withPython('installs with pip into a new environment, without a network', async () => {
    // A copy, because pip compiles what builds the package.
    cpSync(PACKAGE, join(folder, 'package'), { recursive: true });
    await run(python as string, ['-m', 'venv', join(folder, 'venv')]);
    const program = join(folder, 'venv/bin/python');
    const noNetwork = { ...process.env, PIP_CONFIG_FILE: '/dev/null', HTTPS_PROXY: 'http://127.0.0.1:9' };
    await run(program, ['-m', 'pip', 'install', '--no-index', join(folder, 'package')], { env: noNetwork });
    const { version } = JSON.parse(readFileSync('openapi.json', 'utf8')).info;
    const show = 'import startline; print(startline.__version__, startline.__file__)';
    const { stdout } = await run(program, ['-c', show], { cwd: folder });
    expect(stdout).toContain(`${version} ${folder}`);
    const { stdout: check } = await run(program, ['-m', 'pip', 'check'], { env: noNetwork });
    expect(check).toContain('No broken requirements');
  });

  withPython('imports nothing but the standard library, and warns of nothing', async () => {
    const modules =
      'import startline, startline.types, startline.webhooks, startline.errors, startline.digests';
    const foreign =
      'import sys; print({name.split(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"__main__", "startline"})';
    const words = ['-S', '-I', '-W', 'error', '-c'];
    const path = `import sys; sys.path.insert(0, ${JSON.stringify(join(PACKAGE, 'src'))}); sys.dont_write_bytecode = True`;
    const { stdout, stderr } = await run(python as string, [...words, `${path}; ${modules}; ${foreign}`]);
    expect([stdout.trim(), stderr]).toEqual(['set()', '']);
  });

  const withMypy = skippedWithout(python && mypy, 'mypy');
  withMypy('has strict types, which find mistakes of programs that use it', async () => {
    const options = ['--strict', '--python-version', '3.11', '--cache-dir', join(folder, 'cache')];
    const files = [
      join(PACKAGE, 'build_wheel.py'),
      ...['usage.py', 'driver.py'].map((name) => join(__dirname, 'python', name)),
    ];
    const env = { ...process.env, MYPYPATH: join(PACKAGE, 'src') };
    const found = run(mypy as string, [...options, '-p', 'startline'], { env }).then(() =>
      run(mypy as string, [...options, ...files], { env }),
    );
    expect((await found.catch((error) => error)).stdout).toMatch(/^Success: no issues found/);
  });
});
