import { strFromU8, Unzip, UnzipInflate, unzipSync } from 'fflate';
import { formatCode, isPlain, type NumberFormat, numberFormat } from './number-formats';
import {
  addTo,
  type Cell,
  LIMITS,
  type Notice,
  type ReadOptions,
  type SheetRow,
  textOf,
  UnreadableSheet,
} from './sheet';

/** Bytes of the file that are decompressed at a time. */
const STEP = 65_536;
/** The different texts of a column that are kept to find repeated ones. */
const MOST_REPEATED = 1_000;
/** The most rows and columns of a sheet. */
const SHEET = { rows: 1_048_576, columns: 16_384 };
/** Of the table, with the empty ones. */
const MOST_CELLS = (LIMITS.workbookRows + 1) * LIMITS.columns;
/** More than a cell can have, in XML. */
const LONGEST_TEXT = 1_000_000;
/** The parts of a workbook that are read. */
const PART = /\.(xml|rels)$/;
/** A range of cells: lines from 1, columns from 0, the last ones included. */
export interface Merge {
  lines: [number, number];
  columns: [number, number];
}

/** What a sheet contains. */
export interface Content {
  rows: SheetRow[];
  merges: Merge[];
  hiddenRows: Set<number>;
  hiddenColumns: Set<number>;
  /** Notices by column. */
  marks: Map<number, Notice[]>;
}

export interface Workbook extends Content {
  sheets: string[];
  sheet: string;
  from1904: boolean;
  /** The other sheets that have cells, with "(hidden)" behind their names if they are. */
  others: string[];
}

/**
 * Reads one sheet of a workbook, by default the one that was in front when it was saved. Formulas have the value that the spreadsheet
 * computed last. A number is read as the cell shows it.
 *
 * @throws UnreadableSheet
 */
export async function parseXlsx(
  bytes: Uint8Array,
  { sheet: wanted, contentBytes = LIMITS.contentBytes }: ReadOptions,
): Promise<Workbook> {
  const book = describedBy(bytes, contentBytes);
  const { sheets, from1904 } = book;
  const visible = [book.active, ...sheets.keys()].find((each) => {
    const { hidden = true, file = '' } = sheets[each] ?? {};
    return !hidden && book.filled.has(file);
  });
  const chosen =
    wanted === undefined
      ? sheets[visible ?? 0]
      : (sheets.find(({ name }) => name === wanted) ?? sheets[Number(wanted) - 1]);
  if (!chosen) {
    const names = sheets.map(({ name }) => `"${name}"`).join(', ');
    throw new UnreadableSheet('SHEET', `The workbook has no sheet "${wanted}". Its sheets are ${names}.`);
  }
  const content = contentOf(bytes, chosen.file, book.texts, await formatsOf(book.codes), from1904);
  const others = sheets
    .filter((each) => each !== chosen && book.filled.has(each.file))
    .map(({ name, hidden }) => (hidden ? `"${name}" (hidden)` : `"${name}"`));
  return { ...content, sheets: sheets.map(({ name }) => name), sheet: chosen.name, from1904, others };
}

/** The formats of the styles; undefined for those that show the number as it is. */
async function formatsOf(codes: string[]): Promise<(NumberFormat | undefined)[]> {
  if (codes.every(isPlain)) return [];
  const { format } = await import('numfmt');
  return codes.map((code) => (isPlain(code) ? undefined : numberFormat(code, format)));
}

interface Described {
  sheets: { name: string; file: string; hidden: boolean }[];
  active: number;
  from1904: boolean;
  texts: string[];
  /** The codes of number formats by style. */
  codes: string[];
  /** The files of the sheets that have cells with a value. */
  filled: Set<string>;
}

