import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort, partner } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { samplesIn } from './samples';

const MODULES = resolve(__dirname, '../../node_modules');
const TSC = join(MODULES, 'typescript/bin/tsc');
const run = promisify(execFile);

let api: TestApi;
let folder: string;
/** A user of npm without any package at hand, whose registry does not respond. */
let alone: ExecFileOptions;
beforeAll(async () => {
  api = await sharedApi();
  folder = mkdtempSync(join(tmpdir(), 'startline-package-'));
  alone = {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      npm_config_registry: `http://127.0.0.1:${await freePort()}`,
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
    },
  };
  writeFileSync(join(folder, 'package.json'), '{}');
  await run('npm', ['install', `${api.url}/client.tgz`], alone);
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

describe('GET /client.tgz', () => {
  it('serves the client of the release to everybody, and again only if it has changed', async () => {
    const { status, headers } = await api.get('/client.tgz', null);
    expect(status).toBe(200);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('content-type')).toBe('application/gzip');
    const again = await fetch(`${api.url}/client.tgz`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(`${api.url}/client.tgz`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
  });

  it('is what npx runs, without a registry', async () => {
    const words = ['--yes', `--package=${api.url}/client.tgz`, 'startline-client', '--help'];
    const { stdout } = await run('npx', words, { ...alone, cwd: mkdtempSync(join(folder, 'npx-')) });
    expect(stdout).toContain('client.tgz startline-client <command>');
  });
});

describe('the package, installed from the API without a registry', () => {
  const installed = () => join(folder, 'node_modules/@startline/client');

  it('has the version of the release, and asks nobody for its packages', () => {
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
    const {
      version,
      private: isPrivate,
      dependencies,
      bundleDependencies,
    } = read(join(installed(), 'package.json'));
    expect([version, isPrivate]).toEqual([read(join(MODULES, '../package.json')).version, true]);
    expect(bundleDependencies).toEqual(Object.keys(dependencies));
    const all = readdirSync(join(installed(), 'node_modules'));
    for (const name of all)
      for (const needed of Object.keys(
        read(join(installed(), 'node_modules', name, 'package.json')).dependencies ?? {},
      ))
        expect(all).toContain(needed);
  });

  it('contains its program, its types and its packages only', () => {
    const files = readdirSync(installed(), { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith('node_modules'));
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'package.json',
        'dist/client/src/index.js',
        'dist/client/src/index.d.ts',
      ]),
    );
    expect(
      files.filter(
        (name) =>
          !/^(README.md|package.json|dist(\/(client|sheets)(\/src(\/(listen|mcp|rows|send|sync))?(\/[\w-]+(\.d\.ts|\.js))?)?)?)$/.test(
            name,
          ),
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

  it('has types of requests and responses, for ES modules and CommonJS, which the samples of the reference fit', async () => {
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
    for (const [i, sample] of samplesIn('typescript').entries()) {
      const file = join(folder, `sample-${i}.mts`);
      writeFileSync(file, sample);
      files.push(file);
    }
    const options = '--noEmit --strict --target es2023 --module nodenext --types node --typeRoots'.split(' ');
    const words = [TSC, ...options, join(MODULES, '@types'), ...files];
    const problems = await run(process.execPath, words, { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(problems).toBe('');
  });
});
