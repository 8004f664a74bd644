import type { Page } from 'playwright-core';
import { booking, key, partner, ticket } from '#libs/testing';
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

  it('finds applications, approves one on its page, rejects one with a reason and approves the others together', async () => {
    const { id } = await applied('Brightwater', 4);
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, '/applications');
    await page.getByRole('searchbox').fill('brightw');
    await page.getByRole('button', { name: 'Approve all 4', exact: true }).waitFor();
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: 'Ada3 Brightwater' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('1 application approved.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.goBack();
    await page.getByRole('button', { name: 'Approve all 3', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select Ada1 Brightwater' }).check();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
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
    expect((await statesOf(id)).sort()).toEqual(['APPROVED', 'APPROVED', 'APPROVED', 'REJECTED']);
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

  /** As people write it who want no limit. */
  const MANY = 9_999_999;

  it('gives a reserved group more places and a deadline', async () => {
    const [group] = await demo.api.dataSource.query(
      `SELECT id FROM reserved_entry_groups WHERE organization_id = $1 AND code = 'LIFEBOAT'`,
      [demo.organizationId],
    );
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/partners/groups/${group.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Places').fill(String(MANY));
    await dialog.getByLabel('Deadline').fill('2030-05-01T18:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [after] = await demo.api.dataSource.query(
      'SELECT max_capacity AS places, deadline, can_partner_cancel AS cancels FROM reserved_entry_groups WHERE id = $1',
      [group.id],
    );
    // 18:00 in London, where the event is; the other settings stay.
    expect(after).toEqual({
      places: MANY,
      deadline: new Date('2030-05-01T17:00:00Z'),
      cancels: true,
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('gives a reserved group to a sub-partner, and to another partner of the same name', async () => {
    const { organizationId } = demo;
    const [group] = await demo.api.dataSource.query(
      `SELECT id, event_occurrence_id AS at, partner_id AS "partnerId" FROM reserved_entry_groups
       WHERE organization_id = $1 AND code = 'LIFEBOAT'`,
      [organizationId],
    );
    const holder = async () => {
      const [now] = await demo.api.dataSource.query(
        'SELECT partner_id AS id FROM reserved_entry_groups WHERE id = $1',
        [group.id],
      );
      return now.id;
    };
    const leeds = { organizationId, name: 'Leeds' };
    const own = await partner(demo.api.dataSource, leeds);
    const branch = await partner(demo.api.dataSource, { ...leeds, parentPartnerId: group.partnerId });
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await open(page, `/events/${group.at}/edit?part=groups`);
    await page.getByRole('button', { name: /^Lifeboat places/ }).click();
    const chosen = page.getByRole('combobox', { name: 'Partner', exact: true });
    for (const [option, { id }] of [
      ['Leeds (Harbour Lifeboats)', branch],
      ['Leeds', own],
    ] as const) {
      await chosen.click();
      await chosen.fill('Leeds');
      await page.getByRole('option', { name: option, exact: true }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await eventually(async () => (await holder()) === id);
    }
    // Its tickets stay, so none can be taken away or replaced.
    await page.getByRole('button', { name: /^marathon/ }).click();
    expect(await page.getByRole('combobox', { name: 'Ticket', exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Remove marathon' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  /** Somebody comes back to the window, and the page has read again what another person changed meanwhile. */
  const comeBack = (page: Page, path: string, changed: string) =>
    eventually(async () => {
      const answer = page.waitForResponse((response) => response.url().includes(path), { timeout: 5_000 });
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      return (await answer.then((response) => response.text()).catch(() => '')).includes(changed);
    });

  const updated = async (table: string, what: string, where: string, ...values: unknown[]) => {
    const sql = `UPDATE ${table} SET ${what} WHERE organization_id = $1 AND ${where} RETURNING *`;
    const [[row]] = await demo.api.dataSource.query(sql, [demo.organizationId, ...values]);
    return row;
  };
  const stored = async (table: string, id: string) =>
    (await demo.api.dataSource.query(`SELECT * FROM ${table} WHERE id = $1`, [id]))[0];

  it.each([
    {
      table: 'reserved_entry_groups',
      where: `code = 'LIFEBOAT'`,
      before: `max_capacity = 50`,
      theirs: { max_capacity: 80 },
      path: '/partners/groups',
      reads: '/console/v1/reserved-entry-groups/',
      label: 'Name',
      mine: { name: 'Lifeboat runners' },
    },
    {
      table: 'partners',
      where:
        "id = (SELECT partner_id FROM reserved_entry_groups WHERE organization_id = $1 AND code = 'LIFEBOAT')",
      before: `description = 'Ours'`,
      theirs: { description: 'Theirs 80' },
      path: '/partners',
      reads: '/v0/partners/',
      label: 'Name',
      mine: { name: 'Lifeboat Fund' },
    },
    {
      table: 'discount_codes',
      where:
        'id = (SELECT id FROM discount_codes WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT 1)',
      before: 'start_date_time = NULL, end_date_time = NULL, limit_usage = 50000',
      theirs: { end_date_time: new Date('2026-01-01T00:00:00Z') },
      path: '/partners/codes',
      reads: '/console/v1/discount-codes/',
      label: 'Most uses',
      mine: { limit_usage: 60000 },
    },
  ])(
    'keeps what others changed while a form was open: $table',
    async ({ table, where, before, theirs, path, reads, label, mine }) => {
      const { id } = await updated(table, before, where);
      const { page, context, complaints } = await demo.signedIn('MANAGER');
      await open(page, `${path}/${id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      const field = dialog.getByRole('textbox', { name: label, exact: true });
      await field.waitFor();
      const [[column, value]] = Object.entries(theirs) as [[string, unknown]];
      await updated(table, `${column} = $2`, `id = $3`, value, id);
      await comeBack(page, reads + id, value instanceof Date ? '2026-01-01' : '80');
      await field.fill(String(Object.values(mine)[0]));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await stored(table, id)).toMatchObject({ ...theirs, ...mine });
      // Whoever works with the keyboard goes on where the dialog was opened.
      await page.locator('button:focus', { hasText: 'Edit' }).waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  it('keeps the limits of a key that others narrowed while its form was open', async () => {
    const { organizationId } = demo;
    const [one, other] = await demo.api.dataSource.query(
      'SELECT id FROM event_occurrences WHERE organization_id = $1 ORDER BY id LIMIT 2',
      [organizationId],
    );
    const { id } = await key(demo.api.dataSource, { organizationId, eventOccurrenceIds: [one.id, other.id] });
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await open(page, `/developers/keys/${id}`);
    await page.getByRole('button', { name: 'Change limits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Partners: Read' }).uncheck();
    await updated('api_keys', 'event_occurrence_ids = $2', 'id = $3', [one.id], id);
    await comeBack(page, '/console/v1/keys', `"eventOccurrenceIds":["${one.id}"]`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { event_occurrence_ids: occurrences, permissions } = await stored('api_keys', id);
    expect([occurrences, permissions.includes('partners:read')]).toEqual([[one.id], false]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('creates a key by a preset of another kind after a limit was set, and offers partners that are new', async () => {
    const { page, context, complaints } = await demo.signedIn('OWNER');
    const to = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const chosen = async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await open(page, '/developers/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByRole('combobox', { name: 'Partner of the key', exact: true }).click();
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await to('Partners');
    await page.getByRole('button', { name: 'Create a partner' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Aardvark Trust');
    for (const [label, value] of [
      ['First name', 'Grace'],
      ['Last name', 'Hopper'],
      ['Email', 'grace@aardvark.example'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Create a partner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Aardvark Trust' }).waitFor();
    await to('Developers');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await chosen('Partner of the key', 'Aardvark Trust');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Chips');
    await dialog.getByLabel('Registration check only').check();
    await chosen('Permissions', 'Timing company');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByText('Token').first().waitFor();
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