/** What the workbook says about its sheets, texts and styles. */
function describedBy(bytes: Uint8Array, mostBytes: number): Described {
  const sizes = new Map<string, number>();
  let total = 0;
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        total += originalSize;
        if (total > mostBytes) throw tooLarge(mostBytes);
        if (PART.test(name)) sizes.set(name, originalSize);
        return /^xl\/([^/]+\.xml|_rels\/workbook\.xml\.rels)$/.test(name);
      },
    });
    const filled = filledParts(bytes, sizes, mostBytes);
    const book = partOf(parts, 'xl/workbook.xml');
    const related = tagsOf(partOf(parts, 'xl/_rels/workbook.xml.rels'), 'Relationship').map((tag) => ({
      id: attributeOf(tag, 'Id'),
      type: attributeOf(tag, 'Type')?.split('/').at(-1),
      file: (attributeOf(tag, 'Target') ?? '').replace(/^\/?(xl\/)?/, 'xl/'),
    }));
    const typed = (type: string) => partOf(parts, related.find((each) => each.type === type)?.file ?? '');
    return {
      sheets: tagsOf(book, 'sheet').map((tag) => ({
        name: unescaped(attributeOf(tag, 'name') ?? ''),
        file: related.find(({ id }) => id === attributeOf(tag, '\\w+:id'))?.file ?? '',
        hidden: /hidden/i.test(attributeOf(tag, 'state') ?? ''),
      })),
      active: Number(attributeOf(tagsOf(book, 'workbookView')[0] ?? '', 'activeTab') ?? 0),
      from1904: /^(1|true)$/.test(attributeOf(tagsOf(book, 'workbookPr')[0] ?? '', 'date1904') ?? ''),
      texts: sharedTexts(typed('sharedStrings')),
      codes: codesOf(typed('styles')),
      filled,
    };
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    const message = 'The file is not a workbook (.xlsx). Save it as .xlsx or as CSV UTF-8.';
    throw new UnreadableSheet('FORMAT', message);
  }
}

