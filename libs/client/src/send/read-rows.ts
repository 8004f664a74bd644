import { readFile, stat } from 'node:fs/promises';
import {
  LIMITS,
  type OpenNotice,
  openNotices,
  type ReadOptions,
  readSheet,
  type Sheet,
  type SheetRow,
  UnreadableSheet,
} from '../../../sheets/src';
import { linesOf } from '../lines';
import { SendRefused } from './refused';
import type { Terminal } from './terminal';

/** A row of the file. */
export interface FileRow {
  /** The line of the file, from 1. */
  row: number;
  /** A row of a table. */
  cells?: SheetRow;
  /** The object of a JSON Lines row. */
  record?: Record<string, unknown>;
  /** That object as the file has it: the API judges doubled properties and numbers, which `record` has lost. */
  json?: string;
  /** The reason why a line of JSON Lines cannot be read. */
  broken?: string;
}

/** A file of JSON Lines, which is read line by line, or a table. */
export interface SourceFile {
  path: string;
  sheet?: Sheet;
}

/** How a file is read, and who can be asked what is open. */
export type OpenOptions = ReadOptions & { terminal?: Terminal };

/** The column of a failed-rows file with the line in the file that was sent. */
const ROW = 'importRow';
/** What a line of such a file begins with. */
const HEAD = /^\{"importRow":\d+,"importCode":"[^"\\]*","importMessage":"(?:[^"\\]|\\.)*",?/;

/**
 * @param terminal a person who is asked what the reader leaves open
 * @throws SendRefused if the file can't be read, or a question about it has no answer
 */
export async function openSource(
  path: string,
  { terminal, ...options }: OpenOptions = {},
): Promise<SourceFile> {
  const size = await stat(path).then(
    (file) => file.size,
    () => {
      throw new SendRefused('NOT_FOUND', `The file ${path} does not exist or can't be read.`);
    },
  );
  if (/\.(jsonl|ndjson)$/i.test(path)) return { path };
  // Larger files are refused without being read.
  const bytes = size > LIMITS.bytes ? new Uint8Array(LIMITS.bytes + 1) : new Uint8Array(await readFile(path));
  try {
    let sheet = await readSheet(bytes, options);
    for (let given = options; openNotices(sheet)[0]; sheet = await readSheet(bytes, given))
      given = { ...given, ...(await chosen(openNotices(sheet), terminal)) };
    const [twice] = sheet.repeated;
    if (twice === undefined) return { path, sheet };
    throw new SendRefused('INVALID_FILE', `The file has the column "${twice}" twice. Rename one of them.`);
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    throw new SendRefused('INVALID_FILE', `${path}: ${error.message}`);
  }
}

/** The answer to the first question. */
async function chosen(open: OpenNotice[], terminal: Terminal | undefined): Promise<ReadOptions> {
  const [{ option, message, choices }] = open as [OpenNotice];
  const words = choices.map((choice) => choice.words);
  const at = await terminal?.choose(message, words);
  if (at !== undefined) return { [option]: choices[at]?.value };
  const all = open.map(
    (each) =>
      `${each.message} Use --${each.option}: ${each.choices.map((choice) => choice.words).join('; ')}.`,
  );
  throw new SendRefused('UNDECIDED', all.join('\n'));
}

/** A row of a table, with the line in the file that was sent first. */
export function rowOf({ columns }: Sheet, cells: SheetRow): FileRow {
  return { row: Number(cells.cells[columns.indexOf(ROW)]) || cells.line, cells };
}

/** The rows of a file of JSON Lines, one at a time. */
export async function* readJsonLines(path: string): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const bytes of linesOf(path, 'latin1')) {
    line += 1;
    const { text, isUtf8 } = decoded(Buffer.from(bytes, 'latin1'));
    const json = text.trim();
    if (json === '') continue;
    const record = isUtf8 ? objectOf(json) : undefined;
    if (!record) {
      const broken = `The line is not ${isUtf8 ? 'a JSON object' : 'UTF-8'}.`;
      yield { row: line, record: { text }, broken };
      continue;
    }
    const { importRow, importCode, importMessage, ...own } = record;
    const isFailed = [importRow, importCode, importMessage].some((each) => each !== undefined);
    // A head that was edited can't be cut off.
    const rest = isFailed ? json.replace(HEAD, '{') : json;
    yield { row: Number(importRow) || line, record: own, json: isFailed && rest === json ? undefined : rest };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer): { text: string; isUtf8: boolean } {
  try {
    return { text: utf8.decode(bytes), isUtf8: true };
  } catch {
    return { text: bytes.toString(), isUtf8: false };
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
