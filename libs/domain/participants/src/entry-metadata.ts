/** The metadata of an entry as it is stored: what belongs to the entry alone, and the platform's part. */
export interface StoredMetadata {
  startline?: Record<string, unknown>;
  [name: string]: unknown;
}

/**
 * In `startline` of an entry that shows the metadata of its booking: how often that changed. A trigger counts, so that each
 * change of it is a change of the entry.
 */
export const OF_BOOKING = 'ofBooking';

/** In `startline` of an entry whose metadata was cleared, and that never shows its booking's again. */
export const CLEARED = 'cleared';

/** The metadata of an entry that shows the metadata of its booking. @param before what is stored */
export const sharedMetadata = ({ startline }: StoredMetadata): StoredMetadata => ({
  startline: { [OF_BOOKING]: 0, ...startline },
});

export const isCleared = ({ startline }: StoredMetadata): boolean => startline?.[CLEARED] === true;

/** The metadata of an entry that has its own. */
export function ownMetadata(before: StoredMetadata, metadata: Record<string, unknown>): StoredMetadata {
  const { [OF_BOOKING]: _, ...startline } = before.startline ?? {};
  return { ...metadata, startline };
}

/** The metadata of an entry that has another person. */
export const clearedMetadata = (before: StoredMetadata): StoredMetadata => {
  const { startline } = ownMetadata(before, {});
  return { startline: { ...(startline as object), [CLEARED]: true } };
};

/** What the entry shows of its own metadata and its booking's. */
export const shownMetadata = (
  metadata: StoredMetadata,
  ofBooking: Record<string, unknown> | null,
): unknown[] => (metadata.startline && OF_BOOKING in metadata.startline ? [metadata, ofBooking] : [metadata]);
