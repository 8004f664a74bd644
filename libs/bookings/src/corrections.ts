import { isDeepStrictEqual } from 'node:util';
import { type FieldAnswer, NONE } from '#libs/database';
import { type Problem, problem } from '#libs/import-rows';
import { instantOf } from '#libs/input';
import {
  IDENTITY_KEYS,
  isCleared,
  normalizeEmail,
  ownMetadata,
  problemOfLength,
  type StoredMetadata,
  sharedMetadata,
} from '#libs/start-list';
import type { StartListParticipant, StartListRow } from './start-list-row.dto';
import type { StoredBooking, StoredEntry } from './stored-bookings';

/**
 * A value of a row for a column: its path in the row, the column, and the value; undefined keeps the stored value.
 */
type Given<Row> = [path: string, column: keyof Row & string, value: unknown];

/** The stored row with the changes of the given row, the columns that change, and the paths that differ. */
export interface Corrected<Row> {
  row: Row;
  columns: (keyof Row & string)[];
  differs: string[];
}

const instant = (time: string | null | undefined) => (time ? instantOf(time) : time);

function corrected<Row extends object>(stored: Row, given: Given<Row>[]): Corrected<Row> {
  const changes = given.filter(
    ([, column, value]) => value !== undefined && !isDeepStrictEqual(value, stored[column]),
  );
  return {
    row: { ...stored, ...Object.fromEntries(changes.map(([, column, value]) => [column, value])) },
    columns: changes.map(([, column]) => column),
    differs: [...new Set(changes.map(([path]) => path))],
  };
}

/**
 * A redacted booker stays redacted.
 *
 * @param isOfOne the row corrects only one entry, so its metadata is that entry's own
 */
export function correctBooking(
  stored: StoredBooking,
  row: StartListRow,
  isOfOne: boolean,
): Corrected<StoredBooking> {
  const { booker, bookerType, partnerId } = row;
  return corrected(stored, [
    ['source', 'source', row.source ?? undefined],
    ['transactionId', 'transaction_id', row.transactionId ?? undefined],
    ...(stored.booker_email === null
      ? []
      : ([
          ['booker.firstName', 'booker_first_name', booker.firstName],
          ['booker.lastName', 'booker_last_name', booker.lastName],
          ['booker.email', 'booker_email', booker.email],
          ['booker.phone', 'booker_phone', booker.phone],
          ['tracking', 'tracking', row.tracking],
          ['metadata', 'metadata', isOfOne || stored.metadata === null ? undefined : row.metadata],
        ] satisfies Given<StoredBooking>[])),
    ['bookerType', 'booker_type', bookerType],
    ['partnerId', 'partner_id', bookerType === 'CONSUMER' ? null : partnerId],
    ['bookedAt', 'booked_at', instant(row.bookedAt)],
  ]);
}

/**
 * A redacted entry does not change.
 *
 * @param booking the corrected booking
 * @param teamId the team that the participant names
 * @param isOfOne the row corrects only this entry
 * @param asked the participant's answers, with the current questions
 */
export function correctEntry(
  stored: StoredEntry,
  row: StartListRow,
  participant: StartListParticipant,
  booking: StoredBooking,
  { teamId, asked, isOfOne }: { teamId: string | undefined; asked: FieldAnswer[]; isOfOne: boolean },
): Corrected<StoredEntry> {
  if (stored.gdpr_redacted) return { row: stored, columns: [], differs: [] };
  const { team, resultSubmission: result } = participant;
  const role = team?.role === undefined ? undefined : [team.role].filter((each) => each !== null);
  const fields = answersAfter(stored.fields, participant, asked);
  const { differs, ...changed } = corrected(stored, [
    ['waveId', 'wave_id', participant.waveId],
    ['team', 'team_id', team === null ? null : teamId],
    ['team.role', 'team_roles', team === null ? NONE : role],
    ['tags', 'tags', participant.tags],
    ['externalParticipantId', 'external_participant_id', participant.externalParticipantId],
    ['fields', 'fields', fields],
    ['email', 'email_normalized', emailAfter(fields, participant, booking)],
    ['bookerType', 'incremental', booking.booker_type === 'PARTNER'],
    ['partnerId', 'partner_id', booking.partner_id],
    ['metadata', 'metadata', metadataAfter(stored.metadata, row, booking, isOfOne)],
    ['resolution', 'application_resolution_type', participant.resolution ?? undefined],
    ['ballotDraw', 'ballot_draw', participant.ballotDraw],
    ['applicationNotes', 'application_notes', participant.applicationNotes],
    ['participantNotes', 'participant_notes', participant.participantNotes],
    ['partnerMarketingOptIns', 'partner_marketing_opt_ins', participant.partnerMarketingOptIns],
    ['resultSubmission.url', 'result_url', result === null ? null : result?.url],
    [
      'resultSubmission.submittedAt',
      'result_submitted_at',
      result === null ? null : instant(result?.submittedAt),
    ],
  ]);
  const answers = () => pathsOfAnswers(stored.fields, fields, participant);
  return { ...changed, differs: differs.flatMap((path) => (path === 'fields' ? answers() : path)) };
}

/** The properties of the participant whose answers differ. */
const pathsOfAnswers = (
  before: FieldAnswer[],
  after: FieldAnswer[],
  { fields = [] }: StartListParticipant,
): string[] =>
  after.flatMap(({ id, key, value }) => {
    if (isDeepStrictEqual(before.find((answer) => answer.id === id)?.value ?? null, value)) return [];
    const place = fields.findIndex((answer) => answer.id === id);
    return place < 0 ? key : `fields[${place}]`;
  });

