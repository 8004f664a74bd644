import { Browser } from '../console/console';
import type { Organization } from '../contract/walk/organization';
import { bookingOf, person, type Sale } from '../contract/walk/rows';
import { eventually } from '../harness';

const PASSWORD = 'correct horse battery staple';
const V1 = '/console/v1';

/** Calls every operation of the console; each must succeed. */
export async function workInConsole(walk: Organization, sold: Record<string, Sale>): Promise<void> {
  const { api, ids, slug } = walk;
  const asking = (browser: Browser) => async (method: string, path: string, body?: unknown) => {
    const answer = await browser.ask(method, V1 + path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const invited = async (email: string, role: string, link?: string): Promise<Browser> => {
    const given =
      link ??
      (await walk.command('staff', 'invite', '--organization', slug, '--email', email, '--role', role)).link;
    const token = new URLSearchParams(given.split('#')[1]).get('token') ?? '';
    const browser = new Browser(api);
    const { status, text } = await browser.redeem(slug, token);
    if (status !== 200) throw new Error(`${email}: ${text}`);
    return browser;
  };

  const browser = await invited('owner@example.com', 'owner');
  const ask = asking(browser);
  await ask('GET', '/session/options');
  await ask('GET', '/me');

  const { member, link } = await ask('POST', '/staff', { email: 'second@example.com', role: 'VIEWER' });
  await invited('second@example.com', 'viewer', link);
  await ask('PATCH', `/staff/${member.id}`, { role: 'MANAGER' });
  await ask('POST', `/staff/${member.id}/reset`);
  await ask('GET', '/staff');
  await ask('DELETE', `/staff/${member.id}`);

  const members = `/partners/${ids.charity}/members`;
  await ask('POST', members, { email: 'charity@example.com' });
  await ask('GET', members);

  const { key } = await ask('POST', '/keys', {
    name: 'website',
    kind: 'ORGANIZER',
    endpoints: ['registrationStatus'],
  });
  await ask('PATCH', `/keys/${key.id}`, { eventOccurrenceIds: [ids.occurrence] });
  const rotated = await ask('POST', `/keys/${key.id}/rotate`, { overlapHours: 1 });
  await ask('POST', `/keys/${rotated.key.id}/revoke`);
  await ask('GET', '/keys');
  await ask('GET', '/audit-log');
  await eventually(async () => (await ask('GET', '/requests')).data.length > 0);

  const { jobId } = await walk.import('bookings/import', 'bookings', [
    bookingOf(ids, [person(ids.mileTicket)]),
  ]);
  await ask('GET', '/import-jobs');
  await ask('GET', `/import-jobs/${jobId}/rows`);
  await ask('GET', `/import-jobs/${jobId}/undo`);
  const undo = await ask('POST', `/import-jobs/${jobId}/undo`, {});
  await eventually(async () => (await ask('GET', `/import-jobs/${undo.jobId}`)).status === 'COMPLETED');

  const records = [{ record: 'event', slug: 'console-run', title: 'Run' }];
  await ask('PUT', '/catalogue', { records });

  const mapping = { columns: { Vorname: 'participants[0].firstName' } };
  const { id } = await ask('POST', '/file-mappings', { surface: 'bookingsImport', name: 'website', mapping });
  await ask('GET', '/file-mappings');
  await ask('GET', `/file-mappings/${id}`);
  await ask('DELETE', `/file-mappings/${id}`);

  await ask('GET', '/participants?search=ada');
  const { friend, other } = sold as Record<string, Sale>;
  await ask('GET', `/participants/${friend?.participantIds[0]}`);
  await ask('GET', `/participants/${friend?.participantIds[0]}/race-day-messages`);
  await ask('PATCH', `/participants/${friend?.participantIds[0]}/race-day`, { bibNumber: 'F1' });
  await ask('POST', `/participants/${friend?.participantIds[0]}/redact`);
  await ask('POST', `/bookings/${other?.bookingId}/cancel`);
  const occurrence = `/event-occurrences/${ids.occurrence}`;
  await ask('GET', `/catalogue${occurrence}`);
  for (const part of ['', '/discount-codes', '/referral-programs']) await ask('GET', occurrence + part);
  await ask('GET', '/race-day/feed');
  await ask('GET', '/race-day/unidentified');

  await ask('PUT', '/me/password', { password: PASSWORD });
  await ask('DELETE', '/session');
  await asking(new Browser(api))('POST', '/session', {
    organization: slug,
    email: 'owner@example.com',
    password: PASSWORD,
  });
  await asking(await invited('third@example.com', 'viewer'))('DELETE', '/sessions');
}
