import type { Code } from '../../imports/codes';
import { byName } from './words';

/** Why a row failed, in a few words. */
export const codes = byName<Code>({
  NO_CAPACITY_REMAINING: 'No place left',
  EVENT_NOT_FOUND: 'Unknown event',
  EVENT_OCCURRENCE_NOT_FOUND: 'Unknown event',
  TICKET_NOT_FOUND: 'No ticket of this event',
  WAVE_NOT_FOUND: 'No wave of this race',
  FIELD_NOT_FOUND: 'Unknown question',
  ADD_ON_NOT_FOUND: 'No add-on of this event',
  PARTNER_NOT_FOUND: 'Unknown partner',
  BOOKING_NOT_FOUND: 'Unknown booking',
  PARTICIPANT_NOT_FOUND: 'Unknown participant',
  DISCOUNT_CODE_NOT_FOUND: 'Unknown discount code',
  DISCOUNT_CODE_NOT_APPLICABLE: 'Code not valid here',
  DISCOUNT_LIMIT_REACHED: 'Code used up',
  REFERRAL_PROGRAM_NOT_FOUND: 'Unknown referral program',
  REFERRER_NOT_FOUND: 'Unknown referral code',
  OWN_BOOKING: 'Own booking',
  REFERRAL_ALREADY_ATTRIBUTED: 'Counts for another code',
  INVALID_TRANSITION: 'Status can’t change like this',
  BOOKING_CANCELLED: 'Booking is cancelled',
  INVALID_ROW: 'Not as the field requires',
  INVALID_ANSWER: 'Answer not permitted',
  INVALID_PRICE: 'Only the first has a price',
  INVALID_SIGN: 'Wrong sign of the amount',
  INVALID_APPROVAL: 'Approval not permitted',
  INVALID_ASSIGNMENT: 'Not a group or its ticket',
  TIME_ZONE_REQUIRED: 'Time without a zone',
  AMBIGUOUS_TIME: 'Time when clocks change',
  OUT_OF_RANGE: 'Value out of range',
  TOO_LARGE: 'Too much data',
  CURRENCY_MISMATCH: 'Another currency',
  BIB_NUMBER_TAKEN: 'Bib is taken',
  NOT_CORRECTABLE: 'Can’t be changed by an import',
  PARTICIPANT_NOT_RECOGNISED: 'Person not recognised',
  PARTICIPANT_REDACTED: 'Person was redacted',
  DOMAIN_NOT_ALLOWED: 'Email domain not permitted',
  ALREADY_USED: 'Has a place already',
  DEADLINE_PASSED: 'After the deadline',
  CHANGED_SINCE_IMPORT: 'Changed since the import',
  NOT_REACHED: 'Not reached',
  INTERNAL: 'Unexpected error',
});

/** What can be done about it. */
export const remedies = byName<Code>({
  NO_CAPACITY_REMAINING:
    'Raise the capacity of the group or of its ticket, or choose another group. Then send the rows again.',
  EVENT_NOT_FOUND: 'Choose the event in the table.',
  EVENT_OCCURRENCE_NOT_FOUND:
    'Choose the event in the table. Its tickets and waves may need to be chosen, too.',
  TICKET_NOT_FOUND: 'Choose a ticket of the event, or create one. It can be booked at once.',
  WAVE_NOT_FOUND: 'Choose a wave of the ticket’s race, leave it empty, or create one.',
  FIELD_NOT_FOUND:
    'Remove the answer, or add the question to the booking form of the ticket. Then send the rows again.',
  ADD_ON_NOT_FOUND: 'Choose an add-on of the participant’s event in the table.',
  PARTNER_NOT_FOUND: 'Choose the partner in the table. If it is missing, create it under Partners.',
  BOOKING_NOT_FOUND: 'Import the bookings first, then send these rows again. Or correct the booking number.',
  PARTICIPANT_NOT_FOUND:
    'Import the bookings first, then send these rows again. Or correct the numbers of booking and participant.',
  DISCOUNT_CODE_NOT_FOUND: 'Correct the code, leave it empty, or import the code. Then send the rows again.',
  DISCOUNT_CODE_NOT_APPLICABLE:
    'The message says which rule the booking breaks. Correct or remove the code. If the price includes it already, set “Code included in price”.',
  DISCOUNT_LIMIT_REACHED:
    'Raise the limit of the code, or remove it from the rows. Then send the rows again.',
  REFERRAL_PROGRAM_NOT_FOUND: 'Choose the referral program in the table.',
  REFERRER_NOT_FOUND: 'Correct the code. The booking that owns it must be imported first.',
  OWN_BOOKING:
    'People can’t refer themselves: these rows can’t be imported. Correct the booking if it is the wrong one.',
  REFERRAL_ALREADY_ATTRIBUTED:
    'A booking counts for one code of a program, the first. These rows can’t be imported.',
  INVALID_TRANSITION:
    'A cancelled referral stays cancelled, and a redeemed one can only be cancelled. Correct the status.',
  BOOKING_CANCELLED:
    'A cancelled booking stays cancelled. Import the booking again, then send these rows again. Or name another booking.',
  INVALID_ROW: 'Correct the cells that are marked: the line below the table says what each must be.',
  INVALID_ANSWER: 'Choose one of the options in the table, or remove the answer.',
  INVALID_PRICE: 'Entries that share a ticket have one price: leave it empty for the others.',
  INVALID_SIGN: 'Discounts, credits and refunds are negative; add-ons, donations and fees are not.',
  INVALID_APPROVAL: 'Entries of this ticket are approved at once: leave the approval empty.',
  INVALID_ASSIGNMENT: 'Choose the group and one of its tickets in the table.',
  TIME_ZONE_REQUIRED:
    'Add an offset such as +01:00: the row does not name one event whose local time it could be.',
  AMBIGUOUS_TIME: 'The time exists twice, or not at all. Write one of the two readings in the message.',
  OUT_OF_RANGE: 'The message names the permitted values.',
  TOO_LARGE: 'Shorten the longest texts of the row: answers, metadata and tracking.',
  CURRENCY_MISMATCH: 'Correct the amount and its currency: they are those of the ticket or booking.',
  BIB_NUMBER_TAKEN: 'Take the next free bibs, enter others, or leave them empty and assign them later.',
  NOT_CORRECTABLE:
    'The sale, a cancellation or an erasure settled it. Change it on the participant’s page, or leave it as it is.',
  PARTICIPANT_NOT_RECOGNISED:
    'The booking has nobody with this name and birth date, or with this id. Add your ids of the participants, or correct the person on the participant’s page.',
  PARTICIPANT_REDACTED: 'The data of this person was removed for good. These rows can’t be imported.',
  DOMAIN_NOT_ALLOWED:
    'The group takes addresses of one domain only. Correct the address, or choose another group.',
  ALREADY_USED: 'The group gives each person one place. Correct the address, or choose another group.',
  DEADLINE_PASSED: 'Partners can’t assign after the deadline, staff can: send the rows again.',
  CHANGED_SINCE_IMPORT: 'Others changed it since the import. Check the changes, then undo it with them.',
  NOT_REACHED: 'The import ended before these rows. Retry the import.',
  INTERNAL:
    'It may have been temporary: send the rows again. If they fail again, give the job ID to support.',
});
