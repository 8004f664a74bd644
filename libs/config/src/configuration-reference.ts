import { READERS } from './readers';
import { type Declarations, SECTIONS, SHAPES } from './settings';

interface Declaration {
  desc?: string;
  default?: unknown;
  example?: string;
  choices?: readonly unknown[];
  _parse?: unknown;
}

const INTRODUCTION = `# Configuration

Every setting of every process, from the environment, or from a file \`.env\` in the working folder, which the environment
goes before. All are checked at start, and all that are wrong are named at once. An empty value is none. This page and
[.env.example](../.env.example) are written from the code by \`npm run settings\`.

Give all processes of an installation the same values. What the bounds protect, and what clients see beyond them, is in
[operating.md](operating.md).`;

const shapeOf = (name: string, { choices, _parse }: Declaration): string => {
  const shape = choices?.map((choice) => `\`${choice}\``).join(', ') ?? SHAPES.get(_parse);
  if (shape === undefined)
    throw new Error(`Nothing says what ${name} may be: declare its validator shaped()`);
  return shape;
};

const defaultOf = (declaration: Declaration): string => {
  if (!('default' in declaration)) return '**must be set**';
  return declaration.default === undefined ? 'unset' : `\`${declaration.default}\``;
};

const row = ([name, declaration]: [string, Declaration]): string => {
  const { desc, example } = declaration;
  const readers = READERS[name as keyof Declarations];
  if (!readers) throw new Error(`Nothing says who reads ${name}: see readers.ts`);
  const what = example ? `${desc} Example: \`${example}\`` : desc;
  return `| \`${name}\` | ${defaultOf(declaration)} | ${shapeOf(name, declaration)} | ${readers} | ${what} |`;
};

/** The text of `docs/configuration.md`: the settings in tables, under the headings of `.env.example`. */
export const configurationReference = (): string =>
  [
    INTRODUCTION,
    ...Object.entries(SECTIONS).flatMap(([heading, declarations]) => [
      `## ${heading}`,
      ['| Setting | Default | May be | Read by | |', '|---|---|---|---|---|']
        .concat(Object.entries(declarations as Record<string, Declaration>).map(row))
        .join('\n'),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
