import { type Problem, problem } from './problem';
import { type BodyBounds, Scan } from './scan';

export interface ReadJson {
  /** Undefined where the body could not be parsed, or must not be. */
  value?: unknown;
  problems: Problem[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body that stays within the bounds. Problems of single values leave the rest to be checked too. */
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
