import type { Page } from 'playwright-core';
import { booking, discountCode, SIGNING_SECRETS, ticket } from '#libs/testing';
import { Tokens, tokenOf } from '#platform/access';
import { ApiKey } from '#platform/database';
import { eventually } from '../../harness';
import { describeInBrowser, look } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

const IMPORTED = 3;
describeInBrowser('operations of staff', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo();
  });
  afterAll(() => demo?.close());

  const tokenOfKey = async (name: string) => {
    const { api, organizationId } = demo;
    const key = await api.dataSource.getRepository(ApiKey).findOneByOrFail({ organizationId, name });
    return tokenOf(new Tokens(SIGNING_SECRETS), key);
  };

  /** Bookings with two entries each, imported with the key of the demo. */
  async function importBookings(name: string) {
    const { id: ticketId, eventOccurrenceId } = await ticket(demo.api.dataSource, {
      organizationId: demo.organizationId,
    });
    const bookings = Array.from({ length: IMPORTED }, (_, i) => ({
      externalBookingId: `${name}-${i}`,
      eventOccurrenceId,
      booker: { email: `${name}-${i}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
      participants: ['Ada', 'Grace'].map((firstName) => ({ ticketId, firstName, lastName: `${name}${i}` })),
    }));
    const token = await tokenOfKey('test-demo');
    const send = async (query = '') => {
      const { body } = await demo.api.send('POST', `/v0/bookings/import${query}`, { bookings }, token);
      await eventually(
        async () => (await demo.api.get(`/v0/bookings/import/${body.jobId}`, token)).body.finishedAt,
      );
      return body;
    };
    const body = await send();
    const rows = await demo.api.get(`/v0/import-jobs/${body.jobId}/rows`, token);
    return {
      send,
      jobId: body.jobId as string,
      results: rows.body.data as { bookingId: string; participantIds: string[] }[],
    };
  }
  const statusOf = async (bookingId: string | undefined) =>
    (await demo.api.get(`/v0/bookings/${bookingId}`, await tokenOfKey('test-demo'))).body.status;
  const open = (page: Page, path: string) => page.goto(`${demo.api.url}/console/o/demo${path}`);

  it('cancels a booking from the page of a participant, after saying what happens', async () => {
    const { results } = await importBookings('cancel');
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/participants/${results[0]?.participantIds[0]}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Cancel booking' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('The booking has 2 entries. All that are not cancelled yet are cancelled.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Keep booking' }).click();
    expect(await statusOf(results[0]?.bookingId)).toBe('CONFIRMED');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Cancel booking' }).click();
    await dialog.getByRole('button', { name: 'Cancel booking' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    expect(await page.getByRole('menuitem', { name: 'Cancel booking' }).count()).toBe(0);
    expect([await statusOf(results[0]?.bookingId), await statusOf(results[1]?.bookingId)]).toEqual([
      'CANCELLED',
      'CONFIRMED',
    ]);
    expect(complaints).toEqual([]);
    await context.close();
    const viewer = await demo.signedIn('VIEWER');
    await open(viewer.page, `/participants/${results[1]?.participantIds[0]}`);
    await viewer.page.getByText('Race-day log').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'More' }).count()).toBe(0);
    await viewer.context.close();
  });

  it('undoes an import: three groups, a confirmation, and a job to follow', async () => {
    const { jobId, results } = await importBookings('undo');
    const [unchanged, changed, cancelled] = results;
    const token = await tokenOfKey('test-demo');
    await demo.api.send(
      'PATCH',
      `/v0/participants/${changed?.participantIds[0]}/race-day`,
      { customFields: [{ id: 'checkIn', value: true }] },
      token,
    );
    await demo.api.send('DELETE', `/v0/bookings/${cancelled?.bookingId}`, undefined, token);
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/imports/${jobId}`);
    await page.getByRole('button', { name: 'Undo import' }).click();
    const dialog = page.getByRole('dialog');
    const group = (name: string) =>
      dialog.locator('.undo-group', { hasText: name }).locator('h3 span').innerText();
    await dialog.getByText('Can be undone').waitFor();
    expect([
      await group('Can be undone'),
      await group('Changed since'),
      await group('Can’t be undone'),
    ]).toEqual(['1', '1', '1']);
    await dialog.getByText('1 × race-day updates').waitFor();
    await dialog.getByLabel('Also cancel 1 record that changed since').check();
    await dialog.getByRole('button', { name: 'Cancel 2 records' }).waitFor();
    await dialog.getByLabel('Also cancel 1 record that changed since').uncheck();
    await dialog.getByRole('button', { name: 'Cancel 1 record' }).click();
    await page.getByRole('heading', { name: 'Undo of an import' }).waitFor();
    await page.getByRole('main').getByText('Completed').waitFor();
    await page.getByRole('link', { name: 'Show the import' }).click();
    await page.getByText('This import is being undone, or was undone.').waitFor();
    expect(
      await Promise.all([unchanged, changed, cancelled].map((each) => statusOf(each?.bookingId))),
    ).toEqual(['CANCELLED', 'CONFIRMED', 'CANCELLED']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('offers no retry of rows of cancelled bookings, and counts them', async () => {
    const { send, results } = await importBookings('skipped');
    const token = await tokenOfKey('test-demo');
    await demo.api.send('DELETE', `/v0/bookings/${results[0]?.bookingId}`, undefined, token);
    const { jobId } = await send('?cancelled=skip');
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/imports/${jobId}`);
    await page.locator('.counts > div', { hasText: 'Cancelled before' }).getByText('1').waitFor();
    await page.getByText('No row failed', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry failed rows' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('takes addresses that the API takes, and knows a bib in other letters', async () => {
    const { results } = await importBookings('address');
    const [id] = results[0]?.participantIds ?? [];
    const token = await tokenOfKey('test-demo');
    const set = async (path: string, body: object) =>
      expect((await demo.api.send('PATCH', `/v0/participants/${id}${path}`, body, token)).status).toBe(200);
    await set('', { email: 'jürgen@exa_mple.de' });
    await set('/race-day', { bibNumber: 'a12' });
    await set('/race-day', { bibNumber: 'A12' });
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, '/participants/person');
    await page.getByRole('textbox', { name: 'Email' }).fill('jürgen@exa_mple.de');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('link', { name: 'Ada address0' }).waitFor();
    await open(page, `/participants/${id}`);
    await page.locator('.timeline > li').first().getByText('In effect').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('First name').fill('Jürgen');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Jürgen address0' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('ends a code by the clock of the server, and not before it begins', async () => {
    const { api, organizationId } = demo;
    const from = (startDateTime: string) =>
      discountCode(api.dataSource, { organizationId, startDateTime: new Date(startDateTime) });
    const [begun, later] = [await from('2026-01-01'), await from('2090-01-01')];
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.clock.setSystemTime(Date.now() + 3_600_000);
    const edit = async ({ id }: { id: string }) => {
      await open(page, `/partners/codes/${id}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Until').waitFor();
    };
    const end = page.getByRole('button', { name: 'End it now' });
    await edit(later);
    expect(await end.count()).toBe(0);
    await edit(begun);
    await end.click();
    await page.locator('.badge', { hasText: 'Expired' }).waitFor();
    const [{ endsLater }] = await api.dataSource.query(
      `SELECT end_date_time > now() AS "endsLater" FROM discount_codes WHERE id = $1`,
      [begun.id],
    );
    expect(endsLater).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows the answers of an application in words, and those of a ticket with a filter that can be cleared', async () => {
    const { api, organizationId } = demo;
    const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
      ...{ organizationId, title: 'By lot', approval: 'MANUAL' },
    });
    const answer = { label: 'Vegan', key: 'vegan', type: 'BOOLEAN', value: true };
    const fields = [{ id: '01990f3e-0000-7000-8000-000000000001', ...answer }];
    const { entries } = await booking(api.dataSource, {
      ...{ organizationId, ticketId, eventOccurrenceId },
      entries: [{ approvalStatus: 'PENDING', fields: fields as never }],
    });
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/applications/${entries[0]?.id}`);
    await page.locator('dl', { hasText: 'Vegan' }).getByText('yes', { exact: true }).waitFor();
    await open(page, '/');
    await page.getByRole('link', { name: /By lot/ }).click();
    const filter = page.getByRole('combobox', { name: 'Ticket' });
    await eventually(async () => (await filter.inputValue()).endsWith('By lot'));
    await open(page, '/log?from=abc');
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows requests of a key within seconds, and filters errors', async () => {
    const token = await tokenOfKey('test-demo');
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await open(page, '/developers/requests');
    await demo.api.get('/v0/participants/01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b', token);
    await page
      .getByRole('row', { name: /GET \/v0\/participants\/\{id\} 404/ })
      .first()
      .waitFor();
    await page.getByRole('row', { name: /404/ }).first().getByRole('button', { name: 'test-demo' }).click();
    await page.waitForURL(/keyId=/);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Errors' }).click();
    await page.waitForURL(/statusClass=errors/);
    await page.getByRole('row', { name: /404/ }).first().waitFor();
    const successes = page.locator('.badge', { hasText: /^2\d\d$/ });
    await eventually(async () => (await successes.count()) === 0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows timing messages live, and for whom they wait', async () => {
    const token = await tokenOfKey('test-demo-timing');
    const { page, context, complaints } = await demo.signedIn('RACE_DAY');
    await page.getByRole('link', { name: 'Live feed' }).click();
    const shipping = { shippedAt: '2026-05-04T09:30:00Z', trackingNumber: 'T-1' };
    const changedAt = new Date().toISOString();
    await demo.api.send(
      'POST',
      '/timing-inbound/v1',
      { schemaVersion: '1.0', data: { bibNumber: 'W-4711', shipping }, changedAt },
      token,
    );
    await page.getByRole('heading', { name: 'Waiting messages' }).waitFor();
    await page
      .getByRole('row', { name: /Bib W-4711/ })
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Unidentified timing messages' }).waitFor();
    await page
      .getByRole('row', { name: /Bib W-4711 Nobody has the bib/ })
      .first()
      .waitFor();
    expect(await page.locator('.counts', { hasText: 'Accepted' }).innerText()).toMatch(/Unidentified\s+1\b/);
    await look(page, 'feed');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
