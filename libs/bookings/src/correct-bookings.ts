import { Booking, StartListEntry, updateRows } from '#libs/database';
import {
  failed,
  type ImportContext,
  type ImportRow,
  Outcomes,
  problem,
  type RowOutcome,
  succeeded,
} from '#libs/import-rows';
import { lockRaceDay, projectParticipants } from '#libs/race-day';
import {
  appear,
  type BibClaim,
  claimedAt,
  type Decision,
  decideApplications,
  lockRacesOfBibs,
  logBibs,
  takenBibs,
  teamKey,
  teamsByName,
} from '#libs/start-list';
import { BookingReferences } from './booking-references';
import {
  type Corrected,
  correctBooking,
  correctEntry,
  matchEntries,
  problemOfAnswers,
  problemOfCorrection,
} from './corrections';
import type { StartListParticipant, StartListRow } from './start-list-row.dto';
import {
  lockStoredBookings,
  lockStoredEntries,
  type StoredBooking,
  type StoredEntry,
} from './stored-bookings';

const DECISIONS: Record<string, Decision> = {
  APPROVED: 'APPROVE',
  REJECTED: 'REJECT',
  WITHDRAWN: 'WITHDRAW',
};

const decisionOf = ({ approvalStatus }: StartListParticipant) => DECISIONS[approvalStatus ?? ''];

export interface CorrectionOptions {
  /** A redacted participant fails its row; the stored data does not change. */
  refusesRedacted?: boolean;
  /** Corrects only this participant of the booking. */
  only?: string;
}

/**
 * Corrects bookings that are not cancelled, by external id, and writes only what differs. Rows without such a
 * booking, and rows that already have an outcome, do not change.
 */
export async function correctBookings(
  context: ImportContext,
  rows: ImportRow<StartListRow>[],
  options: CorrectionOptions = {},
): Promise<{ outcomes: RowOutcome[]; unknown: ImportRow<StartListRow>[] }> {
  // Decisions need it, and it must be locked before bookings.
  if (rows.some(({ payload }) => payload.participants.some(decisionOf)))
    await lockRaceDay(context.manager, context.organizationId);
  const stored = await lockStoredBookings(
    context,
    rows.map(({ payload }) => payload.externalBookingId),
  );
  const known = rows.filter(({ payload }) => stored.has(payload.externalBookingId));
  const unknown = rows.filter(({ payload }) => !stored.has(payload.externalBookingId));
  return { outcomes: await correctStored(context, known, stored, options), unknown };
}

/** @param stored the bookings of the rows, locked, by external id */
export async function correctStored(
  context: ImportContext,
  known: ImportRow<StartListRow>[],
  stored: Map<string, StoredBooking>,
  options: CorrectionOptions,
): Promise<RowOutcome[]> {
  if (known.length === 0) return [];
  const payloads = known.map(({ payload }) => payload);
  const references = await BookingReferences.of(context, payloads);
  await lockRacesOfBibs(
    context,
    payloads.flatMap((payload) => references.bibsOf(payload)),
  );
  const entries = await lockStoredEntries(context, stored.values());
  const corrections = new Corrections(context, references, stored, entries, options);
  const outcomes = new Outcomes(known);
  outcomes.refuse((payload) => corrections.problemOf(payload) ?? references.problemOf(payload));
  await corrections.prepare(outcomes.open.map(({ payload }) => payload));
  for (const { row, payload } of outcomes.open) outcomes.settle(corrections.take(row, payload));
  await corrections.write();
  return outcomes.all();
}

/**
 * The paths where rows differ from their bookings; for a row that cannot be corrected, the path that prevents it.
 * Reads only.
 *
 * @returns the paths by external id
 */
export async function differencesOf(
  context: ImportContext,
  rows: ImportRow<StartListRow>[],
  references: BookingReferences,
): Promise<Map<string, string[]>> {
  const ids = rows.map(({ payload }) => payload.externalBookingId);
  const stored = await lockStoredBookings(context, ids, { lock: false });
  const entries = await lockStoredEntries(context, stored.values(), { lock: false });
  const corrections = new Corrections(context, references, stored, entries, {});
  const known = rows.filter(({ payload }) => stored.has(payload.externalBookingId));
  const correctable: ImportRow<StartListRow>[] = [];
  const differences = new Map<string, string[]>();
  for (const each of known) {
    const wrong = corrections.problemOf(each.payload) ?? references.problemOf(each.payload);
    // The message of every problem starts with its path.
    if (wrong) differences.set(each.payload.externalBookingId, wrong.message.split(' ').slice(0, 1));
    else correctable.push(each);
  }
  await corrections.prepare(
    correctable.map(({ payload }) => payload),
    { makeTeams: false },
  );
  for (const { row, payload } of correctable) {
    const { result } = corrections.take(row, payload);
    // A bib of another holder is a difference too.
    differences.set(
      payload.externalBookingId,
      (result?.differs as string[]) ?? (result ? [] : ['bibNumber']),
    );
  }
  return differences;
}

