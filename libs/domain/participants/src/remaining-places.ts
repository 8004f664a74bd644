import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';

/** Only if there is a limit. Imports count but are not limited, so the remaining number can be negative. */
const LEFT = statement({
  parameters: ['uuid', 'uuid[]', 'uuid[]', 'uuid[]'],
  columns: { id: 'uuid', places: 'bigint' },
  sql: `
    SELECT id, max_capacity - tally($1, 'ticketPlaces', id) AS places FROM tickets
      WHERE organization_id = $1 AND id = ANY ($2) AND max_capacity IS NOT NULL
    UNION ALL
    SELECT id, max_capacity - tally($1, 'racePlaces', id) FROM races
      WHERE organization_id = $1 AND id = ANY ($3) AND max_capacity IS NOT NULL
    UNION ALL
    SELECT w.id, w.capacity - (SELECT count(*) FROM start_list_entries e
        WHERE e.organization_id = $1 AND e.race_id = w.race_id AND e.wave_id = w.id
          AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL)
      FROM waves w WHERE w.organization_id = $1 AND w.id = ANY ($4) AND w.capacity IS NOT NULL
  `,
});

/** The properties of an entry that determine which places it takes. */
export interface Placed {
  ticketId: string;
  raceId: string;
  waveId: string | null;
  takesPlace: boolean;
  startsUnit: boolean;
}

/** Allocates the remaining places of tickets, races and waves. Tickets count units; races and waves count entries. */
export class RemainingPlaces {
  private constructor(private readonly left: Map<string, number>) {}

  /** Whoever allocates them has locked the race day before, so that only one transaction of the organization does. */
  static async read(
    manager: EntityManager,
    organizationId: string,
    entries: readonly Pick<Placed, 'ticketId' | 'raceId' | 'waveId'>[],
  ): Promise<RemainingPlaces> {
    const ids = (of: (entry: (typeof entries)[number]) => string | null) => [
      ...new Set(entries.flatMap((entry) => of(entry) ?? [])),
    ];
    const left = await LEFT.rows(manager, [
      organizationId,
      ids(({ ticketId }) => ticketId),
      ids(({ raceId }) => raceId),
      ids(({ waveId }) => waveId),
    ]);
    return new RemainingPlaces(new Map(left.map(({ id, places }) => [id, Number(places)])));
  }

  /** Undefined without a limit. */
  leftOf(id: string): number | undefined {
    return this.left.get(id);
  }

  /** @returns false if there are not enough of one of them for all entries, in which case nothing is taken */
  take(...entries: readonly Placed[]): boolean {
    const wanted = new Map<string, number>();
    // The places of some reserved groups do not count.
    for (const { ticketId, raceId, waveId, startsUnit } of entries.filter(({ takesPlace }) => takesPlace))
      for (const id of [raceId, ...(startsUnit ? [ticketId] : []), ...(waveId ? [waveId] : [])])
        wanted.set(id, (wanted.get(id) ?? 0) + 1);
    const isFull = ([id, places]: [string, number]) => (this.left.get(id) ?? places) < places;
    if ([...wanted].some(isFull)) return false;
    for (const [id, places] of wanted) {
      const left = this.left.get(id);
      if (left !== undefined) this.left.set(id, left - places);
    }
    return true;
  }
}
