import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCatalogue } from '../files/open';
import { UnreadableFile } from '../files/source';
import { formatOf, TABLES } from '../files/table';
import type { CatalogueFile, ProblemOfFile, RecordsOfFile } from './catalogue-file.dto';

/** Larger files are loaded with the command line. */
const MOST_RECORDS = 1_000;
const MOST_PROBLEMS = 200;
/** Of a table after decompression, in bytes. What a table of 3 MB can expand to would need more memory than the process has. */
const MOST_CONTENT = 16_000_000;
const JSON_FORMATS = ['.jsonl', '.ndjson', '.json'];

/** The file does not have the format of its extension, or has too many records. */
export class RefusedFile extends Error {
  constructor(
    /** The property of the request. */
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The records of a file that someone uploads, without looking at what is stored.
 *
 * @param folder an empty one, for the file
 * @throws RefusedFile
 */
export async function recordsOfFile(
  { name, content, ...table }: CatalogueFile,
  folder: string,
): Promise<RecordsOfFile> {
  const format = formatOf(name);
  if (![...JSON_FORMATS, ...TABLES].includes(format))
    throw new RefusedFile('name', `must end in ${[...JSON_FORMATS, ...TABLES].join(', ')}`);
  const read: RecordsOfFile = { records: [], problems: [], problemCount: 0, warnings: [] };
  try {
    const path = join(folder, `file${format}${/\.gz$/i.test(name) ? '.gz' : ''}`);
    await writeFile(path, Buffer.from(content, 'base64'));
    const bounded = TABLES.includes(format) ? { ...table, contentBytes: MOST_CONTENT } : table;
    for await (const item of openCatalogue(path, { table: bounded })) {
      if ('value' in item) {
        if (read.records.length === MOST_RECORDS)
          throw new RefusedFile(
            'content',
            `has more than ${MOST_RECORDS} records: load it with the command line`,
          );
        read.records.push(item.value as Record<string, unknown>);
      } else if (item.warning) keep(read.warnings, item.problem);
      else {
        read.problemCount += 1;
        keep(read.problems, item.problem);
      }
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new RefusedFile('content', error.message);
    throw error;
  }
  return read;
}

function keep(list: ProblemOfFile[], { row, field, message }: ProblemOfFile): void {
  if (list.length < MOST_PROBLEMS) list.push({ row, field, message });
}
