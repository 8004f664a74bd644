import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sharedApi } from '../harness';

const ROOT = resolve(__dirname, '../..');
const FOLDERS = ['apps', 'bench', 'clients', 'docker', 'docs', 'libs', 'dist/console'];
const TEXTS = /\.(md|mjs|js|json|tsx?|html|txt|yaml|conf|py|toml)$/;

/**
 * Commands that would run or install a package of ours from a registry, where anybody could take its name: the client
 * is only at `/client.tgz` of an API, and that for Python beside it.
 */
const FROM_REGISTRY = [
  /\b(npx|bunx|npm (exec|x|create|init)|pnpm (dlx|exec)|yarn dlx)( --?[\w-]+)* (@startline|startline)/,
  /--package[= ]@?startline/,
  /\b(npm|pnpm|yarn|bun) (install|i|ci|add|update)( --?[\w-]+)* (@startline|startline)/,
  /npm pack [^`\n]*client/,
  /\b(pip3?|pipx|uv|poetry)( pip)? (install|add|run|download)( --?[\w-]+)* startline/,
];

const problemsOf = (name: string, text: string) =>
  FROM_REGISTRY.flatMap((pattern) => {
    const [found] = pattern.exec(text) ?? [];
    return found ? [`${name}: ${found}`] : [];
  });

it('finds commands that take the client from a registry', () => {
  for (const command of [
    'npx @startline/client import send',
    'npx --yes startline-client',
    'npm install @startline/client',
    'npm i -D @startline/client',
    'npx --package=@startline/client startline-client',
    'python -m pip install -U startline',
  ])
    expect(problemsOf('', command)).not.toEqual([]);
  for (const command of [
    'npx --package=http://127.0.0.1:3000/client.tgz startline-client --help',
    'npm install ./client.tgz',
    'pip install --no-index ./startline-0.2.0-py3-none-any.whl',
  ])
    expect(problemsOf('', command)).toEqual([]);
});

it('no document, help text, source or built page of the repository does', () => {
  const names = [
    ...readdirSync(ROOT),
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
    ),
  ].filter((name) => !name.includes('node_modules') && TEXTS.test(name));
  expect(names.length).toBeGreaterThan(500);
  expect(names.flatMap((name) => problemsOf(name, readFileSync(join(ROOT, name), 'utf8')))).toEqual([]);
});

it('no page that the API serves does, and those of the client name its address', async () => {
  const api = await sharedApi();
  try {
    const pages = new Map<string, string>();
    const visit = async (path: string): Promise<void> => {
      if (pages.has(path)) return;
      const { text } = await api.get(path, null);
      pages.set(path, text);
      for (const [, to = ''] of text.matchAll(/href="(\/[^"#]*)"/g)) await visit(to);
    };
    for (const path of ['/', '/docs', '/openapi.json', '/docs/search.json', '/console']) await visit(path);
    expect(pages.size).toBeGreaterThan(20);
    expect([...pages].flatMap(([path, text]) => problemsOf(path, text))).toEqual([]);
    for (const path of ['/docs/client', '/docs/importing', '/docs/participants'])
      expect(pages.get(path)).toContain('/client.tgz');
  } finally {
    await api.close();
  }
});
