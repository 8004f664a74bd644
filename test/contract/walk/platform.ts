import { eventually } from '../../harness';
import type { Organization } from './organization';

export async function webhooks(walk: Organization) {
  const { ids } = walk;
  await walk.items('/v0/change-events');
  const endpoint = (path: string, more: object = {}) =>
    walk.ask('POST', '/v0/webhook-endpoints', {
      ...{ url: `${walk.receiver.url}/${path}`, types: ['partner.created'], description: path, ...more },
    });
  const [{ id: bad }, { id: closed }, { id: ended }] = [
    await endpoint('asked'),
    await endpoint('closes'),
    await endpoint('gone'),
  ];
  await endpoint('off', { enabled: false, eventOccurrenceIds: [ids.occurrence] });
  await endpoint('says');
  await walk.ask('POST', '/v0/partners', {
    name: 'Sponsor',
    contacts: [{ firstName: 'A', lastName: 'B', email: 'a@b.example' }],
  });
  const ended_ = () => walk.ask('GET', `/v0/webhook-endpoints/${ended}`);
  await eventually(async () => (await ended_()).disabledReason === 'GONE');
  const disabled = '/v0/change-events?type=webhook_endpoint.disabled';
  await eventually(async () => (await walk.items(disabled)).length > 0);
  const failed = (id: string) =>
    eventually(async () => {
      const [delivery] = await walk.items(`/v0/webhook-deliveries?endpointId=${id}`);
      return delivery?.state === 'FAILED' && delivery.id;
    });
  const delivery = await failed(bad);
  await walk.ask('GET', `/v0/webhook-deliveries/${delivery}`);
  await failed(closed);
  for (const id of [bad, ended]) await walk.ask('POST', `/v0/webhook-endpoints/${id}/rotate-secret`);
  await walk.ask('POST', `/v0/webhook-deliveries/${delivery}/retry`);
  for (const since of ['2026-01-01T00:00:00Z', new Date().toISOString()])
    await walk.ask('POST', '/v0/webhook-deliveries/retry', { endpointId: closed, since });
  await walk.ask('POST', `/v0/webhook-endpoints/${bad}/ping`);
  await walk.ask('PATCH', `/v0/webhook-endpoints/${bad}`, { enabled: false });
  await walk.ask('POST', `/v0/webhook-endpoints/${bad}/rotate-secret`);
  await walk.ask('DELETE', `/v0/webhook-endpoints/${closed}`);
}

export async function keys(walk: Organization, partnerId: string) {
  const { ids } = walk;
  const ofPartner = await walk.key('organizer', '--partner', partnerId);
  await walk.ask('GET', '/identity', undefined, ofPartner.token);
  const branch = { name: 'Branch', contacts: [{ firstName: 'A', lastName: 'B', email: 'a@b.example' }] };
  await walk.ask('POST', '/v0/partners', branch, ofPartner.token);
  await walk.ask('GET', `/v0/partners/${partnerId}`, undefined, ofPartner.token);
  const scoped = ['--occurrence', ids.occurrence, '--endpoint', 'registrationStatus'];
  const { id, token } = await walk.key('organizer', ...scoped);
  await walk.ask('GET', '/identity', undefined, token);
  const narrow = await walk.key('organizer', '--permission', 'participants:read');
  await walk.ask('GET', '/identity', undefined, narrow.token);
  const path = `/v0/event-occurrences/${ids.occurrence}/registration-status`;
  for (const email of ['ada@example.com', 'nobody@example.com'])
    await walk.ask('POST', path, { email }, token);
  await walk.command('key', 'revoke', id);
  await eventually(async () => (await walk.items('/v0/change-events?type=key.revoked')).length > 0);
}
