import { READERS } from './readers';
import { type Declarations, SECTIONS } from './settings';
import { LEADING, SHAPES } from './validators';

interface Declaration {
  desc?: string;
  default?: unknown;
  example?: string;
  choices?: readonly unknown[];
  _parse?: unknown;
}

const INTRODUCTION = `# Configuration

Settings are read from the environment, then from a file \`.env\` in the working directory. All are checked at start, and a
name that is nearly that of a setting is reported. An empty value counts as unset. Use the same values for all processes. A
setting in milliseconds (\`…_MS\`) may be 1–3600000, unless stated.
*Italics* name the processes that read a setting.
\`npm run settings\` generates this page and [.env.example](../.env.example) from the code.

## The settings that matter

Most installations need no others. Read by api, unless stated.`;

const APPENDIX = `## All other settings

Change them if a client needs more, a policy other periods, or a machine has more memory or processors.
[Operating](operating.md#bounds) describes the effects of the limits.`;

const shapeOf = (name: string, { choices, _parse }: Declaration): string => {
  const shape = choices?.map((choice) => `\`${choice}\``).join(', ') ?? SHAPES.get(_parse);
  if (shape === undefined)
    throw new Error(`${name} has no description of its values: declare its validator with shaped()`);
  return shape;
};

/** The default, and what else it may be. */
const valuesOf = (name: string, declaration: Declaration): string => {
  const shape = shapeOf(name, declaration);
  if (!('default' in declaration)) return `**must be set**: ${shape}`;
  const { default: value } = declaration;
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return `(${shape})`;
  return [`\`${value}\``, ...(shape ? [`(${shape})`] : [])].join(' ');
};

const readersOf = (name: string): string => {
  const readers = READERS[name as keyof Declarations];
  if (!readers) throw new Error(`${name} has no processes that read it: see readers.ts`);
  return readers;
};

type Entry = [string, Declaration];

const row = ([name, declaration]: Entry, usual?: string): string => {
  const { desc, example } = declaration;
  const readers = readersOf(name);
  const what = [
    desc,
    ...(example ? [`Example: \`${example}\`.`] : []),
    ...(readers === usual ? [] : [`*${readers.replaceAll('`', '')}*`]),
  ].join(' ');
  return `| \`${name}\` | ${valuesOf(name, declaration)} | ${what} |`;
};

const table = (entries: Entry[], usual?: string): string =>
  ['| Setting | Default, if any, and (values) | |', '|---|---|---|']
    .concat(entries.map((entry) => row(entry, usual)))
    .join('\n');

/** The processes that read most of the settings. */
function usualReaders(entries: Entry[]): string {
  const all = entries.map(([name]) => readersOf(name));
  const count = (readers: string) => all.filter((other) => other === readers).length;
  return all.toSorted((a, b) => count(b) - count(a))[0] as string;
}

function section([heading, declarations]: [string, object]): string[] {
  const entries = (Object.entries(declarations) as Entry[]).filter(([, each]) => !LEADING.has(each));
  if (entries.length === 0) return [];
  const usual = usualReaders(entries);
  return [`### ${heading}`, `Read by ${usual}, unless stated.`, table(entries, usual)];
}

/** The text of `docs/configuration.md`: first what matters, then the rest under the headings of `.env.example`. */
export const configurationReference = (): string => {
  const sections = Object.entries(SECTIONS);
  const all = sections.flatMap(([, declarations]) => Object.entries(declarations) as Entry[]);
  return [
    INTRODUCTION,
    table(
      all.filter(([, each]) => LEADING.has(each)),
      'api',
    ),
    APPENDIX,
    ...sections.flatMap(section),
  ]
    .join('\n\n')
    .concat('\n');
};
