import type { EntityManager } from 'typeorm';
import { type Row, statement } from '#platform/database';
import { fullName, normalizeEmail } from '#platform/validation';
import { answerTo } from '../entry.sql';
import { mentions } from './mention';

const [FIRST_NAME, LAST_NAME] = [answerTo("'firstName'", 'e'), answerTo("'lastName'", 'e')];

/**
 * An entry without a name has no identity answers, so its address counts as its own. An entry with a name but without an
 * address has the booker's.
 */
export const OWN_EMAIL = `coalesce(${answerTo("'email'", 'e')},
      CASE WHEN ${FIRST_NAME} IS NULL AND ${LAST_NAME} IS NULL THEN e.email_normalized END)`;

const READ = /* sql */ `
  SELECT e.id, e.participant_id AS "participantId", e.booking_id AS "bookingId", e.gdpr_redacted AS redacted,
    ${OWN_EMAIL} AS email, ${FIRST_NAME} AS "firstName", ${LAST_NAME} AS "lastName",
    b.external_booking_id AS "externalBookingId", e.external_assignment_id AS "externalAssignmentId", e.assigned_by AS "assignedBy",
    e.external_participant_id AS "externalParticipantId",
    e.metadata #>> '{startline,importJobId}' AS "importJobId", (e.metadata #>> '{startline,importRow}')::int AS "importRow",
    b.booker_email AS "bookerEmail", b.booker_first_name AS "bookerFirstName", b.booker_last_name AS "bookerLastName"
  FROM start_list_entries e JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id
  WHERE e.organization_id = $1 AND `;

const ENTRY = {
  id: 'uuid',
  participantId: 'uuid',
  bookingId: 'uuid',
  redacted: 'boolean',
  /** `null` if the participant has no email; the booker's is used instead. */
  email: 'text?',
  firstName: 'text?',
  lastName: 'text?',
  externalBookingId: 'text?',
  externalAssignmentId: 'text?',
  /** The partner whose id that is, or NIL_ID. */
  assignedBy: 'uuid',
  externalParticipantId: 'text?',
  importJobId: 'text?',
  importRow: 'int?',
  bookerEmail: 'text?',
  bookerFirstName: 'text?',
  bookerLastName: 'text?',
} as const;

const READ_ENTRY = statement({
  parameters: ['uuid', 'uuid'],
  columns: ENTRY,
  sql: `${READ} e.id = $2`,
});

const READ_ENTRIES_OF = statement({
  parameters: ['uuid', 'text'],
  columns: ENTRY,
  sql: `${READ} e.email_normalized = $2 ORDER BY e.booking_id, e.id`,
});

const READ_ENTRIES_IN = statement({
  parameters: ['uuid', 'uuid', 'text'],
  columns: ENTRY,
  sql: `${READ} e.booking_id = $2 AND e.email_normalized = $3 ORDER BY e.id`,
});

const READ_ACTIVE_OTHERS = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  columns: ENTRY,
  sql: `${READ} e.booking_id = $2 AND e.id <> $3 AND e.cancelled_at IS NULL AND e.approval_status IN ('APPROVED', 'PENDING') ORDER BY e.id`,
});

const BOOKER = { id: 'uuid', externalBookingId: 'text?', firstName: 'text?', lastName: 'text?' } as const;
const READ_BOOKED = /* sql */ `
    SELECT id, external_booking_id AS "externalBookingId", booker_first_name AS "firstName",
      booker_last_name AS "lastName" FROM bookings
    WHERE organization_id = $1 AND ${mentions('booker_email', '$2')}`;

/** The bookings whose booker has the address, by `mentionOf`. */
export const BOOKED = statement({
  parameters: ['uuid', 'text[]'],
  columns: BOOKER,
  sql: `${READ_BOOKED} ORDER BY id`,
});

/** The booking, if its booker has the address. */
export const IS_BOOKED = statement({
  parameters: ['uuid', 'text[]', 'uuid'],
  columns: BOOKER,
  sql: `${READ_BOOKED} AND id = $3`,
});

export type Booked = Row<typeof BOOKED>;

/** A start list entry, with the personal data of it and its booking. */
export type KnownEntry = Row<typeof READ_ENTRY>;

export const entryOf = (manager: EntityManager, organizationId: string, id: string): Promise<KnownEntry> =>
  READ_ENTRY.one(manager, [organizationId, id]);

/** The other entries of its booking that are neither cancelled nor refused. */
export const activeOthers = (
  manager: EntityManager,
  organizationId: string,
  { bookingId, id }: KnownEntry,
): Promise<KnownEntry[]> => READ_ACTIVE_OTHERS.rows(manager, [organizationId, bookingId, id]);

/** Entries with the address, of the participant or of the booker. */
export const entriesReachedAt = (
  manager: EntityManager,
  organizationId: string,
  email: string,
): Promise<KnownEntry[]> => READ_ENTRIES_OF.rows(manager, [organizationId, email]);

/** Those of a booking. */
export const entriesOfBookingAt = (
  manager: EntityManager,
  organizationId: string,
  bookingId: string,
  email: string,
): Promise<KnownEntry[]> => READ_ENTRIES_IN.rows(manager, [organizationId, bookingId, email]);

const same = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && normalizeEmail(a) === normalizeEmail(b);

/** Whether the participant is the booker, by email or by name. */
export const isBooker = (entry: KnownEntry): boolean =>
  same(entry.email, entry.bookerEmail) || sameName(entry);

/** A participant with the booker's address is another person, unless the names are equal. */
export const ownOf = (reached: readonly KnownEntry[]): KnownEntry[] =>
  reached.filter((entry) => entry.email !== null || isBooker(entry));

/** Whether the participant is the booker, by email and by name, if they are known. */
export const isTheBooker = (entry: KnownEntry): boolean =>
  isReachedAtBooker(entry) && (sameName(entry) || fullName(entry.firstName, entry.lastName) === '');

/** Whether the participant has the booker's address: as its own, or for lack of one. */
export const isReachedAtBooker = ({ email, bookerEmail }: KnownEntry): boolean =>
  email === null || same(email, bookerEmail);

const sameName = ({ firstName, lastName, bookerFirstName, bookerLastName }: KnownEntry): boolean =>
  fullName(firstName, lastName) !== '' &&
  fullName(firstName, lastName) === fullName(bookerFirstName, bookerLastName);
