import { instant, type ListDeclaration } from '#platform/queries';
import { IDENTITY_KEYS } from '#platform/validation';
import { asText, lineOf, resolved } from './csv';
import { answerTo } from './entry.sql';
import { PARTICIPANT } from './participants.resource';

/** The columns of the CSV in order: SQL over the properties of a Participant, `item`, and the entry, `t`. */
export const EXPORT_COLUMNS: Readonly<Record<string, string>> = {
  participantId: 'item."id"',
  applicationId: 'item."applicationId"',
  bookingId: 'item."bookingId"',
  externalBookingId: 'item."externalBookingId"',
  externalParticipantId: 'item."externalParticipantId"',
  eventName: 'item."eventName"',
  eventOccurrenceId: 'item."eventOccurrenceId"',
  raceId: 'item."raceId"',
  raceName: 'item."raceName"',
  ticketId: 'item."ticketId"',
  ticketTitle: 'item."ticketTitle"',
  bibNumber: 'item."bibNumber"',
  ...Object.fromEntries(IDENTITY_KEYS.map((key) => [key, answerTo(`'${key}'`)])),
  wave: 'item."waves[].title"',
  team: 'item."team?.name"',
  tags: `array_to_string(item."tags", '; ')`,
  bookerFirstName: 'item."booker.firstName"',
  bookerLastName: 'item."booker.lastName"',
  bookerEmail: 'item."booker.email"',
  bookerPhone: 'item."booker.phone"',
  bookingSource: 'item."bookingSource"',
  originalTicketPrice: 'trim_scale(round(item."originalTicketPrice?.value" / 100.0, 2))',
  currencyCode: 'item."originalTicketPrice?.currencyCode"',
  discountCodes: `nullif(array_to_string(item."bookingCodesUsed.discountCodes", '; '), '')`,
  shippingStatus: 'item."raceDayDetails.shipping?.status"',
  cancelled: 't.cancelled_at IS NOT NULL',
  gdprRedacted: 'item."gdprRedacted"',
  createdAt: instant('item."createdAt"'),
  updatedAt: instant('item."updatedAt"'),
};

/** The list of participants as lines of CSV: the columns, followed by the answers to the questions. */
export const csvOf = (list: ListDeclaration, questionIds: string[]): ListDeclaration => ({
  ...list,
  of: {
    ...PARTICIPANT,
    joins: (...given) => `${resolved(PARTICIPANT.joins, given)}
      CROSS JOIN LATERAL (SELECT ${resolved(PARTICIPANT.select, given)}) item
      CROSS JOIN LATERAL (
        SELECT coalesce(json_object_agg(answer->>'id', answer->'value'), '{}') AS by_id
        FROM json_array_elements(t.fields) answer) answers
      ${lineOf(`ARRAY[${Object.values(EXPORT_COLUMNS).map((sql) => `(${sql})::text`)}] || array(
          SELECT ${asText('answers.by_id->question')} FROM unnest(${given[1](questionIds)}::text[])
            WITH ORDINALITY asked (question, place) ORDER BY place)`)}`,
    json: 'csv.line',
  },
});
