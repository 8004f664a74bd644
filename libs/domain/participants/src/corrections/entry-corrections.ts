import { projectParticipants } from '#domain/race-day';
import { StartListEntry, updateRows } from '#platform/database';
import {
  type Corrected,
  cannot,
  changesOf,
  corrected,
  type ImportContext,
  type Problem,
  within,
} from '#platform/import-rows';
import { bibColumns, comparedName } from '#platform/validation';
import { type Decision, decideApplications } from '../decide-applications';
import {
  appear,
  type BibClaim,
  Bibs,
  bibTaken,
  carryReleases,
  claimedAt,
  logBibs,
  type PlacedBib,
  takenBibs,
  waitedFor,
} from '../imported/imported-bibs';
import type { GivenParticipant, ParticipantReferences } from '../imported/participant-references';
import { teamKey, teamsByName } from '../imported/teams';
import {
  type CorrectedEntry,
  correctEntry,
  emailAfter,
  problemOfAnswers,
  problemOfEntry,
  problemOfPerson,
  problemOfSize,
  type RowToCorrect,
} from './correct-entry';
import type { Match } from './match-entries';
import type { BookingOfEntries, StoredEntry } from './stored-entries';

const DECISIONS: Record<string, Decision> = {
  APPROVED: 'APPROVE',
  REJECTED: 'REJECT',
  WITHDRAWN: 'WITHDRAW',
};

/** The decision that a row contains about an application. */
export const decisionOf = ({ approvalStatus }: GivenParticipant): Decision | undefined =>
  DECISIONS[approvalStatus ?? ''];

/** What a row corrects: participants with their entries, and the booking before and after its own correction. */
export interface BookingCorrection {
  row: RowToCorrect;
  matches: Match[];
  /** All entries of the booking, in its order. */
  entries: StoredEntry[];
  before: BookingOfEntries;
  after: BookingOfEntries;
}

/**
 * The corrections of the participants of a chunk. Call `problemOf` for each row, `prepare` with those that have none, `take`
 * for each of these, and `write` once. Bookings and entries are locked, and so are the races of bibs.
 */
export class EntryCorrections {
  private readonly entries: Corrected<StoredEntry>[] = [];
  private readonly bibs: BibChange[] = [];
  private readonly decided = new Map<Decision, string[]>();
  private teams: Map<string, string> = new Map();
  private taken = new Bibs([]);

  /** @param only the only participant to correct, whose metadata becomes its own */
  constructor(
    private readonly context: ImportContext,
    private readonly references: ParticipantReferences,
    private readonly only?: string,
  ) {}

  problemOf(correction: BookingCorrection): Problem | undefined {
    return (
      firstOf(correction.matches, problemOfEntry) ??
      (this.only === undefined ? firstOf(correction.matches, problemOfPerson) : undefined) ??
      this.problemOfCancelled(correction) ??
      this.problemOfUnits(correction) ??
      this.problemOfAnswers(correction) ??
      this.problemOfSize(correction)
    );
  }

  /**
   * Bibs that rows of the chunk release are free for its other rows, unless the row that would release one fails, or somebody waits for
   * it.
   */
  async prepare(corrections: BookingCorrection[], { makeTeams = true } = {}): Promise<void> {
    this.teams = await teamsByName(
      this.context,
      corrections.flatMap(({ row, matches }) =>
        this.references.teamsOf(
          row.eventOccurrenceId,
          // The names of teams of erased people are not made again.
          matches
            .filter(({ entry }) => !entry?.gdpr_redacted && !entry?.is_cancelled)
            .map(({ participant }) => participant),
        ),
      ),
      { make: makeTeams },
    );
    const rows = corrections.map((each) => this.bibChangesOf(each)).filter((bibs) => bibs.length > 0);
    const wanted = rows.flat().filter(isClaim);
    const taken = await takenBibs(this.context, wanted);
    const released = releasesOf(rows.flat());
    const waited = await waitedFor(this.context, released);
    const givenUp = new Bibs(released.filter((bib) => !waited.has(bib)));
    const free = (bib: BibClaim) => !taken.has(bib) || givenUp.has(bib);
    const wanting = new Map<string, BibChange[][]>();
    for (const bibs of rows)
      for (const bib of bibs.filter(isClaim))
        wanting.set(Bibs.key(bib), [...(wanting.get(Bibs.key(bib)) ?? []), bibs]);
    for (let isStable = false; !isStable; ) {
      isStable = true;
      const worn = new Bibs(wanted.filter((bib) => !free(bib)));
      const failing = rows.filter((bibs) => takeAll(worn, bibs));
      // A row that fails keeps its former bibs, so rows that want them fail as well.
      for (const bibs of failing)
        for (const bib of releasesOf(bibs).filter((each) => givenUp.has(each))) {
          isStable = false;
          givenUp.delete(bib);
          if (!free(bib)) failing.push(...(wanting.get(Bibs.key(bib)) ?? []));
        }
    }
    this.taken = new Bibs(wanted.filter((bib) => !free(bib)));
  }

