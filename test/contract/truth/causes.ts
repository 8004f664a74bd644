import type { RecordName } from './leaves';

/**
 * What changes each property, as `ways.ts` names it, or why nothing does. A property that is not here fails the test. So does a way
 * that is not observed, and a constant that changes.
 */
type Causes = Record<string, readonly string[] | string>;

const IDENTITY = 'It identifies the record, or tells its times.';
const SALE = 'The sale settled it: nothing changes it afterwards.';
const PARTNERS_ONLY = 'Only keys of partners read it: a count at the time of reading, as totals are.';
const ANNOUNCES = 'It is what the test is about.';

const PUT = 'PUT /v0/bookings/import';
const FILE = 'start-list load';
const PATCH = 'PATCH /v0/participants/{id}';
const TRANSFER = 'POST /v0/participants/{id}/transfer';
const RACE_DAY = 'PATCH /v0/participants/{id}/race-day';
const TIMING = 'POST /timing-inbound/v1';
const CORRECTED = [PUT, FILE];
const REDACTED = ['participant redact', 'console: redact a participant', 'person erase'];
const CANCELLED = ['DELETE /v0/bookings/{id}', 'booking cancel', 'console: cancel a booking', 'import undo'];
const DECIDED = ['application approve', 'application reject', 'ballot draw'];
const RACE = ['catalogue load: race'];
const OCCURRENCE = ['catalogue load: occurrence'];
const TICKET = ['catalogue load: ticket'];
const GROUP = ['catalogue load: reserved entry group'];
const PARTNER_FILE = 'catalogue load: partner';
const GROUP_PARTNER = [
  'PATCH /v0/partners/{id}, of a reserved entry group',
  PARTNER_FILE,
  'catalogue load: partner of a group',
];
const MONEY = [
  ...['POST /v0/bookings/line-items/import', 'PUT /v0/bookings/line-items/import'],
  ...['POST /v0/add-ons/import', 'PUT /v0/add-ons/import'],
];

const ENTRY: Causes = {
  'id bookingId eventId eventOccurrenceId createdAt': IDENTITY,
  updatedAt: ANNOUNCES,
  'participantIndex raceId ticketId competitorSize': SALE,
  'originalTicketPrice.value originalTicketPrice.currencyCode bookingCodesUsed.discountCodes': SALE,
  externalBookingId: ['person erase'],
  externalParticipantId: [PUT],
  transactionId: [FILE],
  ticketTitle: TICKET,
  'waves.id': [...CORRECTED, PATCH],
  'waves.title waves.startDateTime': [...CORRECTED, PATCH, 'catalogue load: wave'],
  'fields.id fields.key fields.label fields.type': REDACTED,
  'fields.value': [...CORRECTED, PATCH, TRANSFER, ...REDACTED],
  'booker.firstName booker.lastName booker.email': [...CORRECTED, ...REDACTED],
  'booker.phone': CORRECTED,
  'bookerType incrementalStatus': CORRECTED,
  bibNumber: [...CORRECTED, PATCH, RACE_DAY, TIMING, 'DELETE /v0/bookings/{id}'],
  'bookingCodesUsed.referralCodes': ['POST /v0/referrals/import'],
  'bookingCodesUsed.reservedEntryCodes reservedEntryUrl reservedEntryGroupCode reservedEntryGroupName': GROUP,
  'partnerMarketingOptIns.partnerId partnerMarketingOptIns.optedIn': [FILE],
  tags: [...CORRECTED, PATCH],
  gdprRedacted: REDACTED,
  'statusDetails.status statusDetails.at statusDetails.reason': CANCELLED,
  tracking: [...CORRECTED, 'person erase'],
  eventName: ['catalogue load: event'],
  'raceName sportId distanceId distances.value distances.unit disciplineLabel': RACE,
  raceStartDate: [...RACE, ...OCCURRENCE],
  'course.id course.title course.distance.value course.distance.unit': RACE,
  'eventLocation.coordinates.latitude eventLocation.coordinates.longitude': OCCURRENCE,
  'eventLocation.address.city eventLocation.address.formatted eventLocation.address.countryCode': OCCURRENCE,
  'eventLocation.address.countryName eventLocation.address.addressLine1 eventLocation.address.addressLine2':
    OCCURRENCE,
  'eventLocation.address.countyLine eventLocation.address.postCode': OCCURRENCE,
  'reservedEntryPartnerExternalIds reservedEntryPartnerName': GROUP_PARTNER,
  metadata: [...CORRECTED, RACE_DAY, TIMING, ...REDACTED],
};

