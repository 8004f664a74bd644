import Table from 'cli-table3';

const NOTHING = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((part) => [part, '']),
);

/** A table with aligned columns and no borders. */
export function tableOf(headings: string[], rows: (string | number)[][]): string {
  const table = new Table({
    head: headings,
    chars: { ...NOTHING, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows);
  return table.toString();
}
