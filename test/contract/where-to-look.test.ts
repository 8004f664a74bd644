import { ticket } from '#libs/testing';
import { signedIn } from '../console/console';
import { startApi, type TestApi } from '../harness';
import { message, RaceDay, shipping } from '../race-day/race-day';
import { WEBHOOK_SECRETS_KEY } from '../webhooks/receiver';
import { DOCUMENT } from './document';

/** Whatever is accepted now and done later has a path in its response, which says what became of it. */
let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    RATE_SIGN_IN: '1000',
    WEBHOOK_SECRETS_KEY,
  });
});
afterAll(() => api?.close());

it('of timing messages: the status', async () => {
  const raceDay = await RaceDay.of(api);
  const { body } = await raceDay.send(message({ bibNumber: 'WHERE', shipping: shipping() }));
  const status = await api.get(body.statusUrl, raceDay.timingToken);
  expect(status).toMatchObject({ status: 200, body: { accepted: 1, pending: 1 } });
  const list = await api.get(status.body.unidentifiedUrl, raceDay.timingToken);
  expect(list.status).toBe(200);
});

it('of race-day updates, with a key and by staff: the participant', async () => {
  const raceDay = await RaceDay.of(api);
  const id = await raceDay.participant();
  const customFields = [{ id: 'kit', value: true }];
  const { browser } = await signedIn(api, 'MANAGER');
  const answers = [
    await raceDay.update(id, { customFields }),
    await browser.ask('PATCH', `/console/v1/participants/${id}/race-day`, { customFields }),
  ];
  for (const { body } of answers)
    expect(await api.get(body.participantUrl)).toMatchObject({ status: 200, body: { id } });
});

it('of imports: the job, also when the request is repeated', async () => {
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
    organizationId: api.organizationId,
  });
  const person = { firstName: 'Ada', lastName: 'Lovelace' };
  const row = {
    externalBookingId: 'WHERE-1',
    eventOccurrenceId,
    booker: { email: 'ada@example.com', ...person },
    participants: [{ ticketId, ...person }],
  };
  const headers = { 'idempotency-key': 'where' };
  for (let i = 0; i < 2; i++) {
    const { body } = await api.send('POST', '/v0/bookings/import', { bookings: [row] }, undefined, headers);
    expect(await api.get(body.jobUrl)).toMatchObject({ status: 200, body: { jobId: body.jobId } });
  }
});

it('of deliveries of webhooks: the delivery, and the list of those that are due', async () => {
  const endpoint = { url: 'https://example.com/hook', types: ['participant.created'] };
  const { body: made } = await api.send('POST', '/v0/webhook-endpoints', endpoint);
  const ping = await api.send('POST', `/v0/webhook-endpoints/${made.id}/ping`, {});
  expect(await api.get(ping.body.deliveryUrl)).toMatchObject({
    status: 200,
    body: { id: ping.body.deliveryId },
  });
  const again = await api.send('POST', '/v0/webhook-deliveries/retry', {
    ...{ since: '2026-01-01T00:00:00Z', endpointId: made.id },
  });
  const { body } = await api.get(again.body.deliveriesUrl);
  expect(body.data.map(({ id }: any) => id)).toEqual([ping.body.deliveryId]);
});

it('in the reference: every response to a change that is applied later has such a path', () => {
  const later = ['AcceptedImport', 'TimingReceipt', 'RaceDayReceipt', 'WebhookPing', 'WebhookRetried'];
  for (const name of later) {
    const names = Object.keys(DOCUMENT.components.schemas[name].properties);
    expect([name, names.some((property) => property.endsWith('Url'))]).toEqual([name, true]);
  }
});
