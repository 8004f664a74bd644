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

/** Escapes values that spreadsheets would interpret as a formula with a leading apostrophe. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

const cell = (value: string): string => {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** CSV according to RFC 4180, with all columns of any row, in order of first use. */
export function csvOf(rows: Record<string, string>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}
