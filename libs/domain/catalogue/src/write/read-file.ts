import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WrongMapping } from '#libs/sheets';
import type { StoredCalendar } from '../files/calendar/stored';
import { uploadedCalendar } from '../files/calendar/uploaded';
import { openCatalogue } from '../files/open';
import { UnreadableFile } from '../files/source';
import { formatOf, TABLES } from '../files/table';
import type { CatalogueFile, ProblemOfFile, RecordsOfFile } from './catalogue-file.dto';

/** Larger files are loaded with the command line. */
const MOST_RECORDS = 1_000;
const MOST_PROBLEMS = 200;
/** A file with more is not what its extension says. */
const MOST_COUNTED = 10_000;
/** Of a table after decompression, in bytes. What a table of 3 MB can expand to would need more memory than the process has. */
const MOST_CONTENT = 16_000_000;
const JSON_FORMATS = ['.jsonl', '.ndjson', '.json'];

type Found = Omit<ProblemOfFile, 'code'> & { code?: string | null };

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
 * The records of a file that someone uploads.
 *
 * @param folder an empty one, for the file
 * @param stored what a race calendar does not ask again
 * @throws RefusedFile
 */
export async function recordsOfFile(
  { name, content, ...table }: CatalogueFile,
  folder: string,
  stored?: StoredCalendar,
): Promise<RecordsOfFile> {
  const format = formatOf(name);
  if (![...JSON_FORMATS, ...TABLES].includes(format))
    throw new RefusedFile('name', `must end in ${[...JSON_FORMATS, ...TABLES].join(', ')}`);
  const read: RecordsOfFile = {
    records: [],
    problems: [],
    problemCount: 0,
    warnings: [],
    filled: null,
    calendar: null,
  };
  const refuse = (problem: Found) => {
    read.problemCount += 1;
    if (read.problemCount > MOST_COUNTED)
      throw new RefusedFile('content', `has more than ${MOST_COUNTED} problems: is it a ${format} file?`);
    keep(read.problems, problem);
  };
  try {
    const path = join(folder, `file${format}${/\.gz$/i.test(name) ? '.gz' : ''}`);
    const bytes = Buffer.from(content, 'base64');
    await writeFile(path, bytes);
    const calendar = TABLES.includes(format)
      ? await uploadedCalendar(bytes, { ...table, stored, contentBytes: MOST_CONTENT })
      : undefined;
    if (calendar) Object.assign(read, { filled: calendar.filled, calendar: calendar.read });
    for await (const item of calendar?.source ?? openCatalogue(path)) {
      if ('value' in item) {
        if (read.records.length === MOST_RECORDS)
          throw new RefusedFile(
            'content',
            `has more than ${MOST_RECORDS} records: load it with the command line`,
          );
        if (isObject(item.value)) read.records.push(item.value);
        else refuse({ row: item.row, field: '', message: 'is not an object' });
      } else if (item.warning) keep(read.warnings, item.problem);
      else refuse(item.problem);
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new RefusedFile('content', error.message);
    if (error instanceof WrongMapping) throw new RefusedFile('mapping', error.message);
    throw error;
  }
  return read;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keep(list: ProblemOfFile[], { row, field, message, code = null }: Found): void {
  if (list.length < MOST_PROBLEMS) list.push({ row, field, message, code });
}
