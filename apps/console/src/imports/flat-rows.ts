/** A row as columns such as `participants[0].email`. Values that are not scalar are JSON. */
export function flat(row: unknown, path = ''): Record<string, string> {
  if (row === null || row === undefined) return {};
  if (Array.isArray(row)) {
    if (row.every((item) => typeof item === 'string')) return { [path]: row.join('; ') };
    if (path === 'participants')
      return Object.assign({}, ...row.map((item, i) => flat(item, `${path}[${i}]`)));
    return { [path]: JSON.stringify(row) };
  }
  if (typeof row === 'object') {
    const properties = Object.entries(row);
    return Object.assign(
      {},
      ...properties.map(([name, value]) => flat(value, path ? `${path}.${name}` : name)),
    );
  }
  return { [path]: String(row) };
}

/**
 * What a spreadsheet would evaluate as a formula, also behind a character that separates cells where commas do not. Each gets one
 * apostrophe more before it.
 */
const FORMULA = /(^|[;|\t\r\n])([ "]*)('*[=+\-@＝＋－＠])/g;
const BLANK_START = /^('*[\t\r\n])/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

const cell = (value: string): string => {
  const safe = NUMBER.test(value) ? value : value.replace(FORMULA, "$1$2'$3").replace(BLANK_START, "'$1");
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** CSV according to RFC 4180, with all columns of any row, in order of first use. */
export function csvOf(rows: Record<string, string>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}
