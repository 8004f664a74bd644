import { ADDED, lineOf, MARK, type Plan, type Sheet } from '../api';
import type { RefusedRow } from './send-parts';

/** The rows that are not imported, with their lines and what is wrong, to be corrected and imported again. */
export function findingsFile({ columns }: Sheet, plan: Plan, refused: readonly RefusedRow[]): string {
  const own = [...columns.keys()].filter((at) => !ADDED.includes(columns[at] ?? ''));
  const rows = [
    ...plan.failed.map(({ row, mistakes }) => ({
      row,
      code: mistakes[0]?.code ?? '',
      message: mistakes.map(({ message }) => message).join(' '),
    })),
    ...refused.flatMap(({ item, messages }) =>
      item.rows.map((row) => ({ row, code: 'REFUSED', message: messages.join(' ') })),
    ),
  ];
  const head = [MARK, 'importRow', 'importCode', 'importMessage', ...own.map((at) => columns[at] ?? '')];
  const lines = rows.map(({ row, code, message }) => {
    const texts = plan.textsOf(row);
    return ['', String(row.line), code, message, ...own.map((at) => texts[at] ?? '')];
  });
  return `\uFEFF${[head, ...lines].map((cells) => lineOf(cells)).join('')}`;
}
