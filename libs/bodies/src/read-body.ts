import { checkRows, inRows, rowsOf } from './batch';
import { few } from './problem';
import { type ReadJson, readJson } from './read-json';
import type { BodyBounds } from './scan';
import { schemas } from './schemas';

/** A body that is checked by a schema of the OpenAPI document. */
export interface OrdinaryBody {
  /** The schema's name. */
  schema: string;
  /** It may also be an array of up to so many. */
  orArrayOf?: number;
}

/** Parses and checks a body. Its value is only to be used where there are no problems. */
export function readBody(
  { schema, orArrayOf }: OrdinaryBody,
  bytes: Uint8Array,
  bounds: BodyBounds,
): ReadJson {
  const { value, problems } = readJson(bytes, bounds);
  if (value === undefined) return { problems };
  if (!orArrayOf || !Array.isArray(value)) {
    return { value, problems: few([...problems, ...schemas().problemsOf(schema, value)]) };
  }
  const batch = { schema, most: orArrayOf };
  const found = rowsOf(value, batch);
  const more = 'problems' in found ? found.problems : checkRows(found.rows, batch);
  return { value, problems: few([...inRows(problems, value, batch), ...more]) };
}
