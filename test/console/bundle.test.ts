import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ASSETS = join(__dirname, '../../dist/console/assets');
const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
const holding = (text: string) =>
  scripts
    .filter((name) => readFileSync(join(ASSETS, name), 'utf8').includes(text))
    .map((name) => name.split('-')[0]);

it('loads the parsers when a file is read, and the words for columns when one of the pages for files is opened', () => {
  expect(scripts.some((name) => name.startsWith('index-'))).toBe(true);
  expect(holding('sharedStrings')).toEqual(['read']);
  // The chunks of the first screen.
  const [words, ...others] = holding('familienname');
  expect([others, ['index', 'session'].includes(words as string)]).toEqual([[], false]);
});

it('is built again when a module that it imports from a library changes', () => {
  const modules = JSON.parse(readFileSync(join(ASSETS, '../../console.modules.json'), 'utf8'));
  expect(modules).toContain('libs/domain/participants/src/erasure/person-words.ts');
});
