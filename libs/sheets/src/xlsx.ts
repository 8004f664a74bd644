import { strFromU8, Unzip, UnzipInflate, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { type Cell, LIMITS, type SheetRow, UnreadableSheet } from './sheet';

/** Bytes of the file that are decompressed at a time. */
const STEP = 65_536;
/** The different texts of a column that are kept to find repeated ones. */
const MOST_REPEATED = 1_000;
/** The most rows and columns of a sheet. */
const SHEET = { rows: 1_048_576, columns: 16_384 };
/** Of the table, with the empty ones. */
const MOST_CELLS = (LIMITS.workbookRows + 1) * LIMITS.columns;
/** The parts of a workbook that are read. */
const PART = /\.(xml|rels)$/;
/** Built-in formats of percentages. */
const PERCENT_FORMATS = ['9', '10'];

/** What a cell shows in another way than its value. */
type Shown =
  | { kind: 'error' }
  | { kind: 'padded'; width: number }
  | { kind: 'percent' }
  | { kind: 'money'; sign: string };

/**
 * Reads one sheet of a workbook. Formulas have the value that the spreadsheet computed last. A number is read as the cell shows it:
 * with leading zeros, a percent sign or the sign of a currency.
 *
 * @throws UnreadableSheet
 */
export async function parseXlsx(
  bytes: Uint8Array,
  wanted?: string | number,
  mostBytes: number = LIMITS.contentBytes,
): Promise<{ rows: SheetRow[]; sheets: string[]; sheet: string }> {
  const { sheets, styles } = describedBy(bytes, mostBytes);
  const at =
    typeof wanted === 'number'
      ? wanted - 1
      : wanted === undefined
        ? 0
        : sheets.findIndex(({ name }) => name === wanted);
  const chosen = sheets[at];
  if (!chosen) {
    const names = sheets.map(({ name }) => `"${name}"`).join(', ');
    throw new UnreadableSheet('SHEET', `The workbook has no sheet "${wanted}". Its sheets are ${names}.`);
  }
  const shown = shownIn(bytes, chosen.file, styles);
  const buffer = bytes.slice().buffer;
  let data: unknown[][];
  try {
    data = (await readSheet(buffer, at + 1, { trim: false })) as unknown[][];
  } catch {
    throw damaged();
  }
  const once = copies();
  const rows = data.map((values, i): SheetRow => {
    const line = i + 1;
    const cells = values.map((value, column) => once(cellOf(value, shown.get(`${line}/${column}`)), column));
    const isError = values.some((_, column) => shown.get(`${line}/${column}`)?.kind === 'error');
    const broken = isError
      ? 'A formula of the row has an error instead of a value.'
      : cells.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'))
        ? 'A character was lost before the file was saved (\uFFFD).'
        : undefined;
    // What was copied is not kept twice.
    data[i] = [];
    return { line, cells, ...(broken && { broken }) };
  });
  return { rows, sheets: sheets.map(({ name }) => name), sheet: chosen.name };
}

function cellOf(value: unknown, shown: Shown | undefined): Cell {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'number') return String(value);
  const number = Number(value.toPrecision(15));
  if (shown?.kind === 'padded' && Number.isInteger(number) && number >= 0)
    return String(number).padStart(shown.width, '0');
  if (shown?.kind === 'percent') return `${Number((number * 100).toPrecision(15))} %`;
  if (shown?.kind === 'money' && Number(number.toFixed(2)) === number)
    return `${number.toFixed(2)} ${shown.sign}`;
  return number;
}

/** A date of a spreadsheet has no zone; the library returns it as if it were UTC. Times without a date are on the day 0. */
function dateText(date: Date): string {
  const text = new Date(Math.round(date.getTime() / 1_000) * 1_000).toISOString();
  const [day = '', time = ''] = text.slice(0, 19).split('T');
  if (day < '1900-01-01') return time;
  return time === '00:00:00' ? day : `${day}T${time}`;
}

/** What the workbook says about its sheets and styles. */
function describedBy(
  bytes: Uint8Array,
  mostBytes: number,
): { sheets: NamedSheet[]; styles: (Shown | undefined)[] } {
  const sizes = new Map<string, number>();
  let total = 0;
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        total += originalSize;
        if (total > mostBytes) throw tooLarge(mostBytes);
        if (PART.test(name)) sizes.set(name, originalSize);
        return /^xl\/(workbook|styles)\.xml$|^xl\/_rels\/workbook\.xml\.rels$/.test(name);
      },
    });
    requireSizes(bytes, sizes, mostBytes);
    return { sheets: sheetsOf(parts), styles: stylesOf(partOf(parts, 'xl/styles.xml')) };
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    throw new UnreadableSheet(
      'FORMAT',
      'The file is not a workbook (.xlsx). Save it as .xlsx or as CSV UTF-8.',
    );
  }
}