/** Answers that are longer than permitted do not get any longer. @param asked as in `correctEntry` */
export function problemOfAnswers(
  { fields, gdpr_redacted }: StoredEntry,
  participant: StartListParticipant,
  asked: FieldAnswer[],
  path: string,
): Problem | undefined {
  const after = answersAfter(fields, participant, asked);
  if (gdpr_redacted || isDeepStrictEqual(after, fields)) return undefined;
  return problemOfLength(after, `${path}.fields`);
}

/** The answers, each with its question as it was asked. Answers that are not given do not change. */
function answersAfter(stored: FieldAnswer[], participant: StartListParticipant, asked: FieldAnswer[]) {
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
 * The participant's own email, otherwise the booker's. Undefined if the answers do not show whose email is stored.
 */
function emailAfter(
  fields: FieldAnswer[],
  { email }: StartListParticipant,
  { booker_email }: StoredBooking,
): string | undefined {
  const answered = fields.find(({ key }) => key === 'email');
  if (email === undefined && !answered) return undefined;
  const own = email === undefined ? answered?.value : email;
  const address = typeof own === 'string' ? own : booker_email;
  return address === null ? undefined : normalizeEmail(address);
}

/**
 * What an entry stores after a correction. The metadata of the row replaces earlier metadata: of all entries, which then
 * show the booking's, or of the only one that is corrected. `startline` belongs to the platform.
 */
function metadataAfter(
  before: StoredMetadata,
  { metadata, sourcePlatform }: StartListRow,
  booking: StoredBooking,
  isOfOne: boolean,
): StoredMetadata | undefined {
  if (metadata === undefined && !sourcePlatform) return undefined;
  const { startline } = before;
  const source = sourcePlatform ? { source: sourcePlatform } : undefined;
  const named = { ...before, startline: { ...startline, ...source } };
  if (metadata === undefined) return named;
  if (isOfOne) return ownMetadata(named, metadata);
  if (isCleared(named)) return named;
  // Imported by an earlier release. The same row again must not change it.
  if (booking.metadata === null) return ownMetadata(named, metadata);
  // The metadata of a redacted booking stays empty.
  return isDeepStrictEqual(booking.metadata, metadata) ? sharedMetadata(named) : named;
}

const cannot = (path: string, why: string): Problem =>
  problem('NOT_CORRECTABLE', `${path} can't be corrected: ${why}`);

/** The differences of a row in the sale itself, which cannot be corrected. */
export function problemOfCorrection(
  row: StartListRow,
  stored: StoredBooking,
  entries: StoredEntry[],
): Problem | undefined {
  if (row.eventOccurrenceId !== stored.event_occurrence_id)
    return cannot('eventOccurrenceId', 'the booking is for another occurrence');
  if (row.createdAt && instantOf(row.createdAt) !== stored.created_at)
    return cannot('createdAt', `the booking was created at ${stored.created_at}`);
  if (row.discountCode && row.discountCode.toLowerCase() !== stored.discount_code?.toLowerCase())
    return cannot('discountCode', 'the booking was paid for without it');
  if (row.participants.length !== entries.length)
    return cannot('participants', `the booking has ${entries.length} of them`);
  const matched = matchEntries(row, entries);
  for (const [i, participant] of row.participants.entries()) {
    const found = problemOfEntry(participant, matched[i], `participants[${i}]`);
    if (found) return found;
  }
  return undefined;
}

function problemOfEntry(
  { ticketId, price, originalPrice, approvalStatus, bibNumber }: StartListParticipant,
  entry: StoredEntry | undefined,
  path: string,
): Problem | undefined {
  if (!entry) return cannot(`${path}.externalParticipantId`, 'no participant of the booking is left for it');
  if (ticketId !== entry.ticket_id) return cannot(`${path}.ticketId`, 'the entry has another ticket');
  if (price && entry.charged && !isDeepStrictEqual({ ...price }, entry.charged))
    return cannot(`${path}.price`, `${entry.charged.value} ${entry.charged.currencyCode} was charged`);
  if (originalPrice && !isDeepStrictEqual({ ...originalPrice }, entry.original_price))
    return cannot(`${path}.originalPrice`, `it is ${entry.original_price.value}`);
  const isDecided = entry.approval_status !== 'PENDING' && (approvalStatus ?? 'PENDING') !== 'PENDING';
  if (isDecided && approvalStatus !== entry.approval_status)
    return cannot(`${path}.approvalStatus`, `the application is ${entry.approval_status}`);
  const isApproved = entry.approval_status === 'APPROVED' || (!isDecided && approvalStatus === 'APPROVED');
  if (bibNumber && !isApproved)
    return cannot(`${path}.bibNumber`, `the application is ${entry.approval_status}`);
  return undefined;
}

/**
 * The entry of each participant: the one with its external id, otherwise the one at its position. Undefined if that
 * entry belongs to another participant.
 */
export function matchEntries(
  { participants }: StartListRow,
  entries: StoredEntry[],
): (StoredEntry | undefined)[] {
  const byExternalId = new Map(entries.map((entry) => [entry.external_participant_id, entry]));
  const named = participants.map(({ externalParticipantId: id }) => (id ? byExternalId.get(id) : undefined));
  const taken = new Set(named);
  return named.map((entry, i) => {
    const atPlace = entries[i];
    return entry ?? (atPlace && !taken.has(atPlace) ? atPlace : undefined);
  });
}