export const CAUSES: Record<RecordName, Causes> = {
  Participant: {
    ...ENTRY,
    'participantId applicationId': IDENTITY,
    'waves.capacity': [...CORRECTED, PATCH, 'catalogue load: wave'],
    status: CANCELLED,
    'raceDayDetails.customFields.id raceDayDetails.customFields.value': [RACE_DAY],
    'raceDayDetails.shipping.status raceDayDetails.shipping.shippedAt raceDayDetails.shipping.carrier': [
      TIMING,
    ],
    'raceDayDetails.shipping.trackingNumber raceDayDetails.shipping.trackingUrl': [TIMING],
    raceDayErrors: [TIMING],
    'resultSubmission.url resultSubmission.submittedAt': [FILE],
    'team.id team.roles': [...CORRECTED, PATCH],
    'team.name': [...CORRECTED, PATCH, 'participant redact'],
    'notes bookingSource': [FILE],
    duplicateOf: 'Only the responses of a transfer and of staff who add somebody have it.',
    charityOptIn: [FILE, ...GROUP_PARTNER.slice(0, 2), 'catalogue load: type of a partner'],
  },
  Application: {
    ...ENTRY,
    'waves.capacity': 'Only lists of participants have it.',
    approvalStatus: DECIDED,
    'statusDetails.status statusDetails.at statusDetails.reason': [...CANCELLED, ...DECIDED],
    applicationResolutionType: [FILE],
    ballotDraw: [FILE, 'ballot draw'],
    notes: [FILE],
    hasDonated: [...MONEY.slice(0, 2), ...TICKET],
  },
  TimingParticipant: {
    'participantId eventOccurrenceId createdAt': IDENTITY,
    updatedAt: ANNOUNCES,
    raceId: SALE,
    externalParticipantId: [PUT],
    bibNumber: [...CORRECTED, PATCH, RACE_DAY, TIMING, 'DELETE /v0/bookings/{id}'],
    raceTitle: RACE,
    'wave.id': [...CORRECTED, PATCH],
    'wave.title wave.startDateTime': [...CORRECTED, PATCH, 'catalogue load: wave'],
    cancelled: CANCELLED,
    firstName: [...CORRECTED, PATCH, TRANSFER, ...REDACTED],
    lastName: [TRANSFER, ...REDACTED],
    gender: [PUT],
    ageOnRaceDay: [
      'catalogue load: date of an occurrence',
      'catalogue load: date of a race',
      'console: redact a participant',
    ],
    yearOfBirth: ['console: redact a participant'],
    answers: [PUT, 'console: redact a participant'],
    'team.id team.name': [...CORRECTED, PATCH],
  },
  Booking: {
    'id eventId eventOccurrenceId createdAt': IDENTITY,
    updatedAt: ANNOUNCES,
    'total.currencyCode currencyCode applicationIds discountCode': SALE,
    externalBookingId: ['person erase'],
    source: [FILE],
    'status cancelledAt': CANCELLED,
    'total.value': MONEY,
    'booker.firstName booker.lastName booker.email': [
      ...CORRECTED,
      'console: redact a participant',
      'person erase',
    ],
    'booker.phone bookerType partnerId bookedAt': CORRECTED,
    participantIds: ['application approve', 'ballot draw'],
    tracking: [...CORRECTED, 'person erase'],
    metadata: [...CORRECTED, 'console: redact a participant', 'person erase'],
  },
  Partner: {
    'id createdAt parentPartnerId': IDENTITY,
    'codeUses referralCount': PARTNERS_ONLY,
    updatedAt: ANNOUNCES,
    name: ['PATCH /v0/partners/{id}', PARTNER_FILE],
    'description externalIds canCreateSubPartners defaultMarketing.optInText': [
      'PATCH /v0/partners/{id}',
      PARTNER_FILE,
    ],
    'defaultMarketing.url defaultMarketing.logoUrl': ['PATCH /v0/partners/{id}'],
    'specificMarketings.optInText specificMarketings.url specificMarketings.logoUrl': [
      'PATCH /v0/partners/{id}',
    ],
    'specificMarketings.eventId': [PARTNER_FILE],
    type: ['catalogue load: type of a partner'],
    'contacts.firstName contacts.lastName contacts.email contacts.phone contacts.role': [
      PARTNER_FILE,
      'person erase, of a contact',
    ],
  },
};
