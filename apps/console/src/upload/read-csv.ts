import type { FileRow } from './rows';

export interface CsvFile {
  name: string;
  columns: string[];
  rows: FileRow[];
}

/** The file is not CSV with a header and at least one row. */
export class NotCsv extends Error {}

/** Reads a CSV file with any common separator. Loads the parser on first use. */
export async function readCsv(file: File): Promise<CsvFile> {
  const { default: papa } = await import('papaparse');
  const text = await file.text();
  const { data } = papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false });
  const [names = [], ...lines] = data;
  const columns = uniqueNames(names.map((name) => name.trim()));
  const rows = lines
    // Line 1 is the header.
    .map((values, i) => ({ line: i + 2, values }))
    .filter(({ values }) => values.some((value) => value.trim() !== ''))
    .map(({ line, values }) => ({
      line,
      values: Object.fromEntries(columns.map((column, i) => [column, values[i] ?? ''])),
    }));
  if (columns.every((name) => name === '') || rows.length === 0) throw new NotCsv();
  return { name: file.name, columns, rows };
}

function uniqueNames(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name, i) => {
    const base = name || `Column ${i + 1}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return count === 1 ? base : `${base} (${count})`;
  });
}
