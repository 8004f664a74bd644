/** A message for the reference implementation: its participant or bib, values and time. */
export interface Said {
  participantId?: string;
  bibNumber?: string | null;
  shipping?: Record<string, string>;
  changedAt: string;
}

export interface Shown {
  bibNumber: string | null;
  shipping: Record<string, string | null> | null;
}

const NOTHING = { status: null, shippedAt: null, carrier: null, trackingNumber: null, trackingUrl: null };

/**
 * A simple and slow reference implementation of the rules of docs/domain-rules.md#race-day.
 *
 * @param messages in order of receipt
 * @param raceOf every participant's race
 * @param cancelledAt when participants were cancelled
 */
export function reference(
  messages: Said[],
  raceOf: Map<string, string>,
  cancelledAt = new Map<string, string>(),
): Map<string, Shown> {
  const inOrder = [...messages].sort((left, right) =>
    left.changedAt < right.changedAt ? -1 : left.changedAt > right.changedAt ? 1 : 0,
  );
  const claims = new Map<string, Said[]>();
  const claimants = new Map<string, Set<string>>();
  for (const message of inOrder) {
    const { participantId, bibNumber } = message;
    if (!participantId || bibNumber === undefined || !raceOf.has(participantId)) continue;
    claims.set(participantId, [...(claims.get(participantId) ?? []), message]);
    if (bibNumber) claimants.set(bibNumber, (claimants.get(bibNumber) ?? new Set()).add(participantId));
  }
  const claimOf = (participantId: string, by = '9999') =>
    claims.get(participantId)?.findLast(({ changedAt }) => changedAt <= by);

  /** The bib holder among the claimants, by race. */
  const holdersOf = (bib: string, by?: string): Map<string, string> => {
    const holders = new Map<string, { participantId: string; since: string }>();
    for (const participantId of [...(claimants.get(bib) ?? [])].sort()) {
      if (by && (cancelledAt.get(participantId) ?? '9999') <= by) continue;
      if (!by && cancelledAt.has(participantId)) continue;
      const claim = claimOf(participantId, by);
      if (claim?.bibNumber !== bib) continue;
      const race = raceOf.get(participantId) as string;
      const holder = holders.get(race);
      if (!holder || claim.changedAt < holder.since)
        holders.set(race, { participantId, since: claim.changedAt });
    }
    return new Map([...holders].map(([race, { participantId }]) => [race, participantId]));
  };

  /** The times at which a bib can change holders: claims and cancellations of its claimants. */
  const momentsOf = (bib: string): string[] => {
    const moments = [...(claimants.get(bib) ?? [])].flatMap((id) => [
      ...(claims.get(id) ?? []).map(({ changedAt }) => changedAt),
      ...(cancelledAt.has(id) ? [cancelledAt.get(id) as string] : []),
    ]);
    return [...new Set(moments)].sort();
  };

  /**
   * The participant of a message with only a bib: the holder at that time, or the first one after it, or the last one
   * before it, if only one race matches.
   */
  const namedBy = (bib: string, at: string): string | undefined => {
    const then = [...holdersOf(bib, at).values()];
    if (then.length > 0) return then.length === 1 ? then[0] : undefined;
    const first = new Map<string, string>();
    for (const moment of momentsOf(bib).filter((one) => one > at)) {
      for (const [race, holder] of holdersOf(bib, moment)) if (!first.has(race)) first.set(race, holder);
    }
    if (first.size > 0) return first.size === 1 ? [...first.values()][0] : undefined;
    const last = new Map(
      momentsOf(bib)
        .filter((one) => one <= at)
        .flatMap((moment) => [...holdersOf(bib, moment)]),
    );
    return last.size === 1 ? [...last.values()][0] : undefined;
  };

  const shown = new Map<string, Shown>(
    [...raceOf.keys()].map((id) => [id, { bibNumber: null, shipping: null }]),
  );
  for (const bib of claimants.keys()) {
    for (const participantId of holdersOf(bib).values()) {
      const entry = shown.get(participantId);
      if (entry) entry.bibNumber = bib;
    }
  }
  for (const { participantId, bibNumber, shipping, changedAt } of inOrder) {
    if (!shipping) continue;
    const about = participantId ?? namedBy(bibNumber as string, changedAt);
    const entry = about && shown.get(about);
    if (entry) entry.shipping = { ...(entry.shipping ?? NOTHING), status: 'SHIPPED', ...shipping };
  }
  return shown;
}

/** The message in the format of a request. */
export const sent = ({ participantId, bibNumber, shipping, changedAt }: Said) => ({
  schemaVersion: '1.0',
  data: { participantId, bibNumber, shipping },
  changedAt,
});
