import { extname } from 'node:path';

/** The extensions of tables. Each may be compressed, with `.gz` behind it. */
export const TABLES: readonly string[] = ['.csv', '.tsv', '.txt', '.xlsx'];

/** The extension of a file without that of its compression. */
export const formatOf = (path: string): string => extname(path.replace(/\.gz$/i, '')).toLowerCase();
