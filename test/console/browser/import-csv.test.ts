import type { Locator } from 'playwright-core';
import { discountCode, ticket } from '#libs/testing';
import { eventually } from '../../harness';
import { describeInBrowser, look } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

const ROWS = 10_000;
const REFUSED = 20;

/** A start list as timing companies export it: one line per runner, tickets by title. */
const csv = (competition: string) =>
  [
    'Order;Surname;Forename;Sex;Birth date;E-Mail;Competition;Voucher;Bib;Remarks',
    ...Array.from({ length: ROWS }, (_, i) =>
      [
        ...[`bm-${i + 1}`, `Läufer${i}`, 'Zoë', i % 2 ? 'M' : 'W', '1980-02-29', `runner${i}@example.com`],
        ...[
          i % 1_000 ? competition : competition.replace('th', 't'),
          i < REFUSED ? 'LATE25' : '',
          String(i + 1),
          '',
        ],
      ].join(';'),
    ),
  ].join('\r\n');

describeInBrowser('a CSV file', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo();
  });
  afterAll(() => demo?.close());

  it('maps and imports a CSV, shows its progress, and retries its failed rows', async () => {
    const { api, organizationId } = demo;
    const sold = await ticket(api.dataSource, {
      organizationId,
      title: 'Marathon Läufer',
      maxCapacity: null,
    });
    const ended = { code: 'LATE25', endDateTime: new Date('2026-01-01') };
    const code = await discountCode(api.dataSource, { organizationId, ...ended });
    const { page, complaints, context } = await demo.signedIn('MANAGER');
    await page.getByRole('link', { name: 'Imports', exact: true }).first().click();
    await page.getByRole('link', { name: 'Import a file' }).first().click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'berlin-2012.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv('Marathon Läufer')),
    });
    const main = page.getByRole('main');
    await main.getByText('berlin-2012.csv: 10,000 rows, 10 columns').waitFor();

    // Columns are matched by name; columns without a match are listed before anything is sent.
    const fieldOf = (column: string) =>
      page.getByRole('combobox', { name: `Field of the column ${column}`, exact: true });
    expect(await fieldOf('Surname').inputValue()).toBe('Last name');
    expect(await fieldOf('Competition').inputValue()).toBe('Ticket *');
    expect(await fieldOf('Remarks').inputValue()).toBe('');
    await main.getByText('These fields are required and have no column yet:').waitFor();
    await main.locator('.notice').getByText('Event', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Import 10,000 rows' }).isDisabled()).toBe(true);

    expect(await fieldOf('Voucher').inputValue()).toBe('Discount code');
    const [{ title }] = await api.dataSource.query(
      'SELECT title FROM event_occurrences WHERE organization_id = $1 AND id = $2',
      [organizationId, sold.eventOccurrenceId],
    );
    const toLowerEdge = (field: Locator) =>
      field.evaluate((element: any) => element.scrollIntoView({ block: 'end' }));
    const event = page.getByRole('combobox', { name: 'Event', exact: true });
    await toLowerEdge(event);
    await event.fill(title);
    // Choices above a field stay when the field is scrolled off the screen.
    const choice = page.getByRole('option', { name: new RegExp(`^${title},`) }).first();
    await toLowerEdge(choice);
    await choice.click();
    // A name that is nearly right is confirmed by a person, and remembered for all staff.
    await page.getByRole('button', { name: /^It is “.*Marathon Läufer”$/ }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Timing company');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const used = page.getByRole('combobox', { name: 'Saved mapping' });
    expect(await eventually(async () => (await used.inputValue()) === 'Timing company')).toBe(true);
    await look(page, 'upload-mapped');
    await page.getByRole('button', { name: 'Import 10,000 rows' }).click();

    // The address is that of the job: closing and reopening the page shows the same.
    await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
    await page.reload();
    await main.getByText('9,980 of 10,000').waitFor({ timeout: 300_000 });
    await main.getByText('Completed').waitFor();
    const table = page.getByRole('grid', { name: 'Failed rows' });
    await table.getByRole('gridcell', { name: 'bm-1', exact: true }).waitFor();
    expect(await table.getAttribute('aria-rowcount')).toBe(String(REFUSED + 1));
    await page.getByRole('button', { name: `Code not valid here ${REFUSED}` }).waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download failed rows' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n');
    expect(lines.length).toBe(REFUSED + 1);
    expect(lines[0]).toContain('participants[0].lastName');
    expect(lines[1]).toContain('Läufer0');

    await api.dataSource.query(
      'UPDATE discount_codes SET end_date_time = NULL WHERE organization_id = $1 AND id = $2',
      [organizationId, code.id],
    );
    await page.getByRole('button', { name: 'Retry failed rows' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry failed rows' }).click();
    await main.getByText('No row failed', { exact: true }).waitFor();

    const imported = await eventually(async () => {
      const [{ n }] = await api.dataSource.query(
        'SELECT count(*)::int AS n FROM start_list_entries WHERE organization_id = $1 AND ticket_id = $2',
        [organizationId, sold.id],
      );
      return n === ROWS && n;
    });
    expect(imported).toBe(ROWS);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
