/**
 * Does the work of several owners a unit at a time, in rounds: an owner with much work delays others by one unit of it,
 * also those whose work appears meanwhile. An owner whose unit fails, because its node is away for example, has no further one;
 * the first failure is thrown after the work of the others.
 *
 * @param find the owners with work, read before each round
 * @param unit does a unit of an owner's work; returns whether the owner has more
 * @param isStopped no further unit begins if it is true
 * @param idOf tells an owner from others in later rounds
 */
export async function inRounds<Owner>(
  find: () => Promise<readonly Owner[]>,
  unit: (owner: Owner) => Promise<boolean>,
  isStopped: () => boolean,
  idOf: (owner: Owner) => unknown = (owner) => owner,
): Promise<void> {
  const failures = new Map<unknown, unknown>();
  for (let more = true; more && !isStopped(); ) {
    more = false;
    for (const owner of await find()) {
      if (isStopped()) break;
      if (failures.has(idOf(owner))) continue;
      try {
        more = (await unit(owner)) || more;
      } catch (error) {
        failures.set(idOf(owner), error);
      }
    }
  }
  const [failure] = failures.values();
  if (failures.size > 0) throw failure;
}
