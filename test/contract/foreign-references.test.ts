import type { INestApplicationContext } from '@nestjs/common';
import { key, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { finished } from '../imports/import';
import { BODIES } from './bodies';
import { operation } from './document';
import { rowsOf, Stranger } from './stranger';

const THEIR_MARK = 'zyxwvrivals';

let api: TestApi;
let worker: INestApplicationContext;
let ours: WholeOrganization;
let theirs: WholeOrganization;
let token: string;
let theirRows: Record<string, string>;
let stranger: Stranger;
beforeAll(async () => {
  api = await startApi(UNLIMITED);
  ours = await wholeOrganization(api.dataSource, { mark: 'qwertyrunners' });
  theirs = await wholeOrganization(api.dataSource, { mark: THEIR_MARK });
  token = (await key(api.dataSource, { organizationId: ours.organizationId })).token;
  theirRows = await rowsOf(api.dataSource, theirs.organizationId);
  stranger = await Stranger.of(api.dataSource, theirs.organizationId, THEIR_MARK);
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

/** Imports one row of our data with the given changes, and follows the job to its end. */
async function importing(name: string, changes: Record<string, unknown>) {
  const { method, path } = operation(name);
  const body = BODIES[name]?.(ours) as Record<string, object[]>;
  const [[row] = []] = Object.values(body);
  for (const [place, value] of Object.entries(changes)) put(row as Row, place.split('.'), value);
  const accepted = await api.send(method, path, body, token);
  expect([accepted.status, accepted.text]).toEqual([200, expect.any(String)]);
  const job = await finished(api, path.replace('/v0/', ''), accepted.body.jobId, token);
  const answers = [
    await api.get(`${path}/${job.jobId}`, token),
    await api.get(`/v0/import-jobs/${job.jobId}/rows`, token),
  ];
  return { job, answers, sent: JSON.stringify(body) };
}

type Row = Record<string, unknown>;

function put(row: Row, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length > 0) put(row[name] as Row, rest, value);
  else row[name] = value;
}

/** The foreign record that a row refers to, and the expected result. */
const FOREIGN: [operation: string, what: string, (theirs: WholeOrganization) => Row, code: string][] = [
  [
    'importBookings',
    'occurrence',
    ({ ids }) => ({ eventOccurrenceId: ids['event-occurrences'] }),
    'EVENT_OCCURRENCE_NOT_FOUND',
  ],
  ['importBookings', 'ticket', ({ ids }) => ({ 'participants.0.ticketId': ids.tickets }), 'TICKET_NOT_FOUND'],
  ['importBookings', 'wave', ({ waveId }) => ({ 'participants.0.waveId': waveId }), 'WAVE_NOT_FOUND'],
  [
    'importBookings',
    'field',
    ({ ids }) => ({ 'participants.0.fields.0.id': ids['booking-form-fields'] }),
    'FIELD_NOT_FOUND',
  ],
  ['importBookings', 'partner', ({ ids }) => ({ partnerId: ids.partners }), 'PARTNER_NOT_FOUND'],
  ['importBookings', 'discount code', ({ mark }) => ({ discountCode: mark }), 'DISCOUNT_CODE_NOT_FOUND'],
  ['importLineItems', 'booking', ({ ids }) => ({ bookingId: ids.bookings }), 'BOOKING_NOT_FOUND'],
  [
    'importLineItems',
    'booking by id',
    ({ mark }) => ({ bookingId: null, externalBookingId: mark }),
    'BOOKING_NOT_FOUND',
  ],
  [
    'importLineItems',
    'participant',
    ({ ids }) => ({ participantId: ids.participants }),
    'PARTICIPANT_NOT_FOUND',
  ],
  ['replaceLineItems', 'booking', ({ ids }) => ({ bookingId: ids.bookings }), 'BOOKING_NOT_FOUND'],
  [
    'importAddOns',
    'participant',
    ({ ids }) => ({ participantId: ids.participants }),
    'PARTICIPANT_NOT_FOUND',
  ],
  [
    'importAddOns',
    'participant by id',
    ({ mark }) => ({ participantId: null, externalBookingId: mark, externalParticipantId: mark }),
    'NOT_FOUND',
  ],
  ['importAddOns', 'add-on', ({ addOnId }) => ({ addOnId }), 'ADD_ON_NOT_FOUND'],
  ['importAddOns', 'variant', ({ variantId }) => ({ variantId }), 'ADD_ON_NOT_FOUND'],
  ['replaceAddOns', 'add-on', ({ addOnId }) => ({ addOnId }), 'ADD_ON_NOT_FOUND'],
  ['importCredits', 'event', ({ ids }) => ({ eventId: ids.events }), 'NOT_FOUND'],
  [
    'importDiscountCodes',
    'occurrence',
    ({ ids }) => ({ eventOccurrenceIds: [ids['event-occurrences']] }),
    'EVENT_OCCURRENCE_NOT_FOUND',
  ],
  ['importDiscountCodes', 'ticket', ({ ids }) => ({ ticketIds: [ids.tickets] }), 'TICKET_NOT_FOUND'],
  ['importDiscountCodes', 'partner', ({ ids }) => ({ partnerId: ids.partners }), 'PARTNER_NOT_FOUND'],
  [
    'importReferrals',
    'program',
    ({ ids }) => ({ referralProgramId: ids['referral-programs'] }),
    'REFERRAL_PROGRAM_NOT_FOUND',
  ],
  ['importReferrals', 'code', ({ mark }) => ({ generatedReferralCode: mark }), 'REFERRER_NOT_FOUND'],
  ['importReferrals', 'booking', ({ ids }) => ({ referredBookingId: ids.bookings }), 'BOOKING_NOT_FOUND'],
  [
    'importReferrals',
    'booking by id',
    ({ mark }) => ({ referredBookingId: null, referredExternalBookingId: mark }),
    'BOOKING_NOT_FOUND',
  ],
  [
    'importReservedEntries',
    'group',
    ({ reservedEntryGroupId }) => ({ reservedEntryGroupId }),
    'INVALID_ASSIGNMENT',
  ],
  ['importReservedEntries', 'ticket slug', ({ mark }) => ({ ticketSlug: mark }), 'INVALID_ASSIGNMENT'],
  [
    'importReservedEntries',
    'field',
    ({ ids }) => ({ 'participant.fields.0.id': ids['booking-form-fields'] }),
    'FIELD_NOT_FOUND',
  ],
];

it.each(FOREIGN)(
  '%s fails a row that refers to another organization’s %s',
  async (name, _what, changes, code) => {
    const { job, answers, sent } = await importing(name, changes(theirs));
    expect(job.errors).toEqual([expect.objectContaining({ row: 0, code: expect.stringContaining(code) })]);
    for (const answer of answers) expect(stranger.tracesIn(answer, sent)).toEqual([]);
  },
);

it.each([
  ['importBookings', 'externalBookingId'],
  ['importLineItems', 'externalLineItemId'],
  ['importAddOns', 'externalAllocationId'],
  ['importCredits', 'externalCreditId'],
  ['importDiscountCodes', 'code'],
  ['importReservedEntries', 'externalAssignmentId'],
])('%s treats another organization’s %s as new', async (name, property) => {
  const { job, answers, sent } = await importing(name, { [property]: THEIR_MARK });
  expect([job.errors, job.results[0].outcome]).toEqual([[], 'IMPORTED']);
  for (const answer of answers) expect(stranger.tracesIn(answer, sent)).toEqual([]);
});

it('separates idempotency keys of organizations', async () => {
  const body = BODIES.importCredits?.(ours);
  const headers = { 'Idempotency-Key': 'monday' };
  const mine = await api.send('POST', '/v0/credits/import', body, token, headers);
  const { token: other } = await key(api.dataSource, { organizationId: api.organizationId });
  const others = await api.send('POST', '/v0/credits/import', BODIES.importCredits?.(ours), other, headers);
  expect([mine.status, others.status]).toEqual([200, 200]);
  expect(others.body.jobId).not.toBe(mine.body.jobId);
});

it('does not change the other organization', async () => {
  expect(await rowsOf(api.dataSource, theirs.organizationId)).toEqual(theirRows);
});
