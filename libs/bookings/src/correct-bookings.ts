import {
  failed,
  type ImportContext,
  type ImportRow,
  Outcomes,
  problem,
  type RowOutcome,
  succeeded,
  updateRows,
} from '#libs/import-rows';
import { projectParticipants } from '#libs/race-day';
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
  problemOfCorrection,
} from './corrections';
import type { StartListParticipant, StartListRow } from './start-list-row.dto';
import {
  lockStoredBookings,
  lockStoredEntries,
  type StoredBooking,
  type StoredEntry,
} from './stored-bookings';

/** The columns that a correction writes. */
const BOOKING_COLUMNS = {
  source: 'text',
  transaction_id: 'uuid',
  booker_first_name: 'text',
  booker_last_name: 'text',
  booker_email: 'text',
  booker_phone: 'text',
  booker_type: 'text',
  partner_id: 'uuid',
  tracking: 'jsonb',
  booked_at: 'timestamptz',
} as const;

const ENTRY_COLUMNS = {
  wave_id: 'uuid',
  team_id: 'uuid',
  team_roles: 'text[]',
  application_resolution_type: 'text',
  ballot_draw: 'text',
  application_notes: 'text',
  participant_notes: 'text[]',
  fields: 'json',
  email_normalized: 'text',
  tags: 'text[]',
  incremental: 'boolean',
  partner_id: 'uuid',
  partner_marketing_opt_ins: 'jsonb',
  result_url: 'text',
  result_submitted_at: 'timestamptz',
  external_participant_id: 'text',
  metadata: 'jsonb',
} as const;

const DECISIONS: Record<string, Decision> = {
  APPROVED: 'APPROVE',
  REJECTED: 'REJECT',
  WITHDRAWN: 'WITHDRAW',
};

/**
 * Corrects live bookings by their external ids: writes what a row says otherwise, and nothing where it says nothing else.
 * Rows whose id no live booking has stay open, and so do rows that the caller settled before.
 */
export async function correctBookings(
  context: ImportContext,
  rows: ImportRow<StartListRow>[],
): Promise<{ outcomes: RowOutcome[]; unknown: ImportRow<StartListRow>[] }> {
  const stored = await lockStoredBookings(
    context,
    rows.map(({ payload }) => payload.externalBookingId),
  );
  const known = rows.filter(({ payload }) => stored.has(payload.externalBookingId));
  const unknown = rows.filter(({ payload }) => !stored.has(payload.externalBookingId));
  if (known.length === 0) return { outcomes: [], unknown };
  const payloads = known.map(({ payload }) => payload);
  const references = await BookingReferences.of(context, payloads);
  await lockRacesOfBibs(
    context,
    payloads.flatMap((payload) => references.bibsOf(payload)),
  );
  const entries = await lockStoredEntries(context, stored.values());
  const corrections = new Corrections(context, references, stored, entries);
  const outcomes = new Outcomes(known);
  outcomes.refuse((payload) => references.problemOf(payload) ?? corrections.problemOf(payload));
  await corrections.prepare(outcomes.open.map(({ payload }) => payload));
  for (const { row, payload } of outcomes.open) outcomes.settle(corrections.take(row, payload));
  await corrections.write();
  return { outcomes: outcomes.all(), unknown };
}

/** What the rows of a chunk correct. */
class Corrections {
  private readonly bookings: StoredBooking[] = [];
  private readonly entries: StoredEntry[] = [];
  private readonly bibs: { raceId: string; bibNumber: string | null; participantId: string }[] = [];
  private readonly decided = new Map<Decision, string[]>();
  private teams: Map<string, string> = new Map();
  private taken = new Set<string>();

  constructor(
    private readonly context: ImportContext,
    private readonly references: BookingReferences,
    private readonly storedBookings: Map<string, StoredBooking>,
    private readonly storedEntries: Map<string, StoredEntry[]>,
  ) {}

  problemOf(row: StartListRow) {
    const { booking, entries } = this.storedOf(row);
    return problemOfCorrection(row, booking, entries);
  }

  /** Bibs that are given up in the chunk are free for others in it. */
  async prepare(rows: StartListRow[]): Promise<void> {
    this.teams = await teamsByName(
      this.context,
      rows.flatMap((row) => this.references.teamsOf(row)),
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
        problem('BIB_NUMBER_TAKEN', `Bib ${worn.bibNumber} is worn in this race already`),
      );
    for (const { raceId, bibNumber } of bibs) if (bibNumber) this.taken.add(keyOf(raceId, bibNumber));
    this.bibs.push(...bibs);

    const corrected = correctBooking(booking, row);
    if (corrected.differs.length > 0) this.bookings.push(corrected.row);
    const differs = new Set(corrected.differs);
    const matched = matchEntries(row, entries) as StoredEntry[];
    for (const [i, participant] of row.participants.entries()) {
      const path = `participants[${i}]`;
      const entry = matched[i] as StoredEntry;
      const correctedEntry = this.correctEntry(row, participant, entry, corrected.row);
      if (correctedEntry.differs.length > 0) this.entries.push(correctedEntry.row);
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
    const write = <Row extends { id: string }>(table: string, columns: Record<string, string>, rows: Row[]) =>
      updateRows(manager, organizationId, table, columns, rows as never);
    await write('bookings', BOOKING_COLUMNS, this.bookings);
    await write('start_list_entries', ENTRY_COLUMNS, this.entries);
    for (const [decision, applicationIds] of this.decided) {
      // Places pass capacities here as they do in an import.
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
    await logBibs(context, this.bibs, await claimedAt(context));
    await projectParticipants(manager, organizationId, participantIds);
    await appear(context, participantIds);
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
    const teamId = team ? this.teams.get(teamKey({ eventOccurrenceId, name: team.name })) : undefined;
    const { fieldIds } = this.references.ticketOf(participant);
    const asked = this.references.questions.answers(fieldIds, participant, participant.fields);
    return correctEntry(entry, row, participant, booking, { teamId, asked });
  }

  /** An application that was decided stays so, whatever the file says. */
  private decide(entry: StoredEntry, { approvalStatus }: StartListParticipant): boolean {
    const decision = entry.approval_status === 'PENDING' && DECISIONS[approvalStatus ?? ''];
    if (!decision) return false;
    this.decided.set(decision, [...(this.decided.get(decision) ?? []), entry.id]);
    return true;
  }

  private bibChangesOf(row: StartListRow) {
    const matched = matchEntries(row, this.storedOf(row).entries);
    return row.participants.flatMap(({ bibNumber }, i) => {
      const entry = matched[i];
      if (bibNumber === undefined || !entry || entry.bib_claim === bibNumber) return [];
      const { race_id: raceId, participant_id: participantId, bib_claim: former } = entry;
      return [{ raceId, bibNumber, participantId, former }];
    });
  }
}

const keyOf = (raceId: BibClaim['raceId'], bibNumber: string): string => `${raceId}/${bibNumber}`;
