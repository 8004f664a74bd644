import Table from 'cli-table3';
import type { CandidateResult } from '../fixtures/compare';
import { goalOf, met } from './ratio';
import type { Result } from './result';

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const PLAIN = {
  chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  style: { head: [], border: [] },
};

/** For people. */
export function tableOf({ title, candidates, measurements, ratios }: Result): string {
  const parts = [`\n${title}`];
  if (candidates?.length) parts.push(candidatesTable(candidates));
  if (measurements?.length) {
    const table = new Table({ ...PLAIN, colAligns: ['left', 'right', 'left'] });
    table.push(...measurements.map(({ what, value, unit }) => [what, number(value), unit]));
    parts.push(table.toString());
  }
  if (ratios.length) {
    const table = new Table({
      head: ['ratio', '', 'goal', ''],
      ...PLAIN,
      colAligns: ['left', 'right', 'left', 'left'],
    });
    table.push(
      ...ratios.map((ratio) => [
        ratio.what,
        ratio.value.toFixed(2),
        goalOf(ratio),
        goalOf(ratio) && (met(ratio) ? 'met' : 'FALLS SHORT'),
      ]),
    );
    parts.push(table.toString());
  }
  return parts.join('\n');
}

function candidatesTable(candidates: CandidateResult[]): string {
  const table = new Table({
    head: ['', 'requests/s', 'p50 ms', 'p99 ms', 'node ms', 'PostgreSQL ms', 'KB'],
    ...PLAIN,
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
  });
  table.push(
    ...candidates.map(({ name, median: { perSecond, p50, p99, nodeMs, databaseMs, kb } }) => [
      name,
      ...[perSecond, p50, p99, nodeMs, databaseMs, kb].map(number),
    ]),
  );
  return table.toString();
}