/** The columns that change in any of the rows, and the rows. */
const changesOf = <Row>(corrected: readonly Corrected<Row>[]) =>
  [
    [...new Set(corrected.flatMap(({ columns }) => columns))] as (keyof Row & string)[],
    corrected.map(({ row }) => row),
  ] as const;

/** The corrections of the rows of a chunk. */
class Corrections {
  private readonly bookings: Corrected<StoredBooking>[] = [];
  private readonly entries: Corrected<StoredEntry>[] = [];
  private readonly bibs: { raceId: string; bibNumber: string | null; participantId: string }[] = [];
  private readonly decided = new Map<Decision, string[]>();
  private teams: Map<string, string> = new Map();
  private taken = new Set<string>();

  constructor(
    private readonly context: ImportContext,
    private readonly references: BookingReferences,
    private readonly storedBookings: Map<string, StoredBooking>,
    private readonly storedEntries: Map<string, StoredEntry[]>,
    private readonly options: CorrectionOptions,
  ) {}

  problemOf(row: StartListRow) {
    const { booking, entries } = this.storedOf(row);
    const redacted = this.options.refusesRedacted ? entries.findIndex((entry) => entry.gdpr_redacted) : -1;
    if (redacted >= 0)
      return problem(
        'PARTICIPANT_REDACTED',
        `participants[${redacted}] was redacted, so the booking was not corrected`,
      );
    return (
      problemOfCorrection(row, booking, entries) ??
      this.problemOfUnits(row, entries) ??
      this.problemOfAnswers(row, entries)
    );
  }

  /** Bibs that are released in the chunk are free for other rows of it. */
  async prepare(rows: StartListRow[], { makeTeams = true } = {}): Promise<void> {
    this.teams = await teamsByName(
      this.context,
      rows.flatMap((row) => this.references.teamsOf(row)),
      { make: makeTeams },
    );
    const changes = rows.flatMap((row) => this.bibChangesOf(row));
    const wanted = changes.flatMap(({ raceId, bibNumber }) => (bibNumber ? { raceId, bibNumber } : []));
    const taken = await takenBibs(this.context, wanted);
    const givenUp = new Set(changes.flatMap(({ raceId, former }) => (former ? keyOf(raceId, former) : [])));
    this.taken = new Set(
      wanted
        .filter((bib) => taken.has(bib) && !givenUp.has(keyOf(bib.raceId, bib.bibNumber)))
        .map(({ raceId, bibNumber }) => keyOf(raceId, bibNumber)),
    );
  }

  take(rowNumber: number, row: StartListRow): RowOutcome {
    const { booking, entries } = this.storedOf(row);
    const bibs = this.bibChangesOf(row);
    const worn = bibs.find(({ raceId, bibNumber }) => bibNumber && this.taken.has(keyOf(raceId, bibNumber)));
    if (worn)
      return failed(
        rowNumber,
        problem('BIB_NUMBER_TAKEN', `Bib ${worn.bibNumber} already has a holder in this race`),
      );
    for (const { raceId, bibNumber } of bibs) if (bibNumber) this.taken.add(keyOf(raceId, bibNumber));
    this.bibs.push(...bibs);

    const corrected = correctBooking(booking, row, this.isOfOne);
    if (corrected.differs.length > 0) this.bookings.push(corrected);
    const differs = new Set(corrected.differs);
    const matched = matchEntries(row, entries) as StoredEntry[];
    for (const [i, participant] of row.participants.entries()) {
      const path = `participants[${i}]`;
      const entry = matched[i] as StoredEntry;
      if (this.isLeft(entry)) continue;
      const correctedEntry = this.correctEntry(row, participant, entry, corrected.row);
      if (correctedEntry.differs.length > 0) this.entries.push(correctedEntry);
      for (const each of correctedEntry.differs) differs.add(`${path}.${each}`);
      if (this.decide(entry, participant)) differs.add(`${path}.approvalStatus`);
      if (bibs.some(({ participantId }) => participantId === entry.participant_id))
        differs.add(`${path}.bibNumber`);
    }
    const result = {
      externalBookingId: row.externalBookingId,
      bookingId: booking.id,
      participantIds: entries.map(({ participant_id }) => participant_id),
    };
    return differs.size > 0
      ? succeeded(rowNumber, 'UPDATED', { ...result, differs: [...differs] })
      : succeeded(rowNumber, 'ALREADY_IMPORTED', result);
  }

