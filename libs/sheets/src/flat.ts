const KEY = /^[^.:\s](?:[^.:]*[^.:\s])?$/;
const SEPARATED = /[;|]|^\s|\s$|^\[/;
type Json = Record<string, unknown>;

/**
 * An import row as columns such as `participants[0].email`, which `planOf` reads again without loss. Lists are joined with semicolons;
 * what is neither text nor a list of texts is JSON. An invalid row can have any shape. Without what it says of itself (`unread`).
 */
export function flat({ unread: _, ...row }: Json): Record<string, string> {
  const cells: Record<string, string> = {};
  const add = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) list(value, path);
    else if (typeof value !== 'object') cells[path] = String(value);
    else if (/^(metadata|tracking)$/.test(path)) free(value as Json, path);
    else for (const [name, inner] of Object.entries(value)) add(inner, path ? `${path}.${name}` : name);
  };
  const list = (items: unknown[], path: string): void => {
    if (path === 'participants') for (const [i, item] of items.entries()) add(item, `participants[${i}]`);
    else if (path.endsWith('.fields')) answers(items as (Json | null)[], path);
    else if (items.every((item) => typeof item === 'string' && !SEPARATED.test(item)))
      cells[path] = items.join('; ');
    else cells[path] = JSON.stringify(items);
  };
  const answers = (items: (Json | null)[], path: string): void => {
    for (const item of items) put(item?.value, `${path}.${item?.id ?? item?.key}`);
  };
  const free = (values: Json, path: string): void => {
    const names = Object.keys(values);
    if (names.every((name) => KEY.test(name))) for (const name of names) put(values[name], `${path}.${name}`);
    else cells[`${path}:json`] = JSON.stringify(values);
  };
  const put = (value: unknown, path: string): void => {
    if (typeof value === 'string' && value !== '') cells[path] = value;
    else if (value !== undefined) cells[`${path}:json`] = JSON.stringify(value);
  };
  add(row, '');
  return cells;
}
