import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sharedApi, type TestApi } from '../harness';
import { mypy, PACKAGE, python, skippedWithout } from './python';
import { samplesIn } from './samples';

const run = promisify(execFile);
const withPython = skippedWithout(python, 'Python 3.11');

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api?.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'startline-python-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the package for Python', () => {
  withPython('installs with pip from the API into a new environment, without another network', async () => {
    await run(python as string, ['-m', 'venv', join(folder, 'venv')]);
    const program = join(folder, 'venv/bin/python');
    const noNetwork = { ...process.env, PIP_CONFIG_FILE: '/dev/null', HTTPS_PROXY: 'http://127.0.0.1:9' };
    const wheel = api.url + (await api.get('/', null)).body.python;
    await run(program, ['-m', 'pip', 'install', '--no-index', wheel], { env: noNetwork });
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

  withPython('pages through each list by the parameter that it has', async () => {
    const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const namesOf = (path: string): string[] =>
      (paths[path].get?.parameters ?? []).map(
        ({ $ref = '', name }: { $ref?: string; name?: string }) =>
          name ?? components.parameters[$ref.split('/').at(-1) ?? ''].name,
      );
    const others = Object.keys(paths).flatMap((path) => {
      const names = namesOf(path);
      const name = names.find((each) => ['cursor[after]', 'searchAfter'].includes(each));
      return name && !names.includes('page[after]') ? [[path, name]] : [];
    });
    const show = 'import json; from startline.client import AFTER; print(json.dumps(AFTER))';
    const env = { ...process.env, PYTHONPATH: join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(python as string, ['-c', show], { env });
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(others));
  });

  const withMypy = skippedWithout(python && mypy, 'mypy');
  withMypy('has strict types, which find mistakes of programs that use it', async () => {
    const options = ['--strict', '--python-version', '3.11', '--cache-dir', join(folder, 'cache')];
    // Those of the reference, each as a function.
    const samples = samplesIn('python').map(
      (code, i) => `def sample_${i}() -> None:\n${code.replace(/^/gm, '    ')}`,
    );
    writeFileSync(join(folder, 'samples.py'), samples.join('\n\n'));
    const files = [
      join(folder, 'samples.py'),
      ...['usage.py', 'driver.py'].map((name) => join(__dirname, 'python', name)),
    ];
    const env = { ...process.env, MYPYPATH: join(PACKAGE, 'src') };
    const found = run(mypy as string, [...options, '-p', 'startline'], { env }).then(() =>
      run(mypy as string, [...options, ...files], { env }),
    );
    expect((await found.catch((error) => error)).stdout).toMatch(/^Success: no issues found/);
  });
});
