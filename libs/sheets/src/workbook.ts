import { strToU8, zipSync } from 'fflate';

/** A cell of a workbook: text, number, a day such as `1990-04-12`, a local time such as `1990-04-12T09:30`, or an error such as `#N/A`. */
export type WorkbookCell = string | number | { day: string } | { time: string } | { error: string };

export interface WorkbookOptions {
  /** Whether the first row stays in sight, in bold. */
  header?: boolean;
  /** Changes the rows' XML of a sheet. */
  edit?(rows: string): string;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** XML has no control characters, and would change the ends of lines; spreadsheets write them as `_x000D_`. */
const UNWRITABLE = /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu;
const ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)/g;
const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

const escaped = (text: string) =>
  text
    .replace(ESCAPED, '_x005F_')
    .replace(UNWRITABLE, (character) => `_x${hex(character)}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);

/** The formats of cells by their places: general, a day and a time as the reader's settings show them, and bold. */
const STYLES = { day: 1, time: 2, bold: 3 };
const STYLE_SHEET =
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/>' +
  '<xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>';
const COLUMN_WIDTH = 18;

function cellOf(cell: WorkbookCell, place: string, isBold: boolean): string {
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    const text = `<is><t xml:space="preserve">${escaped(cell)}</t></is>`;
    const style = isBold ? ` s="${STYLES.bold}"` : '';
    return cell === '' ? '' : `<c r="${place}"${style} t="inlineStr">${text}</c>`;
  }
  if ('error' in cell) return `<c r="${place}" t="e"><v>${cell.error}</v></c>`;
  const [at, style] = 'day' in cell ? [`${cell.day}T00:00Z`, STYLES.day] : [`${cell.time}Z`, STYLES.time];
  const days = (Date.parse(at) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return `<c r="${place}" s="${style}"><v>${days}</v></c>`;
}

/** With the first row in sight, and columns that are wide enough for most texts. */
const viewOf = ([head = []]: WorkbookCell[][]) =>
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  `</sheetView></sheetViews><cols><col min="1" max="${Math.max(head.length, 1)}" width="${COLUMN_WIDTH}" customWidth="1"/></cols>`;

/** The bytes of a workbook (ECMA-376) with one sheet for each table. Its cells are never formulas. */
export function workbook(
  tables: Record<string, WorkbookCell[][]>,
  { header = false, edit = (rows) => rows }: WorkbookOptions = {},
): Uint8Array {
  const names = Object.keys(tables);
  const sheet = (rows: WorkbookCell[][]) =>
    rows
      .map(
        (cells, i) =>
          `<row r="${i + 1}">${cells.map((cell, at) => cellOf(cell, `${letters(at)}${i + 1}`, header && i === 0)).join('')}</row>`,
      )
      .join('');
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${CONTENT}.${type}+xml"/>`;
  const related = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook', 'sheet.main')}${override('styles', 'styles')}${names.map((_, i) => override(`worksheets/sheet${i + 1}`, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${related(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${names.map((_, i) => related(i + 1, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('')}${related(names.length + 1, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': STYLE_SHEET,
    ...Object.fromEntries(
      Object.values(tables).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet xmlns="${MAIN}">${header ? viewOf(rows) : ''}<sheetData>${edit(sheet(rows))}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(HEAD + xml)])));
}
