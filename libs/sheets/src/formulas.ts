/**
 * What a spreadsheet would evaluate as a formula, also behind a character that separates cells where commas do not. Each gets one
 * apostrophe more before it when we write a file, and loses one when we read a file of ours.
 */
const FORMULA = /(^|[;|\t\r\n\u0085\u2028\u2029])([ "]*)('*[=+\-@＝＋－＠])/g;
const BLANK_START = /^('*[\t\r\n])/;
const WRITTEN_FORMULA = /(^|[;|\t\r\n\u0085\u2028\u2029])([ "]*)'('*[=+\-@＝＋－＠])/g;
const WRITTEN_BLANK = /^'('*[\t\r\n])/;
/** A negative number is safe, and stays a number in a spreadsheet, also with a decimal comma. */
const NEGATIVE = /^-\d{1,15}([.,]\d{1,6})?$/;

/** The name of the column that marks a file as ours. It survives that a spreadsheet saves the file. */
export const MARK = '#startline';

export const safe = (text: string): string =>
  NEGATIVE.test(text) ? text : text.replace(FORMULA, "$1$2'$3").replace(BLANK_START, "'$1");

/** The inverse of `safe`. */
export const unsafe = (text: string): string =>
  text.replace(WRITTEN_BLANK, '$1').replace(WRITTEN_FORMULA, '$1$2$3');

const quoted = (text: string, delimiter: string): string =>
  /["\r\n;,\t]|^\s|\s$/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;

/** A line of a file that we write, according to RFC 4180. */
export const lineOf = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map((cell) => quoted(safe(cell), delimiter)).join(delimiter)}\r\n`;
