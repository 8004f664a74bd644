import { type Problem, problem } from './problem';
import { type BodyBounds, type OpenNames, Scan } from './scan';

export interface ReadJson {
  /** `undefined` if the body can't be parsed or exceeds a limit. */
  value?: unknown;
  problems: Problem[];
  /** The text without properties that were skipped, if there are any. */
  kept?: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body within the limits. Problems of single values do not stop the validation of the others.
 *
 * @param known the properties of an object that permits others; those are skipped
 */
export function readJson(bytes: Uint8Array, bounds: BodyBounds, known?: OpenNames): ReadJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problems: [problem('', 'INVALID_JSON', 'must be UTF-8')] };
  }
  if (!/\S/.test(text)) return { problems: [problem('', 'INVALID_JSON', 'must be JSON, but is empty')] };
  const { problems, isFatal, kept } = new Scan(text, bounds, known);
  if (isFatal) return { problems };
  return { value: JSON.parse(kept), problems, ...(kept !== text && { kept }) };
}
