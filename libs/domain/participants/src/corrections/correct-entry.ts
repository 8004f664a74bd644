import { isDeepStrictEqual } from 'node:util';
import { type FieldAnswer, NONE } from '#platform/database';
import {
  type Corrected,
  cannot,
  corrected,
  instantIfGiven,
  type Problem,
  problem,
  within,
} from '#platform/import-rows';
import { IDENTITY_KEYS, normalizeEmail } from '#platform/validation';
import {
  isCleared,
  ownMetadata,
  type StoredMetadata,
  sharedMetadata,
  shownMetadata,
} from '../entry-metadata';
import { entryBytes, problemOfBytes } from '../imported/entry-bytes';
import { problemOfLength } from '../imported/imported-answers';
import type { GivenParticipant, RowOfParticipants } from '../imported/participant-references';
import type { Match } from './match-entries';
import type { BookingOfEntries, StoredEntry } from './stored-entries';

/** What a row says of all its participants. */
export type RowToCorrect = Pick<RowOfParticipants, 'eventOccurrenceId' | 'metadata' | 'sourcePlatform'>;

/** An entry, and the paths of its row, not of its participant, that differ. */
export interface CorrectedEntry extends Corrected<StoredEntry> {
  ofRow: string[];
}

/**
 * What an entry stores after a correction. A redacted entry does not change.
 *
 * @param participant what the row says of it, with answers by id
 * @param booking the corrected booking
 * @param teamId the team that the participant names
 * @param isOfOne the row corrects only this entry
 * @param asked the participant's answers, with the current questions
 * @param source the platform that the row comes from; undefined if it does not say
 */
export function correctEntry(
  stored: StoredEntry,
  row: Pick<RowToCorrect, 'metadata'>,
  participant: GivenParticipant,
  booking: BookingOfEntries,
  {
    teamId,
    asked,
    isOfOne,
    source,
  }: {
    teamId: string | undefined;
    asked: FieldAnswer[];
    isOfOne: boolean;
    source: string | null | undefined;
  },
): CorrectedEntry {
  if (stored.gdpr_redacted) return { row: stored, columns: [], differs: [], ofRow: [] };
  const { team, resultSubmission: result } = participant;
  const role = team?.role === undefined ? undefined : [team.role].filter((each) => each !== null);
  const fields = answersAfter(stored.fields, participant, asked);
  const metadata = metadataAfter(stored.metadata, row.metadata, booking, { isOfOne, source });
  const { differs, ...changed } = corrected(stored, [
    ['waveId', 'wave_id', participant.waveId],
    ['team', 'team_id', team === null ? null : teamId],
    ['team.role', 'team_roles', team === null ? NONE : role],
    ['tags', 'tags', participant.tags],
    ['externalParticipantId', 'external_participant_id', participant.externalParticipantId],
    ['fields', 'fields', fields],
    [null, 'email_normalized', emailAfter(fields, participant, booking)],
    [null, 'incremental', booking.booker_type === 'PARTNER' || stored.reserved_entry_group_id !== null],
    [null, 'partner_id', booking.partner_id],
    [null, 'metadata', metadata],
    ['resolution', 'application_resolution_type', participant.resolution ?? undefined],
    ['ballotDraw', 'ballot_draw', participant.ballotDraw],
    ['applicationNotes', 'application_notes', participant.applicationNotes],
    ['participantNotes', 'participant_notes', participant.participantNotes],
    ['partnerMarketingOptIns', 'partner_marketing_opt_ins', participant.partnerMarketingOptIns],
    ['resultSubmission.url', 'result_url', result === null ? null : result?.url],
    [
      'resultSubmission.submittedAt',
      'result_submitted_at',
      result === null ? null : instantIfGiven(result?.submittedAt),
    ],
  ]);
  const answers = () => pathsOfAnswers(stored.fields, fields, participant);
  return {
    ...changed,
    differs: differs.flatMap((path) => (path === 'fields' ? answers() : path)),
    ofRow: pathsOfMetadata(stored.metadata, metadata),
  };
}

