import Table from 'cli-table3';
import { OVERHEAD_MS } from './lengths';
import type { Waits } from './quiet-work';
import { type Report, told } from './run';

const waitsTold = ({ importMs, timingMs, webhookMs }: Waits): string =>
  [importMs, timingMs, webhookMs].map((ms) => ms.toFixed(0)).join(', ');

/** The report for people. */
export function tableOf({ seed, minutes, idle, rows, lengths, exceeded }: Report): string {
  const table = new Table({
    head: [
      'Attack',
      'Requests',
      'Responses',
      'Longest block (CPU, of the third longest)',
      'Memory (worker)',
      'Heap, backends left',
      'Stored for each byte',
      'p99 of others',
      'Failed for others',
      "Others' import, timing, webhook",
    ],
    colWidths: [60],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { family, what, requests, statuses, block, others, waits, ...row } of rows)
    table.push([
      `${family}: ${what}`,
      requests,
      Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join('\n'),
      told(block),
      `${row.memoryMb.toFixed(0)} (${row.workerMemoryMb.toFixed(0)}) MB`,
      `${row.heapGrowthMb.toFixed(0)} MB, ${row.backends}`,
      row.storedPerByte.toFixed(1),
      `${others.p99.toFixed(0)} ms`,
      others.errors,
      `${waitsTold(waits)} ms`,
    ]);
  const most = (value: (row: Report['rows'][number]) => number) => Math.max(0, ...rows.map(value));
  return [
    table.toString(),
    `Seed ${seed}, ${minutes} minutes, ${rows.length} attacks. Without an attack: p99 of others ${idle.others.p99.toFixed(0)} ms, their import, timing message and webhook ${waitsTold(idle.waits)} ms.`,
    `At most: block ${told({ wallMs: most((row) => row.block.wallMs), cpuMs: most((row) => row.block.cpuMs), oftenCpuMs: most((row) => row.block.oftenCpuMs) })}, memory ${most((row) => row.memoryMb).toFixed(0)} MB (worker ${most((row) => row.workerMemoryMb).toFixed(0)} MB), p99 of others ${most((row) => row.others.p99).toFixed(0)} ms, their import, timing message and webhook ${waitsTold({ importMs: most((row) => row.waits.importMs), timingMs: most((row) => row.waits.timingMs), webhookMs: most((row) => row.waits.webhookMs) })} ms.`,
    `Ten times the length cost at most ${Math.max(0, ...lengths.map(({ shortMs, longMs }) => longMs / Math.max(shortMs, OVERHEAD_MS))).toFixed(1)} times the CPU, of ${lengths.length} comparisons.`,
    ...exceeded.map((sentence) => `EXCEEDED  ${sentence}`),
    '',
  ].join('\n');
}
