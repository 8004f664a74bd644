import type { ApiRequest } from '../request';

/** The names of the path parameters that are ids. The others are external ids, which can be any text. */
export function ownIdsOf({ operation, params, query }: ApiRequest): string[] {
  const { foreignIds = [], foreignIdsWith } = operation ?? {};
  const foreign = !foreignIdsWith || query[foreignIdsWith] !== undefined ? foreignIds : [];
  return Object.keys(params).filter((name) => !foreign.includes(name));
}