/** The properties of the row whose parts of the metadata differ. */
function pathsOfMetadata(before: StoredMetadata, after: StoredMetadata | undefined): string[] {
  if (after === undefined || isDeepStrictEqual(before, after)) return [];
  const hasOtherSource = before.startline?.source !== after.startline?.source;
  const isOther = !isDeepStrictEqual(withSource(before, null), withSource(after, null));
  return [...(hasOtherSource ? ['sourcePlatform'] : []), ...(isOther ? ['metadata'] : [])];
}

/** @param source null: none; undefined: the stored one */
function withSource(metadata: StoredMetadata, source: string | null | undefined): StoredMetadata {
  if (source === undefined) return metadata;
  const { source: _, ...others } = metadata.startline ?? {};
  return { ...metadata, startline: source === null ? others : { ...others, source } };
}

/** The properties of the participant whose answers differ. */
const pathsOfAnswers = (
  before: FieldAnswer[],
  after: FieldAnswer[],
  { fields = [] }: GivenParticipant,
): string[] =>
  after.flatMap(({ id, key, value }) => {
    if (isDeepStrictEqual(before.find((answer) => answer.id === id)?.value ?? null, value)) return [];
    const place = fields.findIndex((answer) => answer.id === id);
    return place < 0 ? key : `fields[${place}]`;
  });

/** What is stored, which who may only add what is missing does not change. @param participant as in `correctEntry` */
export function problemOfReplaced(
  { fields }: StoredEntry,
  participant: GivenParticipant,
): Problem | undefined {
  const stored = fields.filter(({ value }) => !isMissing(value));
  const [path] = pathsOfAnswers(stored, answersAfter(stored, participant, []), participant);
  return path === undefined ? undefined : cannot(path, 'it has a value, which only the organizer can change');
}

const isMissing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Answers that are longer than permitted do not get any longer. @param participant and asked as in `correctEntry` */
export function problemOfAnswers(
  { fields, gdpr_redacted }: StoredEntry,
  participant: GivenParticipant,
  asked: FieldAnswer[],
  path: string,
): Problem | undefined {
  const after = answersAfter(fields, participant, asked);
  if (gdpr_redacted || isDeepStrictEqual(after, fields)) return undefined;
  return problemOfLength(after, within(path, 'fields'));
}

/**
 * An entry that is larger than permitted does not get any larger.
 *
 * @param before the stored entry and its booking
 * @param after the corrected ones
 */
export function problemOfSize(
  before: [StoredEntry, BookingOfEntries],
  after: [StoredEntry, BookingOfEntries],
  path: string,
): Problem | undefined {
  return problemOfBytes(bytesOf(...after), path, bytesOf(...before));
}

const bytesOf = (entry: StoredEntry, booking: BookingOfEntries): number =>
  entry.race_day_bytes +
  entryBytes(
    [
      entry.fields,
      shownMetadata(entry.metadata, booking.metadata),
      ...[entry.tags, entry.participant_notes, entry.application_notes, entry.ballot_draw],
      ...[entry.partner_marketing_opt_ins, entry.result_url, entry.external_participant_id],
      ...[entry.team_name, entry.team_roles],
      ...[booking.external_booking_id, booking.tracking, booking.discount_code],
      ...[booking.booker_first_name, booking.booker_last_name, booking.booker_email, booking.booker_phone],
    ],
    entry.partner_marketing_opt_ins as { optedIn?: unknown }[],
  );

/** The answers, each with its question as it was asked. Answers that are not given do not change. */
function answersAfter(stored: FieldAnswer[], participant: GivenParticipant, asked: FieldAnswer[]) {
  const given = new Map((participant.fields ?? []).map(({ id, value }) => [id, value]));
  const known = new Set(stored.map(({ id }) => id));
  const kept = stored.map((answer) => {
    const key = IDENTITY_KEYS.find((each) => each === answer.key);
    const value = key ? participant[key] : given.get(answer.id);
    return value === undefined ? answer : { ...answer, value };
  });
  return [...kept, ...asked.filter(({ id, value }) => !known.has(id) && value !== null)];
}

/**
 * The participant's own email, otherwise the booker's; null if the booker was redacted. Undefined if the answers do not show whose email
 * is stored.
 */
export function emailAfter(
  fields: FieldAnswer[],
  { email }: Pick<GivenParticipant, 'email'>,
  { booker_email }: BookingOfEntries,
): string | null | undefined {
  const answered = fields.find(({ key }) => key === 'email');
  if (email === undefined && !answered) return undefined;
  const own = email === undefined ? answered?.value : email;
  const address = typeof own === 'string' ? own : booker_email;
  return address === null ? null : normalizeEmail(address);
}

