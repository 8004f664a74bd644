import type { INestApplicationContext } from '@nestjs/common';
import { key, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { finished } from '../imports/import';
import { BODIES } from './bodies';
import { DOCUMENT, OPERATIONS, operation, type Schema } from './document';
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

/** The places of ids below a schema. */
function idsIn(schema: Schema, place = ''): string[] {
  const own = schema.$ref ? DOCUMENT.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  const { format, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = own;
  if (format === 'uuid') return [place];
  return [
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each: Schema) => idsIn(each, place)),
    ...Object.entries(properties).flatMap(([name, inner]) => idsIn(inner as Schema, `${place}.${name}`)),
    ...(items ? idsIn(items, `${place}[]`) : []),
  ];
}

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

/** Each id of a body that names a record, by operation and place: the change that makes it another organization's. */
const NAMED: Record<string, (theirs: WholeOrganization) => Row> = {
  'correctParticipant.fields[].id': ({ ids }) => ({
    fields: [{ id: ids['booking-form-fields'], value: 'x' }],
  }),
  'correctParticipant.waveId': ({ waveId }) => ({ waveId }),
  'createPartner.parentPartnerId': ({ ids }) => ({ parentPartnerId: ids.partners }),
  'createPartner.specificMarketings[].eventId': ({ ids }) => ({
    specificMarketings: [{ eventId: ids.events, optInText: 'Write to me' }],
  }),
  'createWebhookEndpoint.eventOccurrenceIds[]': ({ ids }) => ({
    eventOccurrenceIds: [ids['event-occurrences']],
  }),
  'moveParticipant.ticketId': ({ ids }) => ({ ticketId: ids.tickets }),
  'moveParticipant.waveId': ({ waveId }) => ({ waveId }),
  'planBibs.ranges[].order[].fieldId': ({ ids }) => ({
    ranges: [{ from: 1, to: 9, order: [{ by: 'ANSWER', fieldId: ids['booking-form-fields'] }] }],
  }),
  'planBibs.ranges[].ticketIds[]': ({ ids }) => ({ ranges: [{ from: 1, to: 9, ticketIds: [ids.tickets] }] }),
  'planBibs.ranges[].waveIds[]': ({ waveId }) => ({ ranges: [{ from: 1, to: 9, waveIds: [waveId] }] }),
  'retryFailedWebhookDeliveries.endpointId': ({ ids }) => ({ endpointId: ids['webhook-endpoints'] }),
  'transferParticipant.fields[].id': ({ ids }) => ({
    fields: [{ id: ids['booking-form-fields'], value: 'x' }],
  }),
  'updatePartner.specificMarketings[].eventId': ({ ids }) => ({
    specificMarketings: [{ eventId: ids.events, optInText: 'Write to me' }],
  }),
  'updateWebhookEndpoint.eventOccurrenceIds[]': ({ ids }) => ({
    eventOccurrenceIds: [ids['event-occurrences']],
  }),
};

it('names every id of a body; rows of imports are above, and timing messages wait for whom they name', () => {
  const isRow = ({ name }: { name: string }) => /^(import|replace|correctBookings)/.test(name);
  const found = OPERATIONS.filter((each) => !isRow(each) && each.name !== 'ingestTiming').flatMap(
    ({ name, body }) => (body ? idsIn(body).map((place) => `${name}${place}`) : []),
  );
  expect([...new Set(found)].sort()).toEqual(Object.keys(NAMED).sort());
});

it.each(Object.keys(NAMED))('%s can’t be another organization’s', async (place) => {
  const [name = ''] = place.split('.');
  const { method, path } = operation(name);
  const at = path.replace(/([\w-]+)\/\{\w+\}/g, (_, of) => `${of}/${ours.ids[of]}`);
  const body = { ...BODIES[name]?.(ours), ...NAMED[place]?.(theirs) };
  const answer = await api.send(method, at, body, token);
  // It chooses among our own deliveries, as a filter does: none is of theirs.
  if (name === 'retryFailedWebhookDeliveries') expect(answer.body.deliveries).toBe(0);
  else expect([answer.status, answer.body.problems]).toEqual([400, [expect.any(Object)]]);
  expect(stranger.tracesIn(answer, JSON.stringify(body))).toEqual([]);
});

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
