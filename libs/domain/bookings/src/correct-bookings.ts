import {
  type BookingCorrection,
  decisionOf,
  duplicateWarnings,
  EntryCorrections,
  type InRow,
  lockRacesOfBibs,
  matchEntries,
  placed,
  type StoredEntry,
  storedEntries,
} from '#domain/participants';
import { lockRaceDay } from '#domain/race-day';
import { Booking, updateRows } from '#platform/database';
import {
  type Corrected,
  cannot,
  changesOf,
  failed,
  type ImportContext,
  type ImportRow,
  Outcomes,
  type Problem,
  problem,
  type RowOutcome,
  succeeded,
} from '#platform/import-rows';
import { BookingReferences } from './booking-references';
import { correctBooking, problemOfSale } from './correct-booking';
import type { StartListRow } from './start-list-row.dto';
import { type StoredBooking, storedBookings } from './stored-bookings';

export interface CorrectionOptions {
  /** A redacted participant or booker fails its row; the stored data does not change. */
  refusesRedacted?: boolean;
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
  const stored = await storedBookings(
    context,
    rows.map(({ payload }) => payload.externalBookingId),
  );
  const known = rows.filter(({ payload }) => stored.has(payload.externalBookingId));
  const unknown = rows.filter(({ payload }) => !stored.has(payload.externalBookingId));
  return { outcomes: await correctKnown(context, known, stored, options), unknown };
}

/** @param stored the bookings of the rows, locked, by external id */
async function correctKnown(
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
    payloads.flatMap((payload) => references.ofParticipants.racesOfBibs(placed(payload))),
  );
  const entries = await storedEntries(context, stored.values());
  const corrections = new Corrections(context, references, stored, entries, options);
  const outcomes = new Outcomes(known);
  outcomes.refuse((payload) => corrections.problemOf(payload));
  await corrections.prepare(outcomes.open.map(({ payload }) => payload));
  const renamed = new Map<string, InRow>();
  for (const { row, payload } of outcomes.open) {
    const taken = corrections.take(payload);
    for (const [id, path] of renamedBy(taken)) renamed.set(id, { row, path, isCorrected: true });
    outcomes.settle(outcomeOf(row, taken));
  }
  await corrections.write();
  for (const { row, warning } of await duplicateWarnings(context, renamed)) outcomes.warn(row, warning);
  return outcomes.all();
}

/**
 * Reads the paths where rows differ from their bookings, shortened to a few; for a row that cannot be corrected, the path that prevents
 * it. If the participants are recognised, it also returns them in the order of the row.
 *
 * @returns by external id, without bookings that do not exist or are cancelled
 */
export async function differencesOf(
  context: ImportContext,
  rows: ImportRow<StartListRow>[],
  references: BookingReferences,
): Promise<Map<string, { differs: string[]; participantIds?: string[] }>> {
  const ids = rows.map(({ payload }) => payload.externalBookingId);
  const stored = await storedBookings(context, ids, { lock: false });
  const entries = await storedEntries(context, stored.values(), { lock: false });
  const corrections = new Corrections(context, references, stored, entries, {});
  const known = rows.filter(({ payload }) => stored.has(payload.externalBookingId));
  const correctable: ImportRow<StartListRow>[] = [];
  const differences = new Map<string, { differs: string[]; participantIds?: string[] }>();
  for (const each of known) {
    const wrong = corrections.problemOf(each.payload);
    if (wrong) differences.set(each.payload.externalBookingId, { differs: [wrong.path] });
    else correctable.push(each);
  }
  await corrections.prepare(
    correctable.map(({ payload }) => payload),
    { makeTeams: false },
  );
  for (const { payload } of correctable) {
    const taken = corrections.take(payload);
    // A bib of another holder is a difference too.
    differences.set(
      payload.externalBookingId,
      'code' in taken
        ? { differs: [taken.path] }
        : { differs: few(taken.differs), participantIds: taken.ids.participantIds },
    );
  }
  return differences;
}

interface Taken {
  ids: { externalBookingId: string; bookingId: string; participantIds: string[] };
  differs: string[];
}

