import { ADDED, lineOf, MARK, type Plan, type Sheet, textOf } from '../api';

/** The rows that are not imported, with their lines and what is wrong, to be corrected and imported again. Values beyond the last column stay there. */
export function findingsFile({ columns }: Sheet, plan: Plan): string {
  const own = [...columns.keys()].filter((at) => !ADDED.includes(columns[at] ?? ''));
  const head = [MARK, 'importRow', 'importCode', 'importMessage', ...own.map((at) => columns[at] ?? '')];
  const lines = plan.failed.map(({ row, mistakes }) => {
    const texts = plan.textsOf(row);
    const message = mistakes.map((each) => each.message).join(' ');
    const cells = [...own.map((at) => texts[at] ?? ''), ...(row.beyond ?? []).map(textOf)];
    return ['', String(row.line), mistakes[0]?.code ?? '', message, ...cells];
  });
  return `\uFEFF${[head, ...lines].map((cells) => lineOf(cells)).join('')}`;
}
