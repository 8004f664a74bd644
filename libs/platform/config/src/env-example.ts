import { SECTIONS } from './settings';

interface Declaration {
  desc?: string;
  default?: unknown;
  example?: string;
  choices?: readonly unknown[];
}

const line = (name: string, { desc, default: value, example, choices }: Declaration): string =>
  [
    `# ${desc}${choices ? ` One of ${choices.join(', ')}.` : ''}`,
    ...(example ? [`# Example: ${example}`] : []),
    value === undefined || value === '' ? `# ${name}=` : `${name}=${value}`,
  ].join('\n');

/** The text of `.env.example`: every setting with its default, under its heading. */
export const envExample = (): string =>
  Object.entries(SECTIONS)
    .map(([heading, declarations]) =>
      [
        `## ${heading}`,
        ...Object.entries(declarations).map(([name, spec]) => line(name, spec as Declaration)),
      ].join('\n\n'),
    )
    .join('\n\n')
    .concat('\n');
