import { READERS } from './readers';
import { type Declarations, SECTIONS } from './settings';
import { SHAPES } from './validators';

interface Declaration {
  desc?: string;
  default?: unknown;
  example?: string;
  choices?: readonly unknown[];
  _parse?: unknown;
}

const INTRODUCTION = `# Configuration

Settings are read from the environment, or from a file \`.env\` in the working directory; the environment takes precedence.
All settings are checked at start, and all errors are reported at once. An empty value counts as unset. \`npm run settings\`
generates this page and [.env.example](../.env.example) from the code.

Use the same values for all processes of an installation. [operating.md](operating.md) describes the effects of the limits.`;

const shapeOf = (name: string, { choices, _parse }: Declaration): string => {
  const shape = choices?.map((choice) => `\`${choice}\``).join(', ') ?? SHAPES.get(_parse);
  if (shape === undefined)
    throw new Error(`${name} has no description of its values: declare its validator with shaped()`);
  return shape;
};

const defaultOf = (declaration: Declaration): string => {
  if (!('default' in declaration)) return '**must be set**';
  return declaration.default === undefined ? 'unset' : `\`${declaration.default}\``;
};

const row = ([name, declaration]: [string, Declaration]): string => {
  const { desc, example } = declaration;
  const readers = READERS[name as keyof Declarations];
  if (!readers) throw new Error(`${name} has no processes that read it: see readers.ts`);
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
