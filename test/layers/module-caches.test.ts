import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const sources = ['libs', 'apps']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  )
  .filter(
    (file) =>
      /\.tsx?$/.test(file) && !/^apps\/console\/|\.test\.ts$|\/migrations\/|^libs\/testing\//.test(file),
  );

/** The collections of a module that begin empty: they grow. */
const growing = (code: string): string[] =>
  [...code.matchAll(/^(?:export )?(?:const|let) (\w+)[^=\n]* = new (?:Map|Set)(?:<[^\n]*>)?\(\);?$/gm)].map(
    ([, name]) => name as string,
  );

/** Those whose keys are from a closed list. What is keyed by input is an `LRUCache`. */
const CLOSED: Record<string, string> = {
  'libs/platform/config/src/validators.ts SHAPES': 'settings',
  'libs/platform/config/src/validators.ts LEADING': 'settings',
  'libs/platform/database/src/entity-columns.ts known': 'entities',
  'libs/platform/database/src/hosts.ts clients': 'addresses in settings',
  'libs/platform/queries/src/resource.ts writers': 'columns of declared resources',
  'libs/sheets/src/xlsx.ts patterns': 'names of attributes that the reader knows',
  'libs/domain/catalogue/src/files/calendar/places.ts zonesByCountry': 'codes of two letters',
};

it('modules keep nothing by input without a bound: a text that somebody sends would stay in memory', () => {
  const found = sources.flatMap((file) =>
    growing(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file} ${name}`),
  );
  expect(found.filter((each) => !(each in CLOSED))).toEqual([]);
  expect(Object.keys(CLOSED).filter((each) => !found.includes(each))).toEqual([]);
  expect(
    growing('const zones = new Map<string, Set<string>>();\nexport const seen = new Set<string>();'),
  ).toEqual(['zones', 'seen']);
});