  /** @returns the paths that differ, or why the row fails: then it changes nothing */
  take(correction: BookingCorrection): string[] | Problem {
    const bibs = this.bibChangesOf(correction);
    const worn = takeAll(this.taken, bibs);
    if (worn) return bibTaken(worn);
    this.bibs.push(...bibs);

    const differs = new Set<string>();
    for (const match of matched(correction)) {
      const { participant, entry, path } = match;
      const changed = this.correctEntry(match, correction);
      if (changed.columns.length > 0) this.entries.push(changed);
      for (const each of changed.differs) differs.add(within(path, each));
      for (const each of changed.ofRow) differs.add(each);
      if (this.decide(entry, participant)) differs.add(within(path, 'approvalStatus'));
      if (bibs.some(({ participantId }) => participantId === entry.participant_id))
        differs.add(within(path, 'bibNumber'));
    }
    this.followBooker(correction);
    return [...differs];
  }

  /** Cancelled participants without an address of their own are found by that of the booker, too. */
  private followBooker({ before, after, entries }: BookingCorrection): void {
    if (before.booker_email === after.booker_email) return;
    for (const entry of entries) {
      if (!entry.is_cancelled || entry.gdpr_redacted) continue;
      const followed = corrected(entry, [[null, 'email_normalized', emailAfter(entry.fields, {}, after)]]);
      if (followed.columns.length > 0) this.entries.push(followed);
    }
  }

  async write(): Promise<void> {
    const { context } = this;
    const { manager, organizationId } = context;
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
    await logBibs(context, this.bibs, context.requestedAt ?? (await claimedAt(context, this.only)));
    await projectParticipants(manager, organizationId, participantIds);
    await carryReleases(context, releasesOf(this.bibs));
    await appear(context, participantIds);
  }

  /** A cancelled entry does not change, so a row may say nothing else of it than what is stored. */
  private problemOfCancelled(correction: BookingCorrection): Problem | undefined {
    return firstOf(correction.matches.filter(isRecognised), (match) => {
      const { participant, entry, path } = match;
      const { approvalStatus, bibNumber } = participant;
      if (!entry.is_cancelled || entry.gdpr_redacted) return undefined;
      const [differs] = this.correctEntry(match, correction).differs;
      const decides = entry.approval_status === 'PENDING' && (approvalStatus ?? 'PENDING') !== 'PENDING';
      const wants = bibNumber && bibColumns(bibNumber).bib_number !== entry.last_claim;
      const wrong = differs ?? (decides ? 'approvalStatus' : wants ? 'bibNumber' : undefined);
      return wrong === undefined ? undefined : cannot(within(path, wrong), 'the participant was cancelled');
    });
  }

  private problemOfAnswers(correction: BookingCorrection): Problem | undefined {
    return firstOf(matched(correction), ({ participant, entry, path }) =>
      problemOfAnswers(
        entry,
        this.references.answeredByIds(participant),
        this.references.answersOf(participant),
        path,
      ),
    );
  }

  private problemOfSize(correction: BookingCorrection): Problem | undefined {
    const { before, after } = correction;
    return firstOf(matched(correction), (match) => {
      const { participant, entry, path } = match;
      const changed = {
        ...this.correctEntry(match, correction).row,
        ...(participant.team && { team_name: participant.team.name }),
      };
      return problemOfSize([entry, before], [changed, after], path);
    });
  }

