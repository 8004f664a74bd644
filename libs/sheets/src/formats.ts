import { UnreadableSheet } from './sheet';

const startsWith = (bytes: Uint8Array, start: string) =>
  [...start].every((letter, at) => bytes[at] === letter.charCodeAt(0));
const includes = (bytes: Uint8Array, text: string) => {
  const end = bytes.length - text.length;
  const first = text.charCodeAt(0);
  for (let at = bytes.indexOf(first); at >= 0 && at <= end; at = bytes.indexOf(first, at + 1))
    if (startsWith(bytes.subarray(at), text)) return true;
  return false;
};
/** Names in old workbooks and in those with a password are in UTF-16. */
const wide = (text: string) => [...text].map((letter) => `${letter}\0`).join('');

const OLE = '\xd0\xcf\x11\xe0';
const ZIP = 'PK\x03\x04';
const COPY = 'Copy its table into a spreadsheet, and save that as .xlsx';
const ASK = 'Ask for the list as .xlsx or CSV';
const UNPACK = 'Unpack it, and choose the table in it';
/** Files that are no tables, by their start and by a part of them, and what to do. */
const BINARY: [start: string, what: string, part?: string][] = [
  [OLE, 'a workbook with a password. Save it as .xlsx without a password', wide('EncryptedPackage')],
  [OLE, 'an old workbook (.xls). Save it as .xlsx'],
  [ZIP, 'an OpenDocument file (.ods). Save it as .xlsx or as CSV UTF-8', 'vnd.oasis.opendocument'],
  [ZIP, 'a binary workbook (.xlsb). Save it as .xlsx', 'xl/workbook.bin'],
  [ZIP, 'a document of Numbers. Export it as .xlsx or as CSV UTF-8', 'Index/Document.iwa'],
  [ZIP, `a text document (.docx). ${COPY}`, 'word/document.xml'],
  ['%PDF', `a PDF. ${ASK}, or copy its table into a spreadsheet and check every row`],
  ['{\\rtf', `a text document (.rtf). ${COPY}`],
  ['\x89PNG', `a picture. ${ASK}`],
  ['\xff\xd8\xff', `a picture. ${ASK}`],
  [ZIP, `an archive, and no workbook (.xlsx). ${UNPACK}`],
  ['Rar!', `an archive (.rar). ${UNPACK}`],
  ['7z\xbc\xaf', `an archive (.7z). ${UNPACK}`],
];
const TEXTS: [RegExp, string][] = [
  [
    /^\s*<(!doctype\s+html|html|table)\b/i,
    'a web page (HTML). Open it in a spreadsheet, and save it as .xlsx',
  ],
  [
    /^\s*<(\?xml|[a-z][\w:.-]*[\s>])/i,
    'XML. Export the list from its program as .xlsx or CSV, or open it in a spreadsheet and save it as .xlsx',
  ],
  [/^A1\d{2}.{100,}\r?\n/, 'Hy-Tek entries (.hy3). Export the entries from the program as CSV or .xlsx'],
  [/^A01?V?\d.{100,}\r?\n/, 'swimming entries (SDIF). Export the entries from the program as CSV or .xlsx'],
  [/^\s*[[{]\s*["{\]}]/, 'JSON. Save a list of records as JSON Lines (.jsonl), or export it as CSV or .xlsx'],
];

const refused = (what: string) => new UnreadableSheet('FORMAT', `The file is ${what}.`);

/** @throws UnreadableSheet that names the format */
export function requireTable(bytes: Uint8Array): void {
  if (startsWith(bytes, 'PK') && includes(bytes, 'xl/workbook.xml')) return;
  const found = BINARY.find(
    ([start, , part]) => startsWith(bytes, start) && (!part || includes(bytes, part)),
  );
  if (found) throw refused(found[1]);
}

/** Lines from which columns of a fixed width are recognised. */
const SAMPLE = 50;

/** @throws UnreadableSheet if a text is in another format, or has columns of a fixed width */
export function requireColumns(text: string, delimiter?: string): void {
  const start = text.slice(0, 4_000);
  const found = TEXTS.find(([pattern]) => pattern.test(start));
  if (found) throw refused(found[1]);
  const lines = text.slice(0, 50_000).split(/\r\n|\n|\r/, SAMPLE);
  const filled = lines.filter((line) => line.trim() !== '');
  const isWide = (line: string) => /\S {2,}\S/.test(line) && !/[,;\t|]/.test(line);
  if (delimiter || filled.length < 2 || filled.filter(isWide).length < filled.length * 0.8) return;
  throw refused(
    'a list with columns of a fixed width. Open it in a spreadsheet (text import, fixed width), and save it as .xlsx',
  );
}
