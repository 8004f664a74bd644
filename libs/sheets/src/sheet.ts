/**
 * A cell as the file has it: text, or the number of a spreadsheet's cell. Dates of a spreadsheet are texts such as
 * `1990-04-12`, `1990-04-12T09:30:00` or `09:30:00`.
 */
export type Cell = string | number;

/** A row of the file below the header. */
export interface SheetRow {
  /** The line of the file where the row begins, from 1; in a workbook, the number of the row. */
  line: number;
  /** In the order of the columns. */
  cells: Cell[];
  /** The reason why the row can't be read. */
  broken?: string;
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export const ENCODINGS: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];

/** What is recognised by default. */
export interface ReadOptions {
  encoding?: Encoding;
  delimiter?: string;
  /** The line of the header. */
  header?: number;
  /** The sheet of a workbook: its name, or its number from 1. */
  sheet?: string | number;
  /** Bytes of the content after decompression, if not those of `LIMITS`. */
  contentBytes?: number;
}

/** A table that was read, and how. */
export interface Sheet {
  format: 'csv' | 'xlsx';
  /** Of a text. */
  encoding?: Encoding;
  delimiter?: string;
  /** Of a workbook: all sheets, and the one that was read. */
  sheets: string[];
  sheet?: string;
  /** The line of the header. */
  header: number;
  /** The lines before the header, which are not rows. */
  above: string[];
  /** Each different. */
  columns: string[];
  /** Names that several columns of the file have; the others got a number. */
  repeated: string[];
  rows: SheetRow[];
  /** Whether Startline wrote the file: its formulas are written as texts, and are read back. */
  ours: boolean;
}

export interface SheetLimits {
  /** Bytes of the file, and of its content after decompression. */
  bytes: number;
  contentBytes: number;
  rows: number;
  /** Of a workbook: reading it needs several times the memory of a text. */
  workbookRows: number;
  columns: number;
  /** Characters of a cell. */
  cell: number;
}

export const LIMITS: SheetLimits = {
  bytes: 64_000_000,
  contentBytes: 256_000_000,
  rows: 200_000,
  workbookRows: 30_000,
  columns: 500,
  cell: 32_767,
};

export type UnreadableCode =
  | 'TOO_LARGE'
  | 'TOO_MANY_ROWS'
  | 'TOO_MANY_COLUMNS'
  | 'EMPTY'
  | 'ENCODING'
  | 'FORMAT'
  | 'HEADER'
  | 'SHEET';

/** The file as a whole can't be read. The message says why and what to do. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';

  constructor(
    readonly code: UnreadableCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A number as people type it: at most 15 digits, which are those that a spreadsheet keeps. Without the rest of a binary fraction:
 * 45.1 and not 45.100000000000001.
 */
export const textOf = (cell: Cell | undefined): string =>
  typeof cell === 'number' ? String(Number(cell.toPrecision(15))) : (cell ?? '');

export const isBlank = (cell: Cell | undefined): boolean => typeof cell !== 'number' && !cell?.trim();