/** Comments and sections of characters, which would hide a part of a value. Spreadsheets write none. */
const HIDING = /<!(--|\[)/;
const TEXT = /<(\/?)(?:\w+:)?(si|t|rPh)\b([^>]*)>([^<]*)/g;

/** Each a rich text, without its pronunciation. */
function sharedTexts(xml: string): string[] {
  if (HIDING.test(xml)) throw damaged();
  const texts: string[] = [];
  let text = '';
  let isPhonetic = false;
  for (const [, closing, name, attributes = '', content = ''] of xml.matchAll(TEXT)) {
    const isEmpty = attributes.endsWith('/');
    if (name === 'rPh') isPhonetic = !closing && !isEmpty;
    else if (name === 't' && !closing && !isEmpty && !isPhonetic) text += written(content);
    else if (name === 'si' && (closing || isEmpty)) {
      texts.push(text);
      text = '';
    }
  }
  return texts;
}

/** A text as XML has it, with what workbooks write as `_x000D_`. */
const written = (text: string): string =>
  unescaped(text.replace(/\r\n?/g, '\n')).replace(/_x([0-9a-f]{4})_/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** The formats of cells: those of tables and conditions (`dxf`) have ids of their own. */
function codesOf(xml: string): string[] {
  const own = new Map(
    tagsOf(contentOfTag(xml, 'numFmts'), 'numFmt').map((tag) => [
      attributeOf(tag, 'numFmtId'),
      unescaped(attributeOf(tag, 'formatCode') ?? ''),
    ]),
  );
  return tagsOf(contentOfTag(xml, 'cellXfs'), 'xf').map((tag) => {
    const id = attributeOf(tag, 'numFmtId') ?? '';
    return formatCode(id, own.get(id));
  });
}

/**
 * The parts that have cells with a value. Refuses a workbook whose parts don't have the sizes that they declare: the end of a longer
 * one would be left out. They are counted while they are decompressed, and not kept.
 */
function filledParts(bytes: Uint8Array, sizes: ReadonlyMap<string, number>, mostBytes: number): Set<string> {
  const found = new Map<string, number>();
  const filled = new Set<string>();
  let total = 0;
  unzipInSteps(bytes, (name) => {
    if (!PART.test(name)) return undefined;
    found.set(name, 0);
    let end = '';
    return (part) => {
      if (!filled.has(name)) {
        const xml = end + strFromU8(part, true);
        end = xml.slice(-20);
        if (/<(\w+:)?(v|is)>/.test(xml)) filled.add(name);
      }
      total += part.length;
      if (total > mostBytes) throw tooLarge(mostBytes);
      found.set(name, (found.get(name) ?? 0) + part.length);
    };
  });
  const wrong = [...sizes].find(([name, size]) => found.get(name) !== size);
  if (!wrong) return filled;
  const message = `The workbook is damaged: ${wrong[0]} has another size than declared. Save it again.`;
  throw new UnreadableSheet('FORMAT', message);
}

/** @param reads what takes the bytes of a part; undefined if the part is not read */
function unzipInSteps(
  bytes: Uint8Array,
  reads: (name: string) => ((part: Uint8Array, isLast: boolean) => void) | undefined,
): void {
  const unzip = new Unzip((entry) => {
    const read = reads(entry.name);
    if (!read) return;
    entry.ondata = (error, part, isLast) => {
      if (error) throw error;
      read(part, isLast);
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += STEP)
      unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    throw damaged();
  }
}

const tooLarge = (mostBytes: number) =>
  new UnreadableSheet(
    'TOO_LARGE',
    `The workbook expands to more than ${mostBytes / 1_000_000} MB. Divide it into several files.`,
  );
/** What the library says is of no use to the reader. */
const damaged = () =>
  new UnreadableSheet(
    'FORMAT',
    "The workbook is damaged and can't be read. Open it in a spreadsheet and save it again.",
  );

const partOf = (parts: Record<string, Uint8Array>, name: string): string => {
  const part = parts[name];
  return part ? strFromU8(part) : '';
};
const tagsOf = (xml: string, name: string): string[] =>
  xml.match(new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>`, 'g')) ?? [];
const contentOfTag = (xml: string, name: string): string =>
  new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>([\\s\\S]*?)</(?:\\w+:)?${name}>`).exec(xml)?.[1] ?? '';
const patterns = new Map<string, RegExp>();
const attributeOf = (tag: string, name: string): string | undefined => {
  const pattern = patterns.get(name) ?? new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`);
  patterns.set(name, pattern);
  const found = pattern.exec(tag);
  return found?.[1] ?? found?.[2];
};
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
const unescaped = (text: string) =>
  text
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, code) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    )
    .replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);

/** The tags that are read, each with the text behind it. */
const TOKEN = /<(\/?)(?:\w+:)?(row|c|v|t|f|rPh|mergeCell|col)\b([^>]*)>([^<]*)/g;
const RANGE = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/;

/** A cell while it is read. */
interface Open {
  column: number;
  attributes: string;
  value: string;
  hasFormula: boolean;
}

/** The rows of a sheet, which is read in steps, and not kept. */
function contentOf(
  bytes: Uint8Array,
  file: string,
  texts: readonly string[],
  formats: readonly (NumberFormat | undefined)[],
  from1904: boolean,
): Content {
  const content: Content = {
    ...{ rows: [], merges: [], hiddenRows: new Set(), hiddenColumns: new Set(), marks: new Map() },
  };
  const { rows, merges, hiddenRows, hiddenColumns, marks } = content;
  const bound = boundary();
  const once = copies();
  let [line, width] = [0, 0];
  let row: SheetRow | undefined;
  let cell: Open | undefined;
  let isPhonetic = false;

  const mark = (code: Notice['code'], column: number, from: string, to?: string) => {
    const notices = marks.get(column) ?? [];
    marks.set(column, notices);
    addTo(notices, code, line, { from, ...(to !== undefined && { to }) });
  };
  const breakRow = (reason: string) => {
    if (row) row.broken ??= reason;
  };
  const numberOf = (text: string, { column, attributes }: Open): Cell => {
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    if (Number.isInteger(value) && Math.abs(value) >= 1e15) {
      const digits = /^-?\d+$/.test(text) ? text : BigInt(value).toString();
      mark('DAMAGED_NUMBERS', column, digits);
      return digits;
    }
    const format = formats[Number(attributeOf(attributes, 's') ?? 0)];
    if (!format) return Number(value.toPrecision(15));
    const { cell, text: shown, isDate } = format(value, from1904);
    if (isDate) mark('DATES', column, shown ?? '', String(cell));
    if (row && shown !== undefined && shown !== textOf(cell)) {
      row.shown ??= [];
      row.shown[column] = shown;
    }
    return cell;
  };
  const read = (open: Open): Cell => {
    const { attributes, value, hasFormula } = open;
    const type = attributeOf(attributes, 't') ?? 'n';
    if (type === 'e') breakRow('A formula of the row has an error instead of a value.');
    if (hasFormula && value === '' && type !== 'str')
      breakRow('A formula of the row has no value. Open the workbook in a spreadsheet and save it again.');
    if (value === '' || type === 'e') return '';
    if (type === 's') {
      const text = texts[Number(value)];
      if (text === undefined) throw damaged();
      return text;
    }
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return value.replace(/T00:00:00(\.0+)?Z?$/, '');
    return type === 'n' ? numberOf(value, open) : written(value);
  };
  const endCell = () => {
    const open = cell;
    cell = undefined;
    if (!open || !row) return;
    const value = read(open);
    if (value === '') return;
    if (typeof value === 'string' && value.includes('\uFFFD'))
      breakRow('A character was lost before the file was saved (\uFFFD).');
    while (row.cells.length < open.column) row.cells.push('');
    row.cells.push(once(value, open.column));
    width = Math.max(width, open.column + 1);
  };
  const endRow = () => {
    if (row && (row.cells.length > 0 || row.broken)) rows.push(row);
    row = undefined;
    if (rows.length <= LIMITS.workbookRows + 1) return;
    const message = `The sheet has more than ${LIMITS.workbookRows} rows. Save it as CSV UTF-8, which can have ${LIMITS.rows}, or divide it into several files.`;
    throw new UnreadableSheet('TOO_MANY_ROWS', message);
  };
  const starts: Record<string, (attributes: string, text: string) => void> = {
    row: (attributes) => {
      const number = attributeOf(attributes, 'r');
      bound(number);
      const next = Number(number ?? line + 1);
      if (next <= line) throw damaged();
      line = next;
      row = { line, cells: [] };
      last = -1;
      if (/^(1|true)$/.test(attributeOf(attributes, 'hidden') ?? '')) hiddenRows.add(line);
      if (attributes.endsWith('/')) endRow();
    },
    c: (attributes) => {
      const [, letters] = /^([A-Z]+)\d+$/.exec(attributeOf(attributes, 'r') ?? '') ?? [];
      bound(String(line), attributes.endsWith('/') ? '' : letters);
      const column = letters ? columnAt(letters) : last + 1;
      if (column <= last) throw damaged();
      last = column;
      cell = { column, attributes, value: '', hasFormula: false };
      if (attributes.endsWith('/')) endCell();
    },
    v: (_, text) => {
      if (cell) cell.value += text;
    },
    t: (_, text) => {
      if (cell && !isPhonetic) cell.value += text;
    },
    f: () => {
      if (cell) cell.hasFormula = true;
    },
    rPh: () => {
      isPhonetic = true;
    },
    mergeCell: (attributes) => {
      const [, from = '', top, to = '', bottom] = RANGE.exec(attributeOf(attributes, 'ref') ?? '') ?? [];
      if (top) merges.push({ lines: [Number(top), Number(bottom)], columns: [columnAt(from), columnAt(to)] });
    },
    col: (attributes) => {
      if (!/^(1|true)$/.test(attributeOf(attributes, 'hidden') ?? '')) return;
      const to = Math.min(Number(attributeOf(attributes, 'max')), SHEET.columns);
      for (let at = Number(attributeOf(attributes, 'min')); at <= to; at += 1) hiddenColumns.add(at - 1);
    },
  };
  const ends: Record<string, () => void> = {
    row: endRow,
    c: endCell,
    rPh: () => {
      isPhonetic = false;
    },
  };
  let last = -1;
  let rest = '';
  const decoder = new TextDecoder();
  const take = (part: Uint8Array, isLast: boolean) => {
    const xml = rest + decoder.decode(part, { stream: !isLast });
    const end = isLast ? xml.length : Math.max(xml.lastIndexOf('<'), 0);
    const complete = xml.slice(0, end);
    if (HIDING.test(complete)) throw damaged();
    for (const [, closing, name = '', attributes = '', text = ''] of complete.matchAll(TOKEN)) {
      if (closing) ends[name]?.();
      else starts[name]?.(attributes, attributes.endsWith('/') ? '' : text);
    }
    rest = xml.slice(end);
    if (rest.length > LONGEST_TEXT) throw damaged();
  };
  unzipInSteps(bytes, (name) => (name === file ? take : undefined));
  // What is shorter in the file is empty at the end.
  for (const { cells } of rows) while (cells.length < width) cells.push('');
  return content;
}

/** Refuses places that no spreadsheet has, and a table whose empty cells alone would fill the memory. */
function boundary(): (row?: string, letters?: string) => void {
  let [rows, columns] = [0, 0];
  return (row = '', letters = '') => {
    if (row.length > 7 || letters.length > 3) throw damaged();
    if (letters) {
      rows = Math.max(rows, Number(row));
      columns = Math.max(columns, columnAt(letters) + 1);
    }
    if (Number(row) <= SHEET.rows && columns <= SHEET.columns && rows * columns <= MOST_CELLS) return;
    const message = `The sheet has cells as far as row ${Math.max(rows, Number(row))} and column ${columns}. Delete empty rows and columns, and what is far away from the table.`;
    throw new UnreadableSheet('TOO_LARGE', message);
  };
}

/**
 * Copies texts, the repeated ones of a column once. A part of a text keeps the whole text in memory, which here is the XML of the sheet.
 */
function copies(): (cell: Cell, column: number) => Cell {
  const columns: Map<string, string>[] = [];
  return (cell, column) => {
    if (typeof cell === 'number') return cell;
    columns[column] ??= new Map();
    const known = columns[column];
    const before = known.get(cell);
    if (before !== undefined) return before;
    const copy = ` ${cell}`.slice(1);
    if (known.size < MOST_REPEATED) known.set(copy, copy);
    return copy;
  };
}

const columnAt = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
