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
  /** By column what a workbook shows of a cell, if it is not the same text. */
  shown?: (string | undefined)[];
  /** The reason why the row can't be read. */
  broken?: string;
  /** Of a row with more or fewer values than columns: those beyond the last column. Its other cells may belong to other columns. */
  beyond?: Cell[];
}

export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'macintosh',
  'x-mac-cyrillic',
  'ibm437',
  'ibm850',
  'ibm852',
  'ibm866',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
  'windows-874',
  'utf-8-twice',
] as const;
/** `utf-8-twice`: UTF-8 that was read as Windows-1252, Mac Roman or in a code page of DOS, and saved as UTF-8 again. */
export type Encoding = (typeof ENCODINGS)[number];

/** What is recognised by default. */
export interface ReadOptions {
  encoding?: Encoding;
  delimiter?: string;
  /** The line of the header. */
  header?: number;
  /** The sheet of a workbook: its name, or, if none has this name, its number from 1. */
  sheet?: string;
  /** Whether hidden rows and columns of a workbook are read. */
  hidden?: 'read' | 'skip';
  /** Bytes of the content after decompression, if not those of `LIMITS`. */
  contentBytes?: number;
}

/** Merged cells, damaged numbers and dates are in the notices of columns. */
export type NoticeCode = 'ENCODING' | 'OTHER_SHEETS' | 'HIDDEN' | 'MERGED' | 'DAMAGED_NUMBERS' | 'DATES';
/** The option that answers a notice about the file, which has to be chosen before the table is used. */
const OPTIONS: Partial<Record<NoticeCode, OpenNotice['option']>> = {
  ENCODING: 'encoding',
  OTHER_SHEETS: 'sheet',
  HIDDEN: 'hidden',
};

/** What a person has to know about how the file was read. */
export interface Notice {
  code: NoticeCode;
  /** Sentences that name the cause, and what to do. */
  message: string;
  /** Of one column. */
  column?: string;
  /** The lines that it is about, the first few. */
  lines?: number[];
  /** How many cells or rows it is about. */
  count?: number;
  /** Values as they were and as they are read, or as they are shown. */
  examples?: { from: string; to?: string }[];
  /** The answers to choose from; of an encoding with the same words in each. */
  readings?: { value: string; words?: string[] }[];
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
  /** Whether the numbers of days count from 1904. */
  from1904?: true;
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
  notices: Notice[];
}

/** The cells of which a notice names the lines and values. */
const EXAMPLES = 3;

/** Counts a cell in the notice of its code. */
export function addTo(
  notices: Notice[],
  code: Notice['code'],
  line: number,
  example: { from: string; to?: string },
): void {
  const known = notices.find((each) => each.code === code);
  const notice = known ?? { code, message: '', count: 0, lines: [], examples: [] };
  if (!known) notices.push(notice);
  notice.count = (notice.count ?? 0) + 1;
  if (notice.count > EXAMPLES) return;
  notice.lines?.push(line);
  notice.examples?.push(example);
}

/** A notice whose option has to be chosen before the table is used. */
export interface OpenNotice {
  option: 'encoding' | 'sheet' | 'hidden';
  message: string;
  choices: { value: string; words: string }[];
}

export const openNotices = ({ notices }: Pick<Sheet, 'notices'>): OpenNotice[] =>
  notices.flatMap(({ code, message, readings = [] }) => {
    const option = OPTIONS[code];
    const choices = readings.map(({ value, words }) => ({
      value,
      words: words ? `${value}: ${words.join(', ')}` : value,
    }));
    return option ? [{ option, message, choices }] : [];
  });

export interface SheetLimits {
  /** Bytes of the file, and of its content after decompression. */
  bytes: number;
  contentBytes: number;
  rows: number;
  /** Of a workbook: reading it needs several times the memory of a text. */
  workbookRows: number;
  columns: number;
  /** Of an export of ours, which has one for each question of the organization. */
  ourColumns: number;
  /** Characters of a cell. */
  cell: number;
}

export const LIMITS: SheetLimits = {
  bytes: 64_000_000,
  contentBytes: 256_000_000,
  rows: 200_000,
  workbookRows: 30_000,
  columns: 500,
  ourColumns: 1_100,
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

/**
 * Code points of white space, and of characters that show nothing: those that the API removes at the ends of texts. It has the same
 * table, as a test checks.
 */
const UNSEEN =
  '1-20 7f-a0 ad 34f 61c 115f-1160 1680 17b4-17b5 180b-180f 2000-200f 2028-202f 205f-206f 2800 3000 3164 fe00-fe0f ' +
  'feff ffa0 fff9-fffb 1d173-1d17a e0001 e0020-e007f e0100-e01ef';
const unseen = new Set(
  UNSEEN.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((point) => Number.parseInt(point, 16));
    return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
  }),
);

/** The text of a cell without them at its ends. Inside it, they have a meaning. */
export function trimmed(cell: Cell | undefined): string {
  const text = textOf(cell);
  if (/^[!-~]$/.test(text.charAt(0)) && /^[!-~]$/.test(text.charAt(text.length - 1))) return text;
  let [start, end] = [0, text.length];
  const lengthOf = (character: string) => (unseen.has(character) ? character.length : 0);
  const before = () => text.slice(/[\uDC00-\uDFFF]/.test(text.charAt(end - 1)) ? end - 2 : end - 1, end);
  for (let step = 1; step > 0 && start < end; start += step)
    step = lengthOf(String.fromCodePoint(text.codePointAt(start) ?? 0));
  for (let step = 1; step > 0 && start < end; end -= step) step = lengthOf(before());
  return text.slice(start, end);
}

export const isBlank = (cell: Cell | undefined): boolean => trimmed(cell) === '';
