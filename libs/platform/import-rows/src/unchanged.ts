/** Data that was read before the locks has changed. A retry reads it again. */
class ChangedMeanwhile extends Error {
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