/** What tells who a participant is, at the end of its path. */
const OF_PERSON = /^\.(firstName|lastName|dateOfBirth|email|fields)\b/;

/** The participants who can be other persons now, with their paths. */
function renamedBy(taken: Taken | Problem): [string, string][] {
  if ('code' in taken) return [];
  const { ids, differs } = taken;
  return ids.participantIds.flatMap((id, i): [string, string][] => {
    const path = `participants[${i}]`;
    const isRenamed = differs.some(
      (each) => each === 'booker.email' || (each.startsWith(path) && OF_PERSON.test(each.slice(path.length))),
    );
    return isRenamed ? [[id, path]] : [];
  });
}

function outcomeOf(row: number, taken: Taken | Problem): RowOutcome {
  if ('code' in taken) return failed(row, taken);
  const { ids, differs } = taken;
  return differs.length > 0
    ? succeeded(row, 'UPDATED', { ...ids, differs: few(differs) })
    : succeeded(row, 'ALREADY_IMPORTED', ids);
}

/** The corrections of the rows of a chunk. */
class Corrections {
  private readonly bookings: Corrected<StoredBooking>[] = [];
  private readonly participants: EntryCorrections;

  constructor(
    private readonly context: ImportContext,
    private readonly references: BookingReferences,
    private readonly storedBookings: Map<string, StoredBooking>,
    private readonly storedEntries: Map<string, StoredEntry[]>,
    private readonly options: CorrectionOptions,
  ) {
    this.participants = new EntryCorrections(context, references.ofParticipants);
  }

  problemOf(row: StartListRow): Problem | undefined {
    const stored = this.storedOf(row);
    const { booking, entries, matches } = stored;
    if (this.options.refusesRedacted && entries.some((entry) => entry.gdpr_redacted))
      return problem(
        matches.find(({ entry }) => entry?.gdpr_redacted)?.path ?? 'participants',
        'PARTICIPANT_REDACTED',
        'was redacted, so the booking was not corrected',
      );
    if (this.options.refusesRedacted && booking.booker_email === null)
      return cannot('booker', 'the booker was erased');
    return (
      problemOfSale(row, booking, entries) ??
      this.participants.problemOf(stored) ??
      this.references.problemOf(row, matches)
    );
  }

  prepare(rows: StartListRow[], options?: { makeTeams: boolean }): Promise<void> {
    return this.participants.prepare(
      rows.map((row) => this.storedOf(row)),
      options,
    );
  }

  /** @returns the ids and the paths that differ, or why the row fails: then it changes nothing */
  take(row: StartListRow): Taken | Problem {
    const stored = this.storedOf(row);
    const { booking, corrected, matches } = stored;
    const ofParticipants = this.participants.take(stored);
    if ('code' in ofParticipants) return ofParticipants;
    if (corrected.columns.length > 0) this.bookings.push(corrected);
    const ids = {
      externalBookingId: row.externalBookingId,
      bookingId: booking.id,
      participantIds: matches.flatMap(({ entry }) => entry?.participant_id ?? []),
    };
    return { ids, differs: [...new Set([...corrected.differs, ...ofParticipants])] };
  }

  async write(): Promise<void> {
    const { manager, organizationId } = this.context;
    await updateRows(manager, organizationId, Booking, ...changesOf(this.bookings));
    await this.participants.write();
  }

  private storedOf(
    row: StartListRow,
  ): BookingCorrection & { booking: StoredBooking; corrected: Corrected<StoredBooking> } {
    const booking = this.storedBookings.get(row.externalBookingId) as StoredBooking;
    const corrected = correctBooking(booking, row);
    const entries = this.storedEntries.get(booking.id) ?? [];
    const matches = matchEntries(row, booking, entries);
    return { booking, corrected, row, matches, entries, before: booking, after: corrected.row };
  }
}

/** A page has the paths of 500 rows: if there are many, only the participants are named. */
const MOST_PATHS = 200;
const few = (paths: string[]): string[] =>
  paths.length > MOST_PATHS
    ? [...new Set(paths.map((path) => path.replace(/^(participants\[\d+\]).*/, '$1')))]
    : paths;