  /** Entries of one team share units of a team ticket, so a change of team must not change what was charged. */
  private problemOfUnits(correction: BookingCorrection): Problem | undefined {
    const { entries } = correction;
    const teamOf = new Map(entries.map((entry) => [entry, nameOf(entry.team_name)]));
    for (const { participant, entry } of matched(correction))
      if (participant.team !== undefined) teamOf.set(entry, nameOf(participant.team?.name));
    const moved = matched(correction).find(({ entry }) => teamOf.get(entry) !== nameOf(entry.team_name));
    if (!moved) return undefined;
    const places = new Map<string, number>();
    const isCharged = inUnitOrder(entries).every((entry) => {
      const unit = `${entry.ticket_id}/${teamOf.get(entry)}`;
      const place = places.get(unit) ?? 0;
      places.set(unit, place + 1);
      const { unitSize } = this.references.ticketOf({ ticketId: entry.ticket_id }) ?? { unitSize: 1 };
      return entry.starts_unit === (place % unitSize === 0);
    });
    if (isCharged) return undefined;
    return cannot(within(moved.path, 'team'), 'it would change what was charged');
  }

  private correctEntry({ participant, entry }: Matched, { row, after }: BookingCorrection): CorrectedEntry {
    const { eventOccurrenceId, sourcePlatform } = row;
    const { team } = participant;
    const isStored = team && entry.team_name !== null && nameOf(team.name) === nameOf(entry.team_name);
    const teamId = isStored
      ? entry.team_id
      : team && (this.teams.get(teamKey({ eventOccurrenceId, name: team.name })) ?? NOT_MADE);
    return correctEntry(entry, row, this.references.answeredByIds(participant), after, {
      teamId: teamId ?? undefined,
      asked: this.references.answersOf(participant),
      isOfOne: this.only !== undefined,
      // As when a row without a platform is imported.
      source: sourcePlatform === null ? this.context.source : sourcePlatform,
    });
  }

  /** A decided application keeps its decision, whatever the row contains. */
  private decide(entry: StoredEntry, participant: GivenParticipant): boolean {
    const decision = entry.approval_status === 'PENDING' && decisionOf(participant);
    if (!decision) return false;
    this.decided.set(decision, [...(this.decided.get(decision) ?? []), entry.id]);
    return true;
  }

  private bibChangesOf(correction: BookingCorrection): BibChange[] {
    return matched(correction).flatMap(({ participant: { bibNumber }, entry, path: of }) => {
      if (bibNumber === undefined || entry.bib_claim === bibColumns(bibNumber).bib_number) return [];
      // A claim that is newer than the request is kept.
      if (entry.bib_changed_at && entry.bib_changed_at > (this.context.requestedAt ?? '9')) return [];
      const { race_id: raceId, participant_id: participantId, bib_number: former } = entry;
      return [{ raceId, bibNumber, participantId, former, path: within(of, 'bibNumber') }];
    });
  }
}

/** As `formUnits` takes them. */
const inUnitOrder = (entries: StoredEntry[]): StoredEntry[] => {
  const of = (status: StoredEntry['approval_status']) =>
    entries.filter((entry) => !entry.is_cancelled && entry.approval_status === status);
  return [...of('APPROVED'), ...of('PENDING')];
};

const nameOf = (team: string | null | undefined): string => comparedName(team ?? '');

type Matched = Match & { entry: StoredEntry };

const isRecognised = (match: Match): match is Matched => match.entry !== undefined;

/** A cancelled entry does not change. */
const matched = ({ matches }: BookingCorrection): Matched[] =>
  matches.filter(isRecognised).filter(({ entry }) => !entry.is_cancelled);

function firstOf<Each>(all: Each[], problemOf: (each: Each) => Problem | undefined): Problem | undefined {
  for (const each of all) {
    const found = problemOf(each);
    if (found) return found;
  }
  return undefined;
}

/** @param former the bib that the participant holds: a claim that somebody else's precedes releases nothing */
type BibChange = Omit<PlacedBib, 'bibNumber'> &
  BibClaim<string | null> & { participantId: string; former: string | null };

const releasesOf = (changes: BibChange[]): BibClaim[] =>
  changes.flatMap(({ raceId, former }) => (former ? { raceId, bibNumber: former } : []));

const isClaim = <Change extends BibClaim<string | null>>(bib: Change): bib is Change & BibClaim =>
  Boolean(bib.bibNumber);

/** Adds the claims of a row to those that are taken. @returns the first that is taken already: then it adds none */
function takeAll(taken: Bibs, bibs: BibChange[]): PlacedBib | undefined {
  const claims = bibs.filter(isClaim);
  const worn = claims.find((bib) => taken.has(bib));
  if (!worn) for (const bib of claims) taken.add(bib);
  return worn;
}

/** The id of a team that does not exist yet, in comparisons: only corrections create teams. */
const NOT_MADE = '';
