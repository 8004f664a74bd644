import type { Page } from 'playwright-core';
import { key } from '#libs/testing';
import { eventually } from '../../harness';
import { AXE, describeInBrowser, look, type Tab, violationsOf } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('the console of a partner', () => {
  let demo: BrowserDemo;
  let partnerId: string;
  let groupId: string;
  let tab: Tab;
  let page: Page;
  /** What the API did not permit. The pages are those of staff, who can call more. */
  const refused: string[] = [];
  beforeAll(async () => {
    demo = await startBrowserDemo(1_200);
    [{ partnerId, groupId }] = await demo.api.dataSource.query(
      `SELECT g.partner_id AS "partnerId", g.id AS "groupId" FROM reserved_entry_groups g
       WHERE g.organization_id = $1 AND g.name = 'Lifeboat places'`,
      [demo.organizationId],
    );
    tab = await demo.signedIn('PARTNER', { partnerId });
    page = tab.page;
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
  });
  afterAll(() => demo?.close());

  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  const dialog = () => page.getByRole('dialog');
  const count = async (sql: string, ...values: unknown[]): Promise<number> => {
    const [{ n }] = await demo.api.dataSource.query(`SELECT count(*)::int AS n FROM ${sql}`, values);
    return n;
  };
  const active = () =>
    count('start_list_entries WHERE reserved_entry_group_id = $1 AND cancelled_at IS NULL', groupId);
  const fill = async (names: Record<string, string>) => {
    for (const [name, value] of Object.entries(names)) await dialog().getByLabel(name).fill(value);
  };

  it('begins with its places; assigns one once for a double click, names and fills in what is missing, replaces the runner, and gives the place back', async () => {
    const before = await active();
    await page.getByRole('heading', { name: 'Places' }).waitFor();
    await page.getByRole('button', { name: 'Assign a place of Lifeboat places' }).waitFor();
    await look(page, 'partner-places');
    await page.getByRole('button', { name: 'Assign a place of Lifeboat places' }).click();
    await fill({ 'First name': 'Grace', 'Last name': 'Assigned', Email: 'grace.assigned@example.com' });
    await look(page, 'partner-assign');
    await dialog().getByRole('button', { name: 'Assign', exact: true }).dblclick();
    await dialog().waitFor({ state: 'detached' });
    expect(await active()).toBe(before + 1);

    await go('Participants');
    await page.getByText('1 incomplete').waitFor();
    await look(page, 'partner-participants-all');
    const names = () => page.locator('.row-link').allInnerTexts();
    const upwards = await names();
    await page.getByRole('button', { name: 'Name' }).click();
    await eventually(async () => (await names())[0] === upwards.at(-1));
    expect(await names()).toHaveLength(upwards.length);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('Grace');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('assigned grace');
    await page.locator('.missing').waitFor();
    await eventually(async () => (await page.locator('.row-link').count()) === 1);
    await look(page, 'partner-participants');
    await page.locator('.row-link').click();
    await page.getByText('Missing, and needed for the start:').waitFor();
    await page.locator('.notice li', { hasText: 'Emergency contact' }).first().waitFor();
    await look(page, 'partner-participant');

    await page.getByRole('button', { name: 'Fill in' }).click();
    await dialog().getByLabel('Emergency contact', { exact: true }).fill('Ada Byron');
    await fill({ 'Emergency contact’s number': '+44 1' });
    await look(page, 'partner-fill-in');
    // A colleague is faster with one of both: their answer stays, and is not asked any more.
    const { token } = await key(demo.api.dataSource, { organizationId: demo.organizationId, partnerId });
    const id = page.url().split('/').at(-1) ?? '';
    const fields = [{ key: 'emergencyPhone', value: '+44 2' }];
    expect((await demo.api.send('PATCH', `/v0/participants/${id}`, { fields }, token)).status).toBe(200);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('alert').getByText('+44 2').waitFor();
    expect(await dialog().getByLabel('Emergency contact’s number').count()).toBe(0);
    await look(page, 'partner-fill-in-meanwhile');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.locator('.notice li', { hasText: 'Emergency contact' }).first().waitFor({ state: 'detached' });
    const added = `start_list_entries WHERE fields::text LIKE '%Ada Byron%' AND fields::text LIKE '%+44 2%'`;
    expect(await count(added)).toBe(1);
    await look(page, 'partner-filled-in');

    await page.getByRole('button', { name: 'Replace' }).click();
    await fill({ 'First name': 'Linus', 'Last name': 'Substitute', Email: 'linus.substitute@example.com' });
    await dialog().getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('heading', { name: 'Linus Substitute' }).waitFor();
    expect(await count(`start_list_entries WHERE fields::text LIKE '%Assigned%'`)).toBe(0);

    await page.getByRole('button', { name: 'Give back' }).click();
    await dialog().getByRole('button', { name: 'Give back' }).click();
    await page.locator('.badge', { hasText: 'Cancelled' }).waitFor();
    await dialog().waitFor({ state: 'detached' });
    expect(await active()).toBe(before);
    expect(await page.getByRole('button', { name: /Replace|Give back/ }).count()).toBe(0);
  });

  it('says if a place was not assigned, and if an earlier attempt has assigned it', async () => {
    const assign = () => dialog().getByRole('button', { name: 'Assign', exact: true }).click();
    const jobs = '**/v0/reserved-entries/participants/import/*';
    await go('Places');
    await page.getByRole('button', { name: 'Assign a place of Lifeboat places' }).click();
    await fill({ 'First name': 'Mary', 'Last name': 'Earlier', Email: 'mary.eariler@example.com' });
    await page.route(jobs, async (route) => {
      const job = await (await route.fetch()).json();
      await route.fulfill({
        json: { ...job, status: 'FAILED', succeededRows: 0, errors: [], failure: 'Was cancelled.' },
      });
    });
    await assign();
    await dialog().getByText('Was cancelled.').waitFor();
    await page.unroute(jobs);
    await eventually(
      async () =>
        (await count(`import_rows WHERE payload::text LIKE '%mary.eariler%' AND outcome = 'IMPORTED'`)) === 1,
    );
    await fill({ Email: 'mary.earlier@example.com' });
    await assign();
    await dialog().getByText('The place is assigned already').waitFor();
    await look(page, 'partner-assigned-before');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('assigns the people of a file after a dry run, and nobody twice when the file is sent again with more', async () => {
    const before = await active();
    const send = async (people: string[]) => {
      await go('Places');
      await page.getByRole('link', { name: 'Assign from a file' }).click();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      const rows = people.map((name) => `${name};Runner;${name.toLowerCase()}@charity.example`);
      await (await chooser).setFiles({
        name: 'runners.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['Forename;Surname;E-Mail', ...rows].join('\r\n')),
      });
    };
    await send(['Ada', 'Mary', 'Nobody@']);
    await page.getByRole('button', { name: 'Try without importing' }).click();
    await page.getByText(/Result of the dry run/).waitFor();
    expect(await active()).toBe(before);
    await look(page, 'partner-file');
    await send(['Ada', 'Mary']);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.waitForURL(/\/places\/imports\/[0-9a-f-]{36}$/);
    await page.locator('.badge', { hasText: 'Completed' }).waitFor();
    expect(await active()).toBe(before + 2);

    await send(['Ada', 'Mary', 'Hedy']);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.waitForURL(/\/places\/imports\/[0-9a-f-]{36}$/);
    await page.locator('.badge', { hasText: 'Completed' }).waitFor();
    await page.locator('.counts > div', { hasText: 'Already assigned' }).getByText('2').waitFor();
    expect(await active()).toBe(before + 3);
    await look(page, 'partner-assignments');

    // The same file again, after a place was given back: the former import has ended, so a person decides.
    const [{ bookingId }] = await demo.api.dataSource.query(
      `SELECT booking_id AS "bookingId" FROM start_list_entries WHERE reserved_entry_group_id = $1 AND fields::text LIKE '%Hedy%'`,
      [groupId],
    );
    const { token } = await key(demo.api.dataSource, { organizationId: demo.organizationId });
    const path = `/v0/bookings/${bookingId}`;
    expect((await demo.api.send('DELETE', path, undefined, token)).status).toBe(200);
    expect(await active()).toBe(before + 2);
    await send(['Ada', 'Mary', 'Hedy']);
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('3 rows were sent before').waitFor();
    await look(page, 'partner-sent-before');
    await page.getByRole('button', { name: 'Import 3 rows again' }).click();
    await page.waitForURL(/\/places\/imports\/[0-9a-f-]{36}$/);
    await page.locator('.badge', { hasText: 'Completed' }).waitFor();
    expect(await active()).toBe(before + 3);
  });

  it('exports its participants, and creates a sub-partner', async () => {
    await go('Participants');
    // The API can't export what is searched here.
    const exports = page.getByRole('button', { name: 'Export' });
    await page.getByRole('searchbox').fill('assigned');
    await eventually(() => exports.isDisabled());
    await page.getByRole('searchbox').fill('');
    await eventually(() => exports.isEnabled());
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'As CSV, for people' }).click();
    expect((await saved).suggestedFilename()).toBe('participants.csv');
    await go('Places');
    await page.getByRole('button', { name: 'Create a sub-partner' }).click();
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour North');
    await fill({ 'First name': 'Ada', 'Last name': 'Byron', Email: 'ada@north.example' });
    await dialog().getByRole('button', { name: 'Create a partner' }).click();
    await page.getByRole('cell', { name: 'Harbour North' }).waitFor();
    expect(await count('partners WHERE parent_partner_id = $1', partnerId)).toBe(1);
  });

  it.each([
    ['light', 'desktop'],
    ['dark', 'phone'],
  ] as const)('is accessible and fits the screen: %s, %s', async (theme, size) => {
    const other = await demo.signedIn('PARTNER', { partnerId, theme, size });
    await other.context.addInitScript({ path: AXE });
    const [{ runner, job }] = await demo.api.dataSource.query(
      `SELECT (SELECT participant_id FROM start_list_entries WHERE reserved_entry_group_id = $1 ORDER BY id LIMIT 1) AS runner,
        (SELECT id FROM import_jobs WHERE partner_id = $2 ORDER BY id DESC LIMIT 1) AS job`,
      [groupId, partnerId],
    );
    const found: string[] = [];
    const pages: [string, string | RegExp][] = [
      ['/places', 'Lifeboat places'],
      ['/places/file', 'Drop a file here'],
      [`/places/imports/${job}`, 'Completed'],
      ['/participants', 'Complete'],
      [`/participants/${runner}`, 'Registered'],
    ];
    for (const [path, shows] of pages) {
      await other.page.goto(`${demo.api.url}/console/o/demo${path}`);
      await other.page.getByRole('main').getByText(shows).first().waitFor();
      for (const violation of await violationsOf(other.page)) found.push(`${path}: ${violation}`);
      const overflow = await other.page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (overflow > 0) found.push(`${path}: ${overflow} pixels wider than the window`);
    }
    expect([...found, ...other.complaints]).toEqual([]);
    await other.context.close();
  });

  it('shows runners without a name, and places of an event that has no date yet', async () => {
    const [[{ id }]] = await demo.api.dataSource.query(
      `UPDATE start_list_entries SET fields = '[]' WHERE participant_id = (
         SELECT participant_id FROM start_list_entries WHERE reserved_entry_group_id = $1 AND cancelled_at IS NULL LIMIT 1)
       RETURNING participant_id AS id`,
      [groupId],
    );
    await page.goto(`${demo.home}/participants`);
    await page.locator(`.row-link[href$="${id}"]`, { hasText: 'No name' }).waitFor();
    const [[{ occurrence, day }]] = await demo.api.dataSource.query(
      `UPDATE event_occurrences o SET start_date = NULL FROM reserved_entry_groups g, event_occurrences before
       WHERE g.id = $1 AND o.id = g.event_occurrence_id AND before.id = o.id
       RETURNING o.id AS occurrence, before.start_date AS day`,
      [groupId],
    );
    await page.goto(`${demo.home}/places`);
    await page.getByRole('button', { name: 'Assign a place of Lifeboat places' }).waitFor();
    await look(page, 'partner-places-undated');
    await demo.api.dataSource.query('UPDATE event_occurrences SET start_date = $2 WHERE id = $1', [
      occurrence,
      day,
    ]);
  });

  it('changes nothing after the deadline, and is out at once when the member is removed', async () => {
    const deadline = (at: string | null) =>
      demo.api.dataSource.query('UPDATE reserved_entry_groups SET deadline = $2 WHERE id = $1', [
        groupId,
        at,
      ]);
    await deadline('2026-01-01T00:00:00Z');
    await go('Places');
    await page.locator('.badge', { hasText: 'Closed' }).waitFor();
    expect(await page.getByRole('button', { name: /^Assign a place/ }).isDisabled()).toBe(true);
    await go('Participants');
    await page.locator('.row-link').first().click();
    await page.getByText(/The deadline has passed/).waitFor();
    expect(await page.getByRole('button', { name: /Replace|Give back|Fill in/ }).count()).toBe(0);
    await deadline(null);

    const owner = await demo.signedIn('OWNER');
    const email = await page.getByRole('button', { name: /^Account/ }).innerText();
    await owner.page.getByRole('link', { name: 'Staff', exact: true }).click();
    const row = owner.page.getByRole('row').filter({ hasText: email.trim().split('\n').at(-1) ?? email });
    await row.getByRole('button', { name: 'Remove' }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await owner.page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () => {
      await page.goto(`${demo.api.url}/console/o/demo/places`);
      return page.getByRole('button', { name: 'Sign in' }).isVisible();
    });
    expect([...tab.complaints, ...owner.complaints, ...refused]).toEqual([]);
    await owner.context.close();
  });
});