/**
 * What an entry stores after a correction. The metadata of the row replaces earlier metadata: of all entries, which then
 * show the booking's, or of the only one that is corrected. `startline` belongs to the platform.
 */
function metadataAfter(
  before: StoredMetadata,
  metadata: Record<string, unknown> | undefined,
  booking: BookingOfEntries,
  { isOfOne, source }: { isOfOne: boolean; source: string | null | undefined },
): StoredMetadata | undefined {
  const named = withSource(before, source);
  if (metadata === undefined) return source === undefined ? undefined : named;
  if (isOfOne) return ownMetadata(named, metadata);
  if (isCleared(named)) return named;
  // The metadata of a redacted booking stays empty.
  return isDeepStrictEqual(booking.metadata, metadata) ? sharedMetadata(named) : named;
}

const notRecognised = ({ externalParticipantId }: GivenParticipant, path: string): Problem =>
  externalParticipantId
    ? problem(
        within(path, 'externalParticipantId'),
        'PARTICIPANT_NOT_RECOGNISED',
        'is no id of a participant of the booking: send the id that the participant has, or correct it with PATCH /v0/participants/{id}',
      )
    : problem(
        path,
        'PARTICIPANT_NOT_RECOGNISED',
        'has neither the name and birth date of a participant of the booking, nor is it the last one left: ' +
          'send externalParticipantId, or correct it with PATCH /v0/participants/{id}',
      );

/** A participant that is not recognised, or a difference in the sale itself, which cannot be corrected. */
export function problemOfEntry({ participant, entry, path }: Match): Problem | undefined {
  const { ticketId, price, originalPrice, approvalStatus, bibNumber } = participant;
  if (!entry) return notRecognised(participant, path);
  if (ticketId !== entry.ticket_id) return cannot(within(path, 'ticketId'), 'the entry has another ticket');
  if (price && entry.charged && !isDeepStrictEqual({ ...price }, entry.charged))
    return cannot(within(path, 'price'), `${entry.charged.value} ${entry.charged.currencyCode} was charged`);
  if (originalPrice && !isDeepStrictEqual({ ...originalPrice }, entry.original_price))
    return cannot(within(path, 'originalPrice'), `it is ${entry.original_price.value}`);
  const isDecided = entry.approval_status !== 'PENDING' && (approvalStatus ?? 'PENDING') !== 'PENDING';
  if (isDecided && approvalStatus !== entry.approval_status)
    return cannot(within(path, 'approvalStatus'), `the application is ${entry.approval_status}`);
  const isApproved = entry.approval_status === 'APPROVED' || (!isDecided && approvalStatus === 'APPROVED');
  if (bibNumber && !isApproved)
    return cannot(within(path, 'bibNumber'), `the application is ${entry.approval_status}`);
  return undefined;
}

/**
 * A row of before a transfer must not bring the former person back. Who has the place now is corrected by `PATCH`.
 */
export function problemOfPerson({ participant, entry, path }: Match): Problem | undefined {
  if (!entry || entry.is_cancelled || entry.gdpr_redacted || !isCleared(entry.metadata)) return undefined;
  const answers = new Map(entry.fields.map(({ key, value }) => [key, value]));
  const other = (['firstName', 'lastName', 'email'] as const).find((key) => {
    const given = participant[key];
    return given != null && normalized(given) !== normalized(answers.get(key));
  });
  return other && cannot(within(path, other), 'the place was given to another person');
}

const normalized = (value: unknown): string => (typeof value === 'string' ? normalizeEmail(value) : '');

/** Whether the booker has the place of a booker who gave it away. Who has no address is only reached at the booker's. */
export const isBookerByTransfer = (
  { booker_email: email }: BookingOfEntries,
  entries: StoredEntry[],
): boolean =>
  email !== null &&
  entries.some(
    ({ metadata, gdpr_redacted, email_normalized, fields }) =>
      !gdpr_redacted &&
      isCleared(metadata) &&
      email_normalized === normalizeEmail(email) &&
      !fields.some(({ key, value }) => key === 'email' && value === null),
  );
