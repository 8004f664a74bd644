/**
 * Does the work of several owners a unit at a time, in rounds: an owner with much work delays others by one unit of it,
 * also those whose work appears meanwhile.
 *
 * @param find the owners with work, read before each round
 * @param unit does a unit of an owner's work; returns whether the owner has more
 */
export async function inRounds<Owner>(
  find: () => Promise<readonly Owner[]>,
  unit: (owner: Owner) => Promise<boolean>,
): Promise<void> {
  for (let more = true; more; ) {
    more = false;
    for (const owner of await find()) more = (await unit(owner)) || more;
  }
}
