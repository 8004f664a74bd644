import { type Problem, problem } from './problem';
import { type BodyBounds, Scan } from './scan';

export interface ReadJson {
  /** `undefined` if the body can't be parsed or exceeds a limit. */
  value?: unknown;
  problems: Problem[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body within the limits. Problems of single values do not stop the validation of the others. */
export function readJson(bytes: Uint8Array, bounds: BodyBounds): ReadJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { problems: [problem('', 'INVALID_JSON', 'must be UTF-8')] };
  }
  if (!/\S/.test(text)) return { problems: [problem('', 'INVALID_JSON', 'must be JSON, but is empty')] };
  const { problems, isFatal } = new Scan(text, bounds);
  return isFatal ? { problems } : { value: JSON.parse(text), problems };
}