/**
 * Refuses a workbook whose parts don't have the sizes that they declare: the end of a longer one would be left out. They are counted
 * while they are decompressed, and not kept.
 */
function requireSizes(bytes: Uint8Array, sizes: ReadonlyMap<string, number>, mostBytes: number): void {
  const found = new Map<string, number>();
  let total = 0;
  unzipInSteps(bytes, (name) => {
    if (!PART.test(name)) return undefined;
    found.set(name, 0);
    return (part) => {
      total += part.length;
      if (total > mostBytes) throw tooLarge(mostBytes);
      found.set(name, (found.get(name) ?? 0) + part.length);
    };
  });
  const wrong = [...sizes].find(([name, size]) => found.get(name) !== size);
  if (!wrong) return;
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
const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
const unescaped = (text: string) =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);

interface NamedSheet {
  name: string;
  file: string;
}

function sheetsOf(parts: Record<string, Uint8Array>): NamedSheet[] {
  const targets = new Map(
    tagsOf(partOf(parts, 'xl/_rels/workbook.xml.rels'), 'Relationship').map((tag) => [
      attributeOf(tag, 'Id'),
      (attributeOf(tag, 'Target') ?? '').replace(/^\/?(xl\/)?/, 'xl/'),
    ]),
  );
  return tagsOf(partOf(parts, 'xl/workbook.xml'), 'sheet').map((tag) => ({
    name: unescaped(attributeOf(tag, 'name') ?? ''),
    file: targets.get(attributeOf(tag, 'r:id') ?? attributeOf(tag, '\\w+:id')) ?? '',
  }));
}

/** The cells that show something else than their value, by row and column. The sheet is read in steps, and not kept. */
function shownIn(bytes: Uint8Array, file: string, styles: (Shown | undefined)[]): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  const decoder = new TextDecoder();
  let rest = '';
  const count = rowCounter();
  const bound = boundary();
  const read = (part: Uint8Array, isLast: boolean) => {
    const xml = rest + decoder.decode(part, { stream: !isLast });
    const end = isLast ? xml.length : xml.lastIndexOf('<');
    const complete = xml.slice(0, Math.max(end, 0));
    count(complete);
    for (const [, name, attributes = ''] of complete.matchAll(/<(?:\w+:)?(row|c)\b([^>]*)>/g)) {
      if (name === 'row') {
        bound(attributeOf(attributes, 'r'));
        continue;
      }
      const found =
        attributeOf(attributes, 't') === 'e'
          ? ({ kind: 'error' } as const)
          : styles[Number(attributeOf(attributes, 's') ?? -1)];
      const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(attributeOf(attributes, 'r') ?? '') ?? [];
      bound(row, attributes.endsWith('/') ? '' : letters);
      if (found && letters) shown.set(`${row}/${columnAt(letters)}`, found);
    }
    rest = xml.slice(Math.max(end, 0));
  };
  unzipInSteps(bytes, (name) => (name === file ? read : undefined));
  return shown;
}

/** Refuses a sheet with too many rows that have a value, the header among them, before it is read. */
function rowCounter(): (xml: string) => void {
  let rows = 0;
  let isEmpty = false;
  return (xml) => {
    for (const [, name] of xml.matchAll(/<(?:\w+:)?(row|v|is)\b/g)) {
      if (name !== 'row' && isEmpty) rows += 1;
      isEmpty = name === 'row';
    }
    if (rows <= LIMITS.workbookRows + 1) return;
    const message = `The sheet has more than ${LIMITS.workbookRows} rows. Save it as CSV UTF-8, which can have ${LIMITS.rows}, or divide it into several files.`;
    throw new UnreadableSheet('TOO_MANY_ROWS', message);
  };
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

function stylesOf(xml: string): (Shown | undefined)[] {
  const formats = new Map(
    tagsOf(xml, 'numFmt').map((tag) => [
      attributeOf(tag, 'numFmtId'),
      unescaped(attributeOf(tag, 'formatCode') ?? ''),
    ]),
  );
  const [, used = ''] = /<(?:\w+:)?cellXfs\b[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml) ?? [];
  return tagsOf(used, 'xf').map((tag) => {
    const id = attributeOf(tag, 'numFmtId');
    const code = (formats.get(id) ?? '').split(';')[0] ?? '';
    if (/^0{2,}$/.test(code)) return { kind: 'padded', width: code.length };
    if (PERCENT_FORMATS.includes(id ?? '') || code.includes('%')) return { kind: 'percent' };
    const sign = /[€£$₹₱]/.exec(code)?.[0] ?? /"(EUR|GBP|USD|AUD|CAD|DKK|INR|MXN|PHP)"/.exec(code)?.[1];
    return sign && /[0#]/.test(code) && !/\[\$-/.test(code) ? { kind: 'money', sign } : undefined;
  });
}
