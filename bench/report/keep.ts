import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Result } from './result';

const RESULTS = resolve(__dirname, '../results');

/** @returns the file with the results as JSON */
export function keep(names: string[], run: { results: Result[] }): string {
  mkdirSync(RESULTS, { recursive: true });
  const at = new Date().toISOString().slice(0, 16).replace(':', '');
  const file = join(RESULTS, `${names.length > 3 ? 'all' : names.join('-')}-${at}.json`);
  writeFileSync(file, JSON.stringify(run, null, 1));
  return file;
}
