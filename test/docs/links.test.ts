import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import MarkdownIt from 'markdown-it';

const ROOT = resolve(__dirname, '../..');
const markdown = new MarkdownIt();
const FOLDERS = ['.github', 'apps', 'bench', 'clients', 'docker', 'docs', 'libs', 'test'];
const files = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
  ),
].filter((name) => !name.includes('node_modules') && /\.(md|tsx?)$/.test(name));

/** Anchors of a document's headings, in the format of GitHub: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(file: string): Set<string> {
  const tokens = markdown.parse(readFileSync(join(ROOT, file), 'utf8'), {});
  const anchors = new Map<string, number>();
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = (tokens[i + 1]?.children ?? [])
      .filter(({ type }) => type === 'text' || type === 'code_inline')
      .map(({ content }) => content)
      .join('');
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const seen = anchors.get(slug) ?? 0;
    anchors.set(slug, seen + 1);
    if (seen > 0) anchors.set(`${slug}-${seen}`, 1);
  }
  return new Set(anchors.keys());
}

function linksOf(file: string): string[] {
  const links: string[] = [];
  const walk = (tokens: MarkdownIt.Token[]): void => {
    for (const token of tokens) {
      const href = token.attrGet('href') ?? token.attrGet('src');
      if (href) links.push(String(href));
      walk(token.children ?? []);
    }
  };
  walk(markdown.parse(readFileSync(join(ROOT, file), 'utf8'), {}));
  return links.filter((link) => !/^[a-z]+:|^\/\//.test(link));
}

/** Links to pages that the API serves, rather than files of the repository. */
const SERVED = [
  '/docs',
  '/collection.json',
  '/llms.txt',
  '/llms-full.txt',
  '/openapi.json',
  '/changelog',
  '/metrics',
  '/console',
];

function problemOf(file: string, link: string): string | undefined {
  const [path = '', anchor] = decodeURI(link).split('#');
  if (SERVED.includes(path) || path.startsWith('/docs/')) return undefined;
  const target = path ? relative(ROOT, resolve(ROOT, dirname(file), path)) : file;
  if (!existsSync(join(ROOT, target))) return `${file}: ${link} names no file`;
  if (anchor && target.endsWith('.md') && !anchorsOf(target).has(anchor))
    return `${file}: ${link} names no heading of ${target}`;
  return undefined;
}

test('every link in the documents leads to a file, and to a heading in it', () => {
  const documents = files.filter((file) => file.endsWith('.md'));
  expect(documents.length).toBeGreaterThan(20);
  expect(documents.flatMap((file) => linksOf(file).flatMap((link) => problemOf(file, link) ?? []))).toEqual(
    [],
  );
});

test('every source that a document names exists', () => {
  const sources = files.filter((file) => /\.tsx?$/.test(file));
  const missing = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/`([\w./-]+\.tsx?)`/g)].flatMap(([, name]) =>
        sources.some((source) => source === name || source.endsWith(`/${name}`)) ? [] : `${file}: ${name}`,
      ),
    );
  expect(missing).toEqual([]);
});

test('every section that a comment cites exists', () => {
  const cited = files
    .filter((file) => /^(apps|libs|bench|test)\/.*\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(
        ([link]) => ({ file, link }),
      ),
    );
  expect(
    cited.flatMap(({ file, link }) => problemOf('README.md', link) && `${file}: ${link}`).filter(Boolean),
  ).toEqual([]);
});
