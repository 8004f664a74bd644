import { lineOf, MARK, type StaffImportRow } from '../api';
import { openRowOf, unreadIn } from './rows/row-cells';

/** Failed rows as CSV whose columns are the fields, in order of first use, so that it can be corrected and imported. */
export function failedFile(rows: readonly StaffImportRow[]): string {
  const all = rows.map((row): Readonly<Record<string, string>> => {
    const { code, message, sent, cells } = openRowOf(row);
    const told = unreadIn(sent).map((each) => each.message);
    return { [MARK]: '', importCode: code, importMessage: told.join(' ') || message, ...cells };
  });
  const columns = [...new Set(all.flatMap((cells) => Object.keys(cells)))];
  const lines = [columns, ...all.map((cells) => columns.map((column) => cells[column] ?? ''))];
  return `\uFEFF${lines.map((line) => lineOf(line)).join('')}`;
}
