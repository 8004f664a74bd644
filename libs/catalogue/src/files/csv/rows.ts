import { type Advance, type SourceProblem, UnreadableFile } from '../source';
import { type Columns, columnsOf, type readMapping } from './columns';
import { csvRecordsOf, isUtf8 } from './records';

/** The cells of a row, as in the file. */
export interface Cells {
  row: number;
  cells: string[];
}

/** The rows after the header, one at a time. Malformed rows are reported. */
export async function* rowsOf(
  path: string,
  mapping: ReturnType<typeof readMapping>,
  advance: Advance,
): AsyncGenerator<{ columns: Columns } | Cells | SourceProblem> {
  let columns: Columns | undefined;
  for await (const { line: row, cells } of csvRecordsOf(path, advance, mapping?.delimiter)) {
    const problem = (message: string): SourceProblem => ({ problem: { row, field: '', message } });
    if (!cells) yield problem('is not well-formed CSV');
    else if (!columns) {
      columns = columnsOf(cells, mapping);
      yield { columns };
    } else if (cells.length !== columns.inOrder.length) {
      yield problem(`has ${cells.length} columns instead of ${columns.inOrder.length}`);
    } else if (!isUtf8(cells)) yield problem('is not UTF-8');
    else yield { row, cells };
  }
  if (!columns) throw new UnreadableFile('The file has no header.');
}
