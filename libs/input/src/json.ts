/** What was sent is not JSON; the message says where it breaks. */
export class NotJson extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws NotJson for what is not JSON in UTF-8 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new NotJson('The body must be UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NotJson(
      text.trim() === ''
        ? 'The body must be JSON, and is empty'
        : `The body must be JSON: it breaks at ${placeOf(error.message)}`,
    );
  }
}

/** The engine names a position, or the character; the text around it is nobody's business. */
function placeOf(message: string): string {
  const position = /position \d+/.exec(message)?.[0];
  if (position) return position;
  const token = /^Unexpected token '(.*?)', /su.exec(message)?.[1];
  return token ? `the character ${token}` : 'its end';
}

/** Nobody's data is nested so deep; somebody's attack may be. */
const DEEPEST = 64;

/** What is in the value that PostgreSQL can't keep, NUL characters and lone surrogates, in words; or undefined. */
export function unstorable(value: unknown, path = '', depth = 0): string | undefined {
  const broken = (text: string) => text.includes('\0') || !text.isWellFormed();
  if (typeof value === 'string') {
    return broken(value) ? `${path || 'The body'} must not hold NUL or broken characters` : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST) return `The body must not be nested deeper than ${DEEPEST} levels`;
  for (const [key, member] of Object.entries(value)) {
    if (broken(key)) return 'Property names must not hold NUL or broken characters';
    const name = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    const problem = unstorable(member, name, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
