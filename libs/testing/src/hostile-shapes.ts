/** Repeats an item, each with its number, up to about that length. */
function filled(open: string, item: (index: number) => string, close: string, bytes: number): string {
  const parts: string[] = [];
  let length = open.length + close.length;
  for (let i = 0; length < bytes; i++) {
    const part = i === 0 ? item(i) : `,${item(i)}`;
    parts.push(part);
    length += part.length;
  }
  return open + parts.join('') + close;
}

const nested = (open: string, close: string, bytes: number): string => {
  const levels = Math.floor(bytes / (open.length + close.length));
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
};

const text = (piece: string, bytes: number): string => `"${piece.repeat(Math.floor(bytes / piece.length))}"`;

/** JSON values of about that many bytes, by shape; a comment says what each shape could slow down. */
export const HOSTILE_SHAPES: Record<string, (bytes: number) => string> = {
  // Anything that is quadratic in the number of properties of an object.
  'wide, numbered names': (bytes) => filled('{', (i) => `"${i}":1`, '}', bytes),
  'wide, different names': (bytes) => filled('{', (i) => `"k${i}":1`, '}', bytes),
  'wide, long names': (bytes) => filled('{', (i) => `"${'k'.repeat(500)}${i}":1`, '}', bytes),
  'one repeated name': (bytes) => filled('{', () => '"a":1', '}', bytes),
  'one name in other spellings': (bytes) =>
    filled('{', (i) => `"\\u00${(0x61 + (i % 5)).toString(16)}":1`, '}', bytes),
  // Work per element.
  'many numbers': (bytes) => filled('[', () => '0', ']', bytes),
  'many empty objects': (bytes) => filled('[', () => '{}', ']', bytes),
  'many empty arrays': (bytes) => filled('[', () => '[]', ']', bytes),
  'many empty texts': (bytes) => filled('[', () => '""', ']', bytes),
  'many nulls': (bytes) => filled('[', () => 'null', ']', bytes),
  'many objects with different names': (bytes) => filled('[', (i) => `{"a${i}":1}`, ']', bytes),
  'many objects of many names': (bytes) =>
    filled('[', () => filled('{', (i) => `"n${i}":${i}`, '}', 10_000), ']', bytes),
  // Objects that can't become texts.
  'many objects without a text': (bytes) => filled('[', () => '{"toString":1}', ']', bytes),
  // Recursion.
  'deep arrays': (bytes) => nested('[', ']', bytes),
  'deep objects': (bytes) => nested('{"a":', '}', bytes),
  'deep arrays, many times': (bytes) => filled('[', () => nested('[', ']', 100), ']', bytes),
  // Patterns and copies.
  'long text': (bytes) => text('a', bytes),
  'long blanks': (bytes) => text(' ', bytes),
  'long text of escapes': (bytes) => text('\\u00e9', bytes),
  'long text of NUL': (bytes) => text('\\u0000', bytes),
  'long text of unpaired surrogates': (bytes) => text('\\ud83c', bytes),
  'long text of backslashes': (bytes) => text('\\\\', bytes),
  'long text that looks like an address': (bytes) => `"a@${'a.'.repeat(bytes / 2)}"`,
  // Numbers that parsers read differently, or that are slow to read or render.
  'many huge numbers': (bytes) => filled('[', () => '1e131071', ']', bytes),
  'many numbers that render long': (bytes) => filled('[', () => '1e39', ']', bytes),
  'many inexact numbers': (bytes) => filled('[', () => '12345678901234567890', ']', bytes),
  'a number with many digits': (bytes) => '7'.repeat(bytes),
  'a fraction with many digits': (bytes) => `0.${'7'.repeat(bytes)}`,
  'a number with a long exponent': (bytes) => `1e${'9'.repeat(bytes)}`,
  // Invalid JSON at the very end.
  'white space': (bytes) => `${' '.repeat(bytes)}x`,
  'unclosed arrays': (bytes) => '['.repeat(bytes),
  'an unclosed string': (bytes) => `"${'a'.repeat(bytes)}`,
};

/** The paths to all values of an example, including the root. */
export function placesIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, part]) => placesIn(part, [...path, key]))];
}

/** The example as JSON, with the text in place of one of its values. */
export function withJsonAt(example: unknown, path: (string | number)[], json: string): string {
  const holder = { body: structuredClone(example) } as Record<string | number, unknown>;
  const keys = ['body', ...path];
  const last = keys.pop() as string | number;
  const parent = keys.reduce((part, key) => part[key] as Record<string | number, unknown>, holder);
  parent[last] = 'HERE';
  return JSON.stringify(holder.body).replace('"HERE"', () => json);
}
