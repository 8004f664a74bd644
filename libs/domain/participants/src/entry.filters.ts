import { equals, type Filter, freeText, ofId } from '#platform/queries';
import { compared, normalizeEmail, trimmed } from '#platform/validation';
import { answerTo } from './entry.sql';

const LONGEST = 255;

/** Whether the address of an entry is the participant's, or that of a booker whom the caller sees. */
export const showsEmail = (entry: string): string => `(${answerTo("'email'", entry)} IS NOT NULL OR EXISTS (
    SELECT FROM bookings b WHERE b.organization_id = ${entry}.organization_id AND b.id = ${entry}.booking_id))`;

/** Text, trimmed like stored values. */
export const textFilter = (description: string) => {
  const { read, ...parameter } = freeText(description, { max: LONGEST });
  return { ...parameter, read: (value: string) => trimmed(read(value)) };
};

const bibFilter = (description: string) => {
  const { read, ...parameter } = freeText(description, { max: LONGEST });
  return { ...parameter, read: (value: string) => compared(read(value)) };
};

/** A space in an email is a `+` that was not escaped in the URL. */
export const emailFilter = (description: string) => {
  const { read, ...parameter } = freeText(description, { max: LONGEST });
  return { ...parameter, read: (value: string) => normalizeEmail(read(value).trim().replaceAll(' ', '+')) };
};

/** Filters of applications and participants: exact matches that use an index. */
export const ENTRY_FILTERS: Record<string, Filter> = {
  eventOccurrenceId: ofId('event_occurrence_id', 'Only entries of this event occurrence.'),
  raceId: ofId('race_id', 'Only entries of this race.'),
  ticketId: ofId('ticket_id', 'Only entries with this ticket.'),
  bibNumber: equals('bib_number', bibFilter('Only entries with this bib number, in any spelling.')),
  email: {
    parameter: emailFilter(
      'Only entries with this email: of the participant, or of the booker if the participant has none. Case and surrounding white space are ignored.',
    ),
    where: (value, _bind, { partner }) =>
      partner ? `t.email_normalized = ${value} AND ${showsEmail('t')}` : `t.email_normalized = ${value}`,
  },
  externalParticipantId: {
    parameter: textFilter('Only entries that were imported with this `externalParticipantId`.'),
    where: (value) => `t.external_participant_id = ${value}`,
  },
  externalBookingId: {
    parameter: textFilter(
      'Only entries of bookings that were imported with this `externalBookingId`, cancelled ones included.',
    ),
    external: true,
    where: (value) =>
      `t.booking_id IN (SELECT b.id FROM bookings b
        WHERE b.organization_id = t.organization_id AND b.external_booking_id = ${value})`,
  },
};
