import type { Page } from 'playwright-core';
import { booking, ticket } from '#libs/testing';
import { newId, StartListEntry } from '#platform/database';
import { eventually } from '../../harness';
import { describeInBrowser, look, picture, printed } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('work of the office', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo();
  });
  afterAll(() => demo?.close());

  const open = (page: Page, path: string) => page.goto(`${demo.api.url}/console/o/demo${path}`);
  const statesOf = async (ticketId: string) =>
    (await demo.api.dataSource.getRepository(StartListEntry).findBy({ ticketId })).map(
      ({ approvalStatus }) => approvalStatus,
    );

  /** A ticket with pending applications of people with this last name. */
  async function applied(lastName: string, count: number) {
    const { organizationId } = demo;
    const approval = 'MANUAL';
    const made = await ticket(demo.api.dataSource, { organizationId, approval, maxCapacity: 100 });
    for (let i = 0; i < count; i += 1)
      await booking(demo.api.dataSource, {
        organizationId,
        ticketId: made.id,
        entries: [
          {
            approvalStatus: 'PENDING',
            applicationResolutionType: approval,
            fields: Object.entries({ firstName: `Ada${i}`, lastName }).map(([key, value]) => ({
              ...{ id: newId(), key, label: key, type: 'TEXT', value },
            })),
          },
        ],
      });
    return made;
  }

  it('finds applications, rejects one with a reason and approves the others together', async () => {
    const { id } = await applied('Brightwater', 3);
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, '/applications');
    await page.getByRole('searchbox').fill('brightw');
    await page.getByRole('button', { name: 'Approve all 3', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select Ada1 Brightwater' }).check();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The qualifying time is missing.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('1 application rejected.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Approve all 2', exact: true }).click();
    // Those that are approved match no longer.
    const counted = page.waitForResponse('**/console/v1/applications/by-ticket');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('2 applications approved.').waitFor();
    await (await counted).finished();
    await dialog.getByRole('heading', { name: 'Approve 2 applications?' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect((await statesOf(id)).sort()).toEqual(['APPROVED', 'APPROVED', 'REJECTED']);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('creates a partner with a sub-partner, and changes its name', async () => {
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, '/partners');
    const dialog = page.getByRole('dialog');
    const contact = async (name: string) => {
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await dialog.getByLabel('First name').fill('Grace');
      await dialog.getByLabel('Last name').fill('Hopper');
      await dialog.getByLabel('Email').fill('grace@example.com');
      await dialog.getByRole('button', { name: 'Create a partner' }).click();
    };
    await page.getByRole('button', { name: 'Create a partner' }).click();
    await contact('Lighthouse Trust');
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Trust' }).waitFor();
    await page.getByText('grace@example.com').waitFor();
    await page.getByRole('button', { name: 'Create a sub-partner' }).click();
    await contact('Lighthouse North');
    await page.getByRole('link', { name: 'Lighthouse North' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Lighthouse Fund');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Fund' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('gives a reserved group more places and a deadline', async () => {
    const [group] = await demo.api.dataSource.query(
      `SELECT id, max_capacity AS places FROM reserved_entry_groups WHERE organization_id = $1 AND code = 'LIFEBOAT'`,
      [demo.organizationId],
    );
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/partners/groups/${group.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Places').fill(String(group.places + 5));
    await dialog.getByLabel('Deadline').fill('2030-05-01T18:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [after] = await demo.api.dataSource.query(
      'SELECT max_capacity AS places, deadline, can_partner_cancel AS cancels FROM reserved_entry_groups WHERE id = $1',
      [group.id],
    );
    // 18:00 in London, where the event is; the other settings stay.
    expect(after).toEqual({
      places: group.places + 5,
      deadline: new Date('2030-05-01T17:00:00Z'),
      cancels: true,
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('prints the check-in list of a race by wave, with the header of the table on each page', async () => {
    const { page, context, complaints } = await demo.signedIn('RACE_DAY');
    await open(page, '/desk/print');
    await page.getByRole('combobox', { name: 'Event' }).click();
    await page
      .getByRole('option', { name: /Harbour City Marathon/ })
      .first()
      .click();
    await page.locator('.check-in-list').first().waitFor();
    expect(await page.getByRole('option', { name: 'Address labels' }).count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
    const header = page.locator('.check-in-list thead').first();
    expect(await header.evaluate((element) => (globalThis as any).getComputedStyle(element).display)).toBe(
      'table-header-group',
    );
    await printed(page, 'check-in-list');
    await picture(page, 'check-in-list-print');
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('combobox', { name: 'What to print' }).click();
    await page.getByRole('option', { name: 'Bib labels' }).click();
    await page.locator('.label .qr path').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    await printed(page, 'bib-labels');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('records at the desk that a parcel came back', async () => {
    const [{ id, name }] = await demo.api.dataSource.query(
      `SELECT participant_id AS id, fields->1->>'value' AS name FROM start_list_entries
       WHERE organization_id = $1 AND shipping_status = 'SHIPPED' AND cancelled_at IS NULL LIMIT 1`,
      [demo.organizationId],
    );
    expect(name).toBeTruthy();
    const { page, context, complaints } = await demo.signedIn('RACE_DAY');
    await open(page, '/desk');
    await page.getByRole('searchbox').fill(id);
    await page.getByRole('button', { name: 'Returned' }).click();
    await page.getByRole('button', { name: 'Returned', pressed: true }).waitFor();
    await eventually(async () => {
      const [entry] = await demo.api.dataSource.query(
        'SELECT shipping_status AS status FROM start_list_entries WHERE participant_id = $1',
        [id],
      );
      return entry.status === 'RETURNED';
    });
    await page.getByLabel('Carrier').fill('Royal Mail');
    await page.getByLabel('Tracking number').fill('RM123456785GB');
    await page.getByRole('button', { name: 'Save number' }).click();
    await eventually(async () => {
      const [entry] = await demo.api.dataSource.query(
        `SELECT shipping_status AS status, shipping_carrier AS carrier, tracking_number AS number
         FROM start_list_entries WHERE participant_id = $1`,
        [id],
      );
      return String(Object.values(entry)) === 'RETURNED,Royal Mail,RM123456785GB';
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('names the endpoint of a delivery, and sends one again that is not delivered yet', async () => {
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    // Its endpoint is disabled, so the delivery stays pending.
    await demo.api.dataSource.query(
      `WITH event AS (INSERT INTO change_events (organization_id, id, type, subject_id, data) VALUES ($1, $2, 'webhook_endpoint.ping', $2, '{}')),
         endpoint AS (INSERT INTO webhook_endpoints (organization_id, id, url, types, secret, disabled_at)
           VALUES ($1, $2, 'https://hooks.example.com/startline', '{import.finished}', 'secret', now()))
       INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, type, next_attempt_at)
       VALUES ($1, $2, $2, $2, 'webhook_endpoint.ping', now() + interval '1 day')`,
      [demo.organizationId, newId()],
    );
    await open(page, '/developers/deliveries');
    await page.getByRole('cell', { name: /hooks.example.com\/startline/ }).waitFor();
    const again = page.waitForResponse((response) => response.url().endsWith('/retry'));
    await page.getByRole('button', { name: 'Send again' }).click();
    expect((await again).status()).toBe(200);
    await look(page, 'deliveries');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('begins with what needs a hand, which leads to the work', async () => {
    const { page, context, complaints } = await demo.signedIn('VIEWER');
    await open(page, '/');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page
      .getByRole('table', { name: 'Next events' })
      .getByText(/Harbour City Marathon/)
      .waitFor();
    await page
      .getByRole('link', { name: /wait for a decision/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
