import { checkRows, inRows, rowsOf } from './batch';
import { few } from './problem';
import { type ReadJson, readJson } from './read-json';
import type { BodyBounds } from './scan';
import { schemas } from './schemas';
import { trimProperties } from './values/trim-properties';

/** A body that is checked by a schema of the OpenAPI document. */
export interface OrdinaryBody {
  /** The schema's name. */
  schema: string;
  /** If set, the body can also be an array of up to this many items. */
  orArrayOf?: number;
}

/** Parses and validates a body. Use the value only if there are no problems. Compared texts are trimmed. */
export function readBody(
  { schema, orArrayOf }: OrdinaryBody,
  bytes: Uint8Array,
  bounds: BodyBounds,
): ReadJson {
  const { value, problems, kept } = readJson(bytes, bounds, schemas().openNames(schema));
  if (value === undefined) return { problems };
  trimProperties(value);
  if (!orArrayOf || !Array.isArray(value)) {
    return { value, kept, problems: few([...problems, ...schemas().problemsOf(schema, value)]) };
  }
  const batch = { schema, most: orArrayOf };
  const found = rowsOf(value, batch);
  const more = 'problems' in found ? found.problems : checkRows(found.rows, batch);
  return { value, kept, problems: few([...inRows(problems, value, batch), ...more]) };
}
