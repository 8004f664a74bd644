/** What the work began with has changed since. A retry of the same rows reads it again. */
export class ChangedMeanwhile extends Error {
  readonly code = '40001';
}

/**
 * Reads again, after the locks, the data that determined which bookings to lock: another job may have changed it.
 *
 * @throws ChangedMeanwhile
 */
export async function unchanged<Row>(before: Row[], read: () => Promise<Row[]>): Promise<void> {
  if (JSON.stringify(before) !== JSON.stringify(await read())) throw new ChangedMeanwhile();
}
