interface Item {
  id: string;
  updatedAt: string;
}

/** A partner that was created and never changed. Times are of the test's monotonic clock. */
interface Write extends Item {
  started: number;
  ended: number;
}

/** A list of what changed after a time, on one page or on all of its pages. */
interface Read {
  after: string;
  items: Item[];
  started: number;
  ended: number;
}

export interface History {
  writes: Write[];
  reads: Read[];
  /** Own writes that a list in order of creation did not show. */
  unseenOwnWrites: number;
  /** Requests without the status 200. */
  failed: string[];
}

/** How often each promise was broken. */
export interface Broken {
  /** Writes that were missing although the read returned a later one: a poller would never see them. */
  skipped: number;
  /** Items that nobody wrote, with other times than the write had, or before the position of the read. */
  unwritten: number;
  /** Items in responses that ended before the write began. */
  early: number;
  unseenOwnWrites: number;
}

export function broken({ writes, reads, unseenOwnWrites }: History): Broken {
  const result: Broken = { skipped: 0, unwritten: 0, early: 0, unseenOwnWrites };
  const written = new Map(writes.map((write) => [write.id, write]));
  for (const { after, items, ended } of reads) {
    const returned = new Set(items.map(({ id }) => id));
    const end = items.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), '');
    result.skipped += writes.filter(
      ({ id, updatedAt }) => updatedAt > after && updatedAt <= end && !returned.has(id),
    ).length;
    for (const item of items) {
      const write = written.get(item.id);
      if (write?.updatedAt !== item.updatedAt || item.updatedAt <= after) result.unwritten += 1;
      if (write && ended < write.started) result.early += 1;
    }
  }
  return result;
}