  async write(): Promise<void> {
    const { context } = this;
    const { manager, organizationId } = context;
    await updateRows(manager, organizationId, Booking, ...changesOf(this.bookings));
    await updateRows(manager, organizationId, StartListEntry, ...changesOf(this.entries));
    for (const [decision, applicationIds] of this.decided) {
      // As in an import, places may exceed capacities.
      const decided = await decideApplications(manager, {
        organizationId,
        applicationIds,
        decision,
        isUnlimited: true,
      });
      context.after.enqueuesRaceDay ||= decided.enqueuesRaceDay;
    }
    if (this.bibs.length === 0) return;
    const participantIds = this.bibs.map(({ participantId }) => participantId);
    await logBibs(context, this.bibs, context.requestedAt ?? (await claimedAt(context, this.options.only)));
    await projectParticipants(manager, organizationId, participantIds);
    await appear(context, participantIds);
  }

  private get isOfOne(): boolean {
    return this.options.only !== undefined;
  }

  private isLeft({ participant_id }: StoredEntry): boolean {
    return this.options.only !== undefined && this.options.only !== participant_id;
  }

  private problemOfAnswers(row: StartListRow, entries: StoredEntry[]) {
    for (const [i, entry] of (matchEntries(row, entries) as StoredEntry[]).entries()) {
      const participant = row.participants[i] as StartListParticipant;
      if (this.isLeft(entry)) continue;
      const found = problemOfAnswers(entry, participant, this.askedOf(participant), `participants[${i}]`);
      if (found) return found;
    }
    return undefined;
  }

  private askedOf(participant: StartListParticipant) {
    const { fieldIds } = this.references.ticketOf(participant) ?? { fieldIds: [] };
    return this.references.questions.answers(fieldIds, participant, participant.fields);
  }

  /** Entries of one team share units of a team ticket, so a change of team must not change what was charged. */
  private problemOfUnits(row: StartListRow, entries: StoredEntry[]) {
    const matched = matchEntries(row, entries);
    const teamOf = new Map(entries.map((entry) => [entry, entry.team_name]));
    for (const [i, { team }] of row.participants.entries()) {
      const entry = matched[i];
      if (entry && team !== undefined && !this.isLeft(entry)) teamOf.set(entry, team?.name ?? null);
    }
    const moved = matched.findIndex((entry) => entry && teamOf.get(entry) !== entry.team_name);
    if (moved < 0) return undefined;
    const places = new Map<string, number>();
    const isCharged = entries.every((entry) => {
      const unit = `${entry.ticket_id}/${teamOf.get(entry) ?? ''}`;
      const place = places.get(unit) ?? 0;
      places.set(unit, place + 1);
      const { unitSize } = this.references.ticketOf({
        ticketId: entry.ticket_id,
      } as StartListParticipant) ?? { unitSize: 1 };
      return entry.starts_unit === (place % unitSize === 0);
    });
    if (isCharged) return undefined;
    return problem(
      'NOT_CORRECTABLE',
      `participants[${moved}].team can't be corrected: it would change what was charged`,
    );
  }

  private storedOf({ externalBookingId }: StartListRow) {
    const booking = this.storedBookings.get(externalBookingId) as StoredBooking;
    return { booking, entries: this.storedEntries.get(booking.id) ?? [] };
  }

  private correctEntry(
    row: StartListRow,
    participant: StartListParticipant,
    entry: StoredEntry,
    booking: StoredBooking,
  ): Corrected<StoredEntry> {
    const { eventOccurrenceId } = row;
    const { team } = participant;
    const teamId = team && (this.teams.get(teamKey({ eventOccurrenceId, name: team.name })) ?? NOT_MADE);
    const asked = this.askedOf(participant);
    return correctEntry(entry, row, participant, booking, {
      teamId: teamId ?? undefined,
      asked,
      isOfOne: this.isOfOne,
    });
  }

  /** A decided application keeps its decision, whatever the file contains. */
  private decide(entry: StoredEntry, participant: StartListParticipant): boolean {
    const decision = entry.approval_status === 'PENDING' && decisionOf(participant);
    if (!decision) return false;
    this.decided.set(decision, [...(this.decided.get(decision) ?? []), entry.id]);
    return true;
  }

  private bibChangesOf(row: StartListRow) {
    const matched = matchEntries(row, this.storedOf(row).entries);
    return row.participants.flatMap(({ bibNumber }, i) => {
      const entry = matched[i];
      if (bibNumber === undefined || !entry || entry.bib_claim === bibNumber || this.isLeft(entry)) return [];
      // A claim that is newer than the request is kept.
      if (entry.bib_changed_at && entry.bib_changed_at > (this.context.requestedAt ?? '9')) return [];
      const { race_id: raceId, participant_id: participantId, bib_claim: former } = entry;
      return [{ raceId, bibNumber, participantId, former }];
    });
  }
}

/** The id of a team that does not exist yet, in comparisons: only corrections create teams. */
const NOT_MADE = '';

const keyOf = (raceId: BibClaim['raceId'], bibNumber: string): string => `${raceId}/${bibNumber}`;
