import { type Problem, problem } from './problem';
import { type BodyBounds, type Collection, type OpenNames, Scan } from './scan';

export interface ReadJson {
  /** `undefined` if the body can't be parsed or exceeds a limit. */
  value?: unknown;
  problems: Problem[];
  /** The text without properties that were skipped, if there are any. */
  kept?: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A text, or the problem of bytes that are none. */
function textOf(bytes: Uint8Array): string | Problem {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return problem('', 'INVALID_JSON', 'must be UTF-8');
  }
  return /\S/.test(text) ? text : problem('', 'INVALID_JSON', 'must be JSON, but is empty');
}

/**
 * Parses a body within the limits. Problems of single values do not stop the validation of the others.
 *
 * @param known the properties of an object that permits others; those are skipped
 */
export function readJson(bytes: Uint8Array, bounds: BodyBounds, known?: OpenNames): ReadJson {
  const text = textOf(bytes);
  if (typeof text !== 'string') return { problems: [text] };
  const { problems, isFatal, kept } = new Scan(text, bounds, known);
  if (isFatal) return { problems };
  return { value: JSON.parse(kept), problems, ...(kept !== text && { kept }) };
}

/** Rows of a batch: an array, or rows that are parsed when they are read. */
export type Rows = Iterable<unknown> & { readonly length: number; at(index: number): unknown };

/** A batch whose rows are parsed one at a time, so that its objects are never in memory together. */
export interface ReadBatch {
  problems: Problem[];
  /** The body with an empty collection; `undefined` if the body can't be parsed or exceeds a limit. */
  body?: unknown;
  /** At most one more than wanted. */
  rows: Rows;
}

/** @param adapt changes each row after it was parsed */
export function readBatch(
  bytes: Uint8Array,
  bounds: BodyBounds,
  collection: Collection,
  adapt: (row: unknown) => unknown,
): ReadBatch {
  const text = textOf(bytes);
  if (typeof text !== 'string') return { problems: [text], rows: [] };
  const { problems, isFatal, rows, within } = new Scan(text, bounds, undefined, collection);
  if (isFatal) return { problems, rows: [] };
  const at = (index: number) => {
    const row = rows[index];
    return row && adapt(JSON.parse(text.slice(row.begin, row.end)));
  };
  return {
    problems,
    body: JSON.parse(within ? text.slice(0, within.begin) + text.slice(within.end) : text),
    rows: {
      length: rows.length,
      at,
      *[Symbol.iterator]() {
        for (let index = 0; index < rows.length; index++) yield at(index);
      },
    },
  };
}
