import { applyWaiting, lockBibs, reaches } from '#domain/race-day';
import { statement } from '#platform/database';
import { type ImportContext, type Problem, problem } from '#platform/import-rows';
import { instant } from '#platform/queries';
import { bibColumns, compared } from '#platform/validation';

export interface BibClaim<Bib = string> {
  raceId: string;
  bibNumber: Bib;
}

/** A bib that a row contains, and its path there. */
export interface PlacedBib extends BibClaim {
  path: string;
}

export const bibTaken = ({ path, bibNumber }: PlacedBib): Problem =>
  problem(path, 'BIB_NUMBER_TAKEN', 'already has a holder in this race', `Bib ${bibNumber}`);

/** Bibs by race and number. */
export class Bibs {
  private readonly keys: Set<string>;

  constructor(bibs: BibClaim[]) {
    this.keys = new Set(bibs.map(Bibs.key));
  }

  has(bib: BibClaim): boolean {
    return this.keys.has(Bibs.key(bib));
  }

  add(bib: BibClaim): void {
    this.keys.add(Bibs.key(bib));
  }

  delete(bib: BibClaim): void {
    this.keys.delete(Bibs.key(bib));
  }

  static key({ raceId, bibNumber }: BibClaim): string {
    return `${raceId}/${compared(bibNumber)}`;
  }
}

const inColumns = (bibs: BibClaim<string | null>[]): string =>
  JSON.stringify(bibs.map((bib) => ({ ...bib, ...bibColumns(bib.bibNumber) })));

const WORN = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { raceId: 'uuid', bibNumber: 'text!' },
  sql: `
    SELECT e.race_id AS "raceId", e.bib_number AS "bibNumber" FROM start_list_entries e
    JOIN jsonb_to_recordset($2::jsonb) AS x ("raceId" uuid, bib_number text)
      ON e.race_id = x."raceId" AND e.bib_number = x.bib_number
    WHERE e.organization_id = $1
  `,
});

const WAITED_FOR = statement({
  parameters: ['uuid', 'jsonb'],
  columns: { raceId: 'uuid', bibNumber: 'text!' },
  sql: `
    SELECT e.race_id AS "raceId", e.bib_claim AS "bibNumber" FROM start_list_entries e
    JOIN jsonb_to_recordset($2::jsonb) AS x ("raceId" uuid, bib_number text)
      ON e.race_id = x."raceId" AND e.bib_claim = x.bib_number
    WHERE e.organization_id = $1 AND e.bib_number IS NULL AND e.cancelled_at IS NULL
  `,
});

/** Bibs whose release was rolled back, so that others can have them in a dry run. */
const RELEASE = statement({
  parameters: ['uuid', 'jsonb'],
  sql: `
    UPDATE start_list_entries e SET bib_number = NULL
    FROM jsonb_to_recordset($2::jsonb) AS x ("raceId" uuid, bib_number text)
    WHERE e.organization_id = $1 AND e.race_id = x."raceId" AND e.bib_number = x.bib_number
  `,
});

/** Locks the bibs of the races until the transaction ends. */
export const lockRacesOfBibs = (
  { manager, organizationId }: ImportContext,
  raceIds: readonly string[],
): Promise<void> => lockBibs(manager, organizationId, raceIds);

/** The bibs that already have a holder. The races must be locked. */
export async function takenBibs(context: ImportContext, bibs: BibClaim[]): Promise<Bibs> {
  const taken = await wornBibs(context, bibs);
  const carried = await context.carried?.get<boolean>('bib', bibs.map(Bibs.key));
  if (!carried) return taken;
  const released = bibs.filter((bib) => carried.get(Bibs.key(bib)) === false);
  for (const bib of released) taken.delete(bib);
  for (const bib of bibs) if (carried.get(Bibs.key(bib))) taken.add(bib);
  const { manager, organizationId } = context;
  if (released.length > 0) await RELEASE.run(manager, [organizationId, inColumns(released)]);
  return taken;
}

async function wornBibs({ manager, organizationId }: ImportContext, bibs: BibClaim[]): Promise<Bibs> {
  if (bibs.length === 0) return new Bibs([]);
  return new Bibs(await WORN.rows(manager, [organizationId, inColumns(bibs)]));
}

/** The bibs that somebody claims who does not have them: whoever gives one up gives it to them. */
export async function waitedFor({ manager, organizationId }: ImportContext, bibs: BibClaim[]): Promise<Bibs> {
  if (bibs.length === 0) return new Bibs([]);
  return new Bibs(await WAITED_FOR.rows(manager, [organizationId, inColumns(bibs)]));
}

/** The next chunks of a dry run find these bibs free, unless somebody has got them. Call it after the projection of the log. */
export async function carryReleases(context: ImportContext, bibs: BibClaim[]): Promise<void> {
  if (!context.carried) return;
  const worn = await wornBibs(context, bibs);
  for (const bib of bibs) if (!worn.has(bib)) context.carried.set('bib', Bibs.key(bib), false);
}

const NOW = statement({
  parameters: ['uuid', 'uuid?'],
  columns: { now: 'text' },
  sql: `SELECT ${instant(`greatest(clock_timestamp(), (
      SELECT max(l.changed_at) + interval '1 microsecond' FROM race_day_log l
      WHERE l.organization_id = $1 AND l.participant_id = $2 AND ${reaches('l')}))`)} AS now`,
});

/**
 * The database's time, in UTC with microseconds, for the claims of a chunk.
 *
 * @param participantId the time is later than all messages that reach this participant
 */
export async function claimedAt(
  { manager, organizationId }: ImportContext,
  participantId: string | null = null,
): Promise<string> {
  const { now } = await NOW.one(manager, [organizationId, participantId]);
  return now;
}

const LOG = statement({
  parameters: ['uuid', 'jsonb', 'timestamptz'],
  sql: `
    INSERT INTO race_day_log (organization_id, source, changed_at, participant_id, sets_bib, bib_number, bib_written, applied_at)
    SELECT $1, 'IMPORT', $3, x."participantId", true, x.bib_number, x.bib_written, clock_timestamp()
    FROM jsonb_to_recordset($2::jsonb) AS x ("participantId" uuid, bib_number text, bib_written text)
  `,
});

/** Logs imported bibs as claims, so that the projection of the log agrees with the entry. */
export async function logBibs(
  { manager, organizationId, carried }: ImportContext,
  bibs: (BibClaim<string | null> & { participantId: string })[],
  at: string,
): Promise<void> {
  for (const { raceId, bibNumber } of carried ? bibs : [])
    if (bibNumber) carried?.set('bib', Bibs.key({ raceId, bibNumber }), true);
  if (bibs.length > 0) await LOG.run(manager, [organizationId, inColumns(bibs), at]);
}

/** Messages that arrived before these participants are applied after the chunk. */
export async function appear(context: ImportContext, participantIds: string[]): Promise<void> {
  const waited = await applyWaiting(context.manager, context.organizationId, participantIds);
  context.after.enqueuesRaceDay ||= waited;
}
