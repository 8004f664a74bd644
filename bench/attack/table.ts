import Table from 'cli-table3';
import { OVERHEAD_MS } from './lengths';
import type { Report } from './run';

/** The report for people. */
export function tableOf({ seed, minutes, idle, rows, lengths, exceeded }: Report): string {
  const table = new Table({
    head: [
      'Attack',
      'Requests',
      'Responses',
      'Longest block',
      'Memory',
      'p99 of others',
      'Failed for others',
    ],
    colWidths: [60],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { family, what, requests, statuses, longestBlockMs, memoryMb, others } of rows)
    table.push([
      `${family}: ${what}`,
      requests,
      Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join('\n'),
      `${longestBlockMs.toFixed(0)} ms`,
      `${memoryMb.toFixed(0)} MB`,
      `${others.p99.toFixed(0)} ms`,
      others.errors,
    ]);
  const most = (value: (row: Report['rows'][number]) => number) => Math.max(0, ...rows.map(value));
  return [
    table.toString(),
    `Seed ${seed}, ${minutes} minutes, ${rows.length} attacks. Others' p99 without an attack: ${idle.p99.toFixed(0)} ms.`,
    `At most: block ${most((row) => row.longestBlockMs).toFixed(0)} ms, memory ${most((row) => row.memoryMb).toFixed(0)} MB, p99 of others ${most((row) => row.others.p99).toFixed(0)} ms.`,
    `Ten times the length cost at most ${Math.max(0, ...lengths.map(({ shortMs, longMs }) => longMs / Math.max(shortMs, OVERHEAD_MS))).toFixed(1)} times the CPU, of ${lengths.length} comparisons.`,
    ...exceeded.map((sentence) => `EXCEEDED  ${sentence}`),
    '',
  ].join('\n');
}
