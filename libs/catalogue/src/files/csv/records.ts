import { createReadStream } from 'node:fs';
import { type Info, parse } from 'csv-parse';
import { type Advance, UnreadableFile } from '../source';

/** The cells of a record as in the file, or `null` if the record is malformed. */
export interface CsvRecord {
  /** The record's last line, from 1. */
  line: number;
  cells: string[] | null;
}

const LONGEST_RECORD = 1024 * 1024;
const REPLACEMENT_CHARACTER = '\uFFFD';

/** Whether the file had only valid UTF-8 in these cells. */
export const isUtf8 = (cells: string[]): boolean =>
  !cells.some((cell) => cell.includes(REPLACEMENT_CHARACTER));

/**
 * The records of a CSV file, the header among them, one at a time.
 *
 * @throws UnreadableFile if the rest of the file can't be split into records
 */
export async function* csvRecordsOf(
  path: string,
  advance: Advance,
  delimiter = ',',
): AsyncGenerator<CsvRecord> {
  const broken: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: LONGEST_RECORD,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_skip: (error) => {
      if (error) broken.push({ line: Number(error.lines), cells: null });
      return undefined;
    },
  });
  const file = createReadStream(path);
  file.on('data', (chunk) => advance(chunk.length));
  file.on('error', (error) => parser.destroy(error));
  file.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield* broken.splice(0);
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('CSV_')) throw error;
    throw new UnreadableFile(`The file is not well-formed CSV: ${(error as Error).message}`);
  } finally {
    file.destroy();
  }
  yield* broken;
}
