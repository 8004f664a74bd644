import { createReadStream } from 'node:fs';
import { type Info, parse } from 'csv-parse';
import { type Advance, type SourceProblem, UnreadableFile } from '../source';
import { type Columns, columnsOf, type readMapping } from './columns';

/** The cells of a row, as in the file. */
export interface Cells {
  row: number;
  cells: string[];
}

const LONGEST_RECORD = 1024 * 1024;
const NOT_UTF8 = '\uFFFD';

/** The rows after the header, one at a time. Malformed rows are reported. */
export async function* rowsOf(
  path: string,
  mapping: ReturnType<typeof readMapping>,
  advance: Advance,
): AsyncGenerator<{ columns: Columns } | Cells | SourceProblem> {
  const broken: SourceProblem[] = [];
  const parser = parse({
    bom: true,
    delimiter: mapping?.delimiter ?? ',',
    info: true,
    max_record_size: LONGEST_RECORD,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_skip: (error) => {
      if (error)
        broken.push({ problem: { row: Number(error.lines), field: '', message: 'is not well-formed CSV' } });
      return undefined;
    },
  });
  const file = createReadStream(path);
  file.on('data', (chunk) => advance(chunk.length));
  file.on('error', (error) => parser.destroy(error));
  file.pipe(parser);
  let columns: Columns | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield* broken.splice(0);
      const row = info.lines;
      if (!columns) {
        columns = columnsOf(record, mapping);
        yield { columns };
      } else if (record.length !== columns.inOrder.length) {
        const message = `has ${record.length} columns instead of ${columns.inOrder.length}`;
        yield { problem: { row, field: '', message } };
      } else if (record.some((cell) => cell.includes(NOT_UTF8))) {
        yield { problem: { row, field: '', message: 'is not UTF-8' } };
      } else yield { row, cells: record };
    }
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('CSV_')) throw error;
    throw new UnreadableFile(`The file is not well-formed CSV: ${(error as Error).message}`);
  } finally {
    file.destroy();
  }
  yield* broken;
  if (!columns) throw new UnreadableFile('The file has no header.');
}
