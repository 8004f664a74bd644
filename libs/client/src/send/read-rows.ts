import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { SendRefused } from './refused';

/** The additional columns of a failed-rows file. They are not sent. */
export const ADDED = ['importRow', 'importCode', 'importMessage'] as const;

/** A row of the file. */
export interface FileRow {
  /** As a spreadsheet shows it: the header is row 1. In JSON Lines, the line number. */
  row: number;
  /** The values by column; empty for JSON Lines. */
  values: Record<string, string>;
  /** The object of a JSON Lines row. */
  record?: Record<string, unknown>;
  /** The reason why the row cannot be read. */
  broken?: string;
}

export interface SourceFile {
  path: string;
  jsonLines: boolean;
  delimiter: string;
  /** Without the columns that a failed-rows file adds. */
  columns: string[];
}

const isAdded = (name: string) => (ADDED as readonly string[]).includes(name);

/** Finds the format, the delimiter and the columns of a file. */
export async function openSource(path: string): Promise<SourceFile> {
  const start = await startOf(path);
  if (/\.(jsonl|ndjson)$/i.test(path)) return { path, jsonLines: true, delimiter: '', columns: [] };
  const [first = ''] = start.replace(/^\uFEFF/, '').split(/\r?\n/);
  const times = (delimiter: string) => first.split(delimiter).length;
  const delimiter = [',', ';', '\t'].reduce((best, each) => (times(each) > times(best) ? each : best));
  for await (const columns of csvRecords(path, delimiter, 1)) {
    const names = columns.record.map((name) => name.trim());
    const twice = names.find((name, i) => name && names.indexOf(name) !== i);
    if (twice)
      throw new SendRefused('INVALID_FILE', `The file has the column "${twice}" twice. Rename one of them.`);
    return { path, jsonLines: false, delimiter, columns: names.filter((name) => name && !isAdded(name)) };
  }
  throw new SendRefused('INVALID_FILE', `The file ${path} is empty. Its first row must name the columns.`);
}

async function startOf(path: string): Promise<string> {
  try {
    const file = await open(path);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(65_536) });
    await file.close();
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    throw new SendRefused('NOT_FOUND', `The file ${path} does not exist or can't be read.`);
  }
}

interface CsvRecord {
  record: string[];
  info: { records: number; empty_lines: number };
}

async function* csvRecords(path: string, delimiter: string, to?: number): AsyncGenerator<CsvRecord> {
  const options = { bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true, to };
  const parser = createReadStream(path).pipe(parse(options));
  try {
    for await (const record of parser) yield record as CsvRecord;
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('CSV_')) throw error;
    throw new SendRefused('INVALID_FILE', `The file ${path} is not valid CSV: ${(error as Error).message}.`);
  }
}

/** Streams the rows of a file. */
export async function* readRows(source: SourceFile): AsyncGenerator<FileRow> {
  if (source.jsonLines) yield* readJsonLines(source.path);
  else yield* readCsv(source);
}

async function* readCsv({ path, delimiter }: SourceFile): AsyncGenerator<FileRow> {
  let header: string[] | undefined;
  for await (const { record, info } of csvRecords(path, delimiter)) {
    if (!header) {
      header = record.map((name) => name.trim());
      continue;
    }
    const names = header;
    const all = Object.fromEntries(names.map((name, i) => [name, record[i] ?? '']));
    const values = Object.fromEntries(Object.entries(all).filter(([name]) => name && !isAdded(name)));
    if (Object.values(values).every((value) => value.trim() === '')) continue;
    if (record.some((value) => value.includes('\uFFFD'))) {
      throw new SendRefused('INVALID_FILE', `The file ${path} is not UTF-8. Save it as CSV UTF-8.`);
    }
    const fits = record.length === names.length;
    const broken = fits ? undefined : `The row has ${record.length} values, the header has ${names.length}.`;
    yield {
      row: Number(all.importRow) || info.records + info.empty_lines,
      values,
      ...(broken && { broken }),
    };
  }
}

async function* readJsonLines(path: string): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line += 1;
    if (text.trim() === '') continue;
    const record = objectOf(line === 1 ? text.replace(/^\uFEFF/, '') : text);
    if (!record) {
      yield { row: line, values: {}, record: { text }, broken: 'The line is not a JSON object.' };
      continue;
    }
    const { importRow, importCode, importMessage, ...own } = record;
    yield { row: Number(importRow) || line, values: {}, record: own };
  }
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
