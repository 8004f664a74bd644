import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { partner } from '#libs/testing';
import { startApi, type TestApi } from '../harness';
import { installClient } from './package';

const MODULES = resolve(__dirname, '../../node_modules');
const TSC = join(MODULES, 'typescript/bin/tsc');
const run = promisify(execFile);

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await startApi();
  folder = mkdtempSync(join(tmpdir(), 'startline-package-'));
  await installClient(folder);
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const PROGRAM = `
  async function main() {
    const { API_URL: baseUrl, API_TOKEN: token } = process.env;
    const startline = new StartlineClient({ baseUrl, token });
    const names = [];
    for await (const { name } of startline.every('/v0/partners')) names.push(name);
    const error = await startline.get('/v0/partners/{id}', { params: { path: { id: 'none' } } }).catch((e) => e);
    console.log(JSON.stringify({ names, status: error instanceof StartlineError && error.status }));
  }
  main();`;

describe('the package, installed into a folder', () => {
  it('contains its program and types only', () => {
    const files = readdirSync(join(folder, 'node_modules/@startline/client'), { recursive: true }).map(
      String,
    );
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(
      files.filter(
        (name) => !/^(README.md|package.json|dist(\/(rows|send))?(\/[\w-]+(\.d\.ts|\.js))?)$/.test(name),
      ),
    ).toEqual([]);
  });

  it.each([
    ['an ES module', 'use.mjs', "import { StartlineClient, StartlineError } from '@startline/client';"],
    [
      'a CommonJS module',
      'use.cjs',
      "const { StartlineClient, StartlineError } = require('@startline/client');",
    ],
  ])('works in %s', async (_, name, opening) => {
    const { name: made } = await partner(api.dataSource, { organizationId: api.organizationId });
    writeFileSync(join(folder, name), opening + PROGRAM);
    const env = { API_URL: api.url, API_TOKEN: api.token };
    const { stdout } = await run(process.execPath, [join(folder, name)], { env });
    expect(JSON.parse(stdout)).toEqual({ names: expect.arrayContaining([made]), status: 404 });
  });

  it('has types of requests and responses, for ES modules and CommonJS', async () => {
    const program = `
      import { type Participant, StartlineClient, StartlineError } from '@startline/client';
      export async function ask(startline: StartlineClient): Promise<string | undefined> {
        const one: Participant = await startline.get('/v0/participants/{id}', { params: { path: { id: 'x' } } });
        for await (const { title } of startline.every('/marketplace/v1/events/')) title.toUpperCase();
        for await (const group of startline.changes('/v0/partners', {})) group[0]?.updatedAt.toUpperCase();
        const { failed } = await startline.import('/v0/credits/import', [
          { externalCreditId: 'a', email: 'a@example.com', amount: { value: 1, currencyCode: 'GBP' } },
        ]);
        // @ts-expect-error: no such list
        startline.every('/v0/participants/{id}');
        // @ts-expect-error: races don't say when they changed
        startline.changes('/v0/races/{id}/tickets', { params: { path: { id: 'x' } } });
        // @ts-expect-error: a path without its id
        await startline.get('/v0/tickets/{id}');
        // @ts-expect-error: no such filter
        startline.every('/v0/partners', { params: { query: { colour: 'red' } } });
        // @ts-expect-error: credits can't be replaced
        await startline.import('/v0/credits/import', [], { replace: true });
        return one.bibNumber ?? new StartlineError(400, 'Bad Request', failed[0]?.error?.code ?? '').requestId;
      }`;
    const files = [join(folder, 'types.mts'), join(folder, 'types.cts')];
    for (const file of files) writeFileSync(file, program);
    const options = '--noEmit --strict --target es2023 --module nodenext --types node --typeRoots'.split(' ');
    const words = [TSC, ...options, join(MODULES, '@types'), ...files];
    const problems = await run(process.execPath, words, { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(problems).toBe('');
  });
});
