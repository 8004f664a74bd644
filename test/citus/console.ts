import { Browser, workDone } from '../console/console';
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
  await ask('GET', `/history?subjectId=${rotated.key.id}`);
  await eventually(async () => (await ask('GET', '/requests')).data.length > 0);

  const { jobId } = await walk.import('bookings/import', 'bookings', [
    bookingOf(ids, [person(ids.mileTicket)]),
  ]);
  await ask('GET', '/import-jobs');
  await ask('GET', `/import-jobs/${jobId}/rows`);
  await ask('GET', `/import-jobs/${jobId}/places`);
  await browser.ask('GET', `/v0/import-jobs/${jobId}/undo`);
  const { body: undo } = (await browser.ask('POST', `/v0/import-jobs/${jobId}/undo`, {})) as { body: any };
  await eventually(async () => (await ask('GET', `/import-jobs/${undo.jobId}`)).status === 'COMPLETED');

  const records = [{ record: 'event', slug: 'console-run', title: 'Run' }];
  await ask('PUT', '/catalogue', { records });

  const mapping = { columns: { Vorname: 'participants[0].firstName' } };
  const { id } = await ask('POST', '/file-mappings', { surface: 'bookingsImport', name: 'website', mapping });
  await ask('GET', '/file-mappings');
  await ask('GET', `/file-mappings/${id}`);
  await ask('DELETE', `/file-mappings/${id}`);

  await ask('GET', '/participants?search=ada');
  for (const by of ['name', 'bib', 'wave'])
    await ask('GET', `/participants?sort%5B${by}%5D=1&eventOccurrenceId=${ids.occurrence}`);
  const added = await ask('POST', '/participants', {
    ...{ requestId: crypto.randomUUID(), eventOccurrenceId: ids.occurrence, beyondCapacity: true },
    participant: { ...person(ids.mileTicket), email: 'by-hand@example.com' },
  });
  const change = { change: { type: 'TAG', tag: 'by hand' }, participantIds: [added.id] };
  const changed = await ask('POST', '/participants/changes', change);
  const ended = (job: string) =>
    eventually(async () => (await ask('GET', `/import-jobs/${job}`)).status === 'COMPLETED');
  await ended(changed.jobId);
  const undone = await browser.ask('POST', `/v0/import-jobs/${changed.jobId}/undo`, {});
  await ended((undone.body as { jobId: string }).jobId);
  const { friend, other } = sold as Record<string, Sale>;
  await ask('GET', `/participants/${friend?.participantIds[0]}`);
  await ask('GET', `/participants/${friend?.participantIds[0]}/race-day-messages`);
  await ask('POST', '/participants/export', { participantIds: friend?.participantIds });
  await ask('PATCH', `/participants/${friend?.participantIds[0]}/race-day`, { bibNumber: 'F1' });
  await workDone(browser, await ask('POST', `/participants/${friend?.participantIds[0]}/redact`));
  expect((await browser.ask('DELETE', `/v0/bookings/${other?.bookingId}`)).status).toBe(200);
  const occurrence = `/event-occurrences/${ids.occurrence}`;
  await ask('GET', `/catalogue${occurrence}`);
  await ask('POST', '/catalogue/files', { name: 'a.json', content: btoa('[]') });
  for (const part of ['', '/entries-by-day', '/discount-codes', '/referral-programs'])
    await ask('GET', occurrence + part);
  const exported = await ask('POST', '/persons/export', { email: 'by-hand@example.com' });
  await workDone(browser, exported);
  await ask('GET', `/person-jobs/${exported.jobId}/file`);
  await workDone(browser, await ask('POST', '/persons/erase', { email: 'by-hand@example.com' }));
  await ask('GET', '/attention');
  await ask('GET', '/home');
  const [application] = (await ask('GET', '/applications')).data;
  await ask('POST', '/applications/by-ticket', {});
  await ask('POST', '/applications/decide', { decision: 'APPROVE', applicationIds: [application.id] });
  await ask('POST', '/applications/decide', { decision: 'REJECT', matching: { search: 'nobody' } });
  for (const { id: ballot } of (await ask('GET', '/ballots')).data) {
    const { draws } = await ask('GET', `/ballots/${ballot}`);
    await ask('POST', `/ballots/${ballot}/draw`, { number: draws.length + 1, seed: 'seed', places: 0 });
  }
  const [race] = (await ask('GET', '/race-day/races')).data;
  await ask('GET', `/races/${race.id}/start-list`);
  await ask('GET', '/event-occurrences');
  await ask('GET', '/partners');
  const [group] = (await ask('GET', '/reserved-entry-groups')).data;
  for (const part of ['', '/entries']) await ask('GET', `/reserved-entry-groups/${group.id}${part}`);
  const [code] = (await ask('GET', '/discount-codes')).data;
  for (const part of ['', '/entries']) await ask('GET', `/discount-codes/${code.id}${part}`);
  await ask('PATCH', `/discount-codes/${code.id}`, { limitUsage: null });
  await ask('GET', `/referral-programs/${ids.program}/referrals`);
  await ask('GET', `/races/${ids.race}/bibs`);
  await ask('GET', '/race-day/feed');
  await ask('GET', '/race-day/unidentified');

  await ask('PUT', '/me/password', { password: PASSWORD });
  await ask('DELETE', '/session');
  await asking(new Browser(api))('POST', '/session', {
    organization: slug,
    email: 'owner@example.com',
    password: PASSWORD,
  });
  await asking(await invited('third@example.com', 'viewer'))('DELETE', '/session?everywhere=true');
  await asking(new Browser(api))('POST', '/session/forgotten', {
    organization: slug,
    email: 'owner@example.com',
  });
}
