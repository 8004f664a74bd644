import { NIL_ID } from '#platform/database';

/**
 * Takes organizations in the order of their ids, a bounded number at a time. Each call continues after the last organization of the call
 * before, so that those with much work do not keep the others from their turn.
 *
 * @param find organizations with a greater id than `after`, of each server at most `most`
 */
export function organizationsInTurn(find: (after: string, most: number) => Promise<{ id: string }[]>) {
  let after = NIL_ID;
  return async (most: number): Promise<string[]> => {
    const all = (await find(after, most)).map(({ id }) => id);
    const taken = all.sort().slice(0, most);
    after = taken.length < most ? NIL_ID : (taken.at(-1) ?? NIL_ID);
    return taken;
  };
}
