import { strToU8, zipSync } from 'fflate';

/** A cell of a workbook: text, number, or a day as a spreadsheet keeps it. */
export type WorkbookCell = string | number | { day: string } | { error: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '_x000D_');

const letters = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : letters(Math.floor(at / 26) - 1) + letters(at % 26);

function cellOf(cell: WorkbookCell, place: string): string {
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') {
    const text = `<is><t xml:space="preserve">${escaped(cell)}</t></is>`;
    return cell === '' ? '' : `<c r="${place}" t="inlineStr">${text}</c>`;
  }
  if ('error' in cell) return `<c r="${place}" t="e"><v>${cell.error}</v></c>`;
  const days = (Date.parse(`${cell.day}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return `<c r="${place}" s="1"><v>${days}</v></c>`;
}

/**
 * The bytes of a workbook with one sheet for each table.
 *
 * @param edit changes the rows' XML of a sheet
 */
export function workbook(
  tables: Record<string, WorkbookCell[][]>,
  edit = (rows: string): string => rows,
): Uint8Array {
  const names = Object.keys(tables);
  const sheet = (rows: WorkbookCell[][]) =>
    rows
      .map(
        (cells, i) =>
          `<row r="${i + 1}">${cells.map((cell, at) => cellOf(cell, `${letters(at)}${i + 1}`)).join('')}</row>`,
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
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(tables).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${edit(sheet(rows))}</sheetData></worksheet>`,
      ]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(HEAD + xml)])));
}
