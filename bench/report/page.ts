import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goalOf, met, type Ratio } from './ratio';

/** What bench/release.json holds of a path. */
interface Measured {
  /** The release. */
  version: string;
  /** The commit that was measured. */
  commit: string;
  date: string;
  machine: Record<string, string | number>;
  entries: number;
  rounds: number;
  /** By title and ratio. */
  ratios: Record<string, Omit<Ratio, 'what'>>;
}

/** By path. */
export type Releases = Record<string, Measured>;

const PAGE = join(__dirname, '../../docs/performance.md');
const [BEGIN, END] = ['<!-- begin of bench/release.json -->', '<!-- end of bench/release.json -->'];

const headOf = ({ commit, date, entries, rounds, machine }: Measured): string =>
  `Commit \`${commit}\`, ${date}, ${entries.toLocaleString('en')} entries, medians of ${rounds} rounds; ` +
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}.`;

/** Three digits, as a person compares them. */
const shown = (value: number): string => Number(value.toPrecision(3)).toString();

function rowsOf(measured: Measured): string[] {
  return Object.entries(measured.ratios).map(([name, { value, ...goal }]) => {
    const ratio = { what: name, value, ...goal };
    const target = goalOf(ratio) + (met(ratio) ? '' : ' **missed**');
    const [title, what] = [name.slice(0, name.lastIndexOf(': ')), name.slice(name.lastIndexOf(': ') + 2)];
    return `| ${title} | ${what} | ${shown(value)} | ${target} |`;
  });
}

/** The results as Markdown: a table for each commit and size that was measured. */
function resultsOf(releases: Releases): string {
  const runs = new Map<string, string[]>();
  for (const measured of Object.values(releases)) {
    const head = headOf(measured);
    runs.set(head, [...(runs.get(head) ?? []), ...rowsOf(measured)]);
  }
  return [...runs]
    .map(([head, rows]) =>
      [head, '', '| Measurement | Ratio | Value | Target |', '|---|---|---|---|', ...rows].join('\n'),
    )
    .join('\n\n');
}

function pageOf(releases: Releases): { before: string; after: string } {
  const before = readFileSync(PAGE, 'utf8');
  const [start, rest] = before.split(BEGIN);
  const [, end] = rest?.split(END) ?? [];
  if (end === undefined) throw new Error(`docs/performance.md must contain ${BEGIN} and ${END}`);
  return { before, after: `${start}${BEGIN}\n\n${resultsOf(releases)}\n\n${END}${end}` };
}

/** Writes the results into docs/performance.md. */
export const writePage = (releases: Releases): void => writeFileSync(PAGE, pageOf(releases).after);

/** Whether docs/performance.md shows these results. */
export function showsResults(releases: Releases): boolean {
  const { before, after } = pageOf(releases);
  return before === after;
}
