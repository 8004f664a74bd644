import {
  type BrokenRule,
  brokenAnswers,
  brokenBirthDate,
  brokenName,
  brokenPrice,
  defineImport,
  when,
} from '#platform/import-rows';
import { type BookingImportRow, BookingsImport } from './booking-row.dto';

const repeatedParticipants = (participants: BookingImportRow['participants']): BrokenRule[] => {
  const known = new Map<string, number>();
  return participants.flatMap(({ externalParticipantId: id }, i): BrokenRule[] => {
    const first = id == null ? undefined : known.get(id);
    if (id != null && first === undefined) known.set(id, i);
    return when([
      first !== undefined,
      `participants[${i}].externalParticipantId`,
      'DUPLICATE',
      `is the same as in participants[${first}]`,
    ]);
  });
};

export const bookingsImport = defineImport<'bookingsImport', BookingImportRow>({
  surface: 'bookingsImport',
  what: 'bookings',
  description:
    'Bookings that were sold elsewhere. Ticket capacity, race capacity, sale dates and required answers are not ' +
    'checked; the bookings count against the capacity, and their entries are approved. Each participant gets one ' +
    '`TICKET` line item. A discount code becomes line items of type `DISCOUNT`.',
  path: 'bookings/import',
  collection: 'bookings',
  body: BookingsImport,
  row: 'BookingImportRow',
  externalId: 'externalBookingId',
  skipsCancelled: true,
  corrects:
    'Corrects bookings by `externalBookingId`, and participants by `externalParticipantId`, or by name and birth date. Accepts the ' +
    'rows of `POST`, with all participants of the booking: names, emails and the other answers, booker, wave, team, tags, bib, ' +
    'metadata and tracking. Absent properties do not change, `null` removes a value, and `tags` and `metadata` are replaced ' +
    'as a whole (`[]` and `{}` empty them). A different ticket, price, discount code or occurrence fails with `NOT_CORRECTABLE`, and so does ' +
    '`null` for the discount code that a booking used, another value for a participant who was cancelled, and a booking whose ' +
    'booker was erased. A bib is a ' +
    'claim at the time of the request. A row is corrected completely or not at all.',
  identity: { externalBookingId: 'exact' },
  broken: ({ booker, bookerType, partnerId, participants, metadata }) => [
    ...when([
      metadata && 'startline' in metadata,
      'metadata.startline',
      'INVALID_COMBINATION',
      'is set by the platform',
    ]),
    ...brokenName('booker', booker),
    ...repeatedParticipants(participants),
    ...when([
      partnerId && bookerType !== 'PARTNER',
      'partnerId',
      'INVALID_COMBINATION',
      'is only valid when bookerType is PARTNER',
    ]),
    ...participants.flatMap(({ dateOfBirth, price, originalPrice, fields, ...person }, i) => [
      ...brokenName(`participants[${i}]`, person),
      ...brokenBirthDate(`participants[${i}].dateOfBirth`, dateOfBirth),
      ...brokenAnswers(`participants[${i}].fields`, fields),
      ...brokenPrice(`participants[${i}].price`, price),
      ...brokenPrice(`participants[${i}].originalPrice`, originalPrice),
    ]),
  ],
  ids: {
    bookingId: 'bookings.id',
    participantId: 'start_list_entries.participant_id',
    participantIds: 'start_list_entries.participant_id',
  },
  competesFor: `
    SELECT 'bibs/' || t.race_id AS thing FROM jsonb_array_elements(r.payload -> 'participants') p
    JOIN tickets t ON t.organization_id = r.organization_id AND t.id = (p ->> 'ticketId')::uuid
    WHERE p ->> 'bibNumber' IS NOT NULL
    UNION ALL
    SELECT 'bibs/' || (r.payload ->> 'raceId') WHERE r.payload ->> 'raceId' IS NOT NULL
    UNION ALL
    SELECT 'code/' || compared(r.payload ->> 'discountCode') WHERE r.payload ->> 'discountCode' IS NOT NULL`,
  handler: () => (require('./import-bookings') as typeof import('./import-bookings')).importBookings,
  change: () =>
    (require('./change/change-participants') as typeof import('./change/change-participants'))
      .changeParticipants,
  undo: {
    permission: 'bookings:write',
    handler: () => (require('./undo-bookings') as typeof import('./undo-bookings')).undoBookings,
  },
});
