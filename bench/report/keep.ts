import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chart } from './chart';
import type { Result } from './result';

const RESULTS = resolve(__dirname, '../results');

/**
 * Writes JSON and a chart.
 *
 * @returns the file of the chart
 */
export function keep(names: string[], run: { results: Result[] }): string {
  mkdirSync(RESULTS, { recursive: true });
  const at = new Date().toISOString().slice(0, 16).replace(':', '');
  const file = join(RESULTS, `${names.length > 3 ? 'all' : names.join('-')}-${at}`);
  writeFileSync(`${file}.json`, JSON.stringify(run, null, 1));
  writeFileSync(`${file}.svg`, chart(run.results));
  return `${file}.svg`;
}
