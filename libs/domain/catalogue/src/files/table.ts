import { extname } from 'node:path';
import { UnreadableFile } from './source';

/** The extensions of tables. Each may be compressed, with `.gz` behind it. */
export const TABLES: readonly string[] = ['.csv', '.tsv', '.txt', '.xlsx'];

/** The extension of a file without that of its compression. */
export const formatOf = (path: string): string => extname(path.replace(/\.gz$/i, '')).toLowerCase();

/**
 * What reads a file of JSON Lines, or of JSON, by its extension.
 *
 * @throws UnreadableFile
 */
export function readerOf<Read>(path: string, lines: Read, document: Read, message: string): Read {
  const format = formatOf(path);
  if (format === '.json') return document;
  if (format === '.jsonl' || format === '.ndjson') return lines;
  throw new UnreadableFile(message);
}
