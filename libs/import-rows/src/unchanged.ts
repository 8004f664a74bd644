/** What was read before the locks is no longer so: the same rows again will see how it is now. */
class ChangedMeanwhile extends Error {
  readonly code = '40001';
}

/**
 * Reads again what told which bookings to lock: while we waited, another job may have moved it elsewhere.
 *
 * @throws ChangedMeanwhile
 */
export async function unchanged<Row>(before: Row[], read: () => Promise<Row[]>): Promise<void> {
  if (JSON.stringify(before) !== JSON.stringify(await read())) throw new ChangedMeanwhile();
}
