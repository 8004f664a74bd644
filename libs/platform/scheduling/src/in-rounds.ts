/**
 * Does the work of several owners a unit at a time, in rounds: an owner with much work delays others by one unit of it,
 * also those whose work appears meanwhile.
 *
 * @param find the owners with work, read before each round
 * @param unit does a unit of an owner's work; returns whether the owner has more
 * @param isStopped no further unit begins if it is true
 */
export async function inRounds<Owner>(
  find: () => Promise<readonly Owner[]>,
  unit: (owner: Owner) => Promise<boolean>,
  isStopped: () => boolean,
): Promise<void> {
  for (let more = true; more && !isStopped(); ) {
    more = false;
    for (const owner of await find()) {
      if (isStopped()) return;
      more = (await unit(owner)) || more;
    }
  }
}
