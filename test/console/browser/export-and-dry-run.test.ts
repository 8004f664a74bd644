import type { Page } from 'playwright-core';
import { readSheet } from '#libs/sheets';
import { eventually } from '../../harness';
import { describeInBrowser, look } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

async function exportedBytes(page: Page, format: string, action = 'Export'): Promise<Buffer> {
  await page.getByRole('button', { name: action }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const exported = async (page: Page, format: string) => (await exportedBytes(page, format)).toString();

describeInBrowser('participants and imports in the console', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo();
  });
  afterAll(() => demo?.close());

  it('exports exactly the filtered participants, for managers only, with a record in the audit log', async () => {
    const { dataSource } = demo.api;
    const [race] = await dataSource.query(
      `SELECT r.id, r.title, r.event_occurrence_id AS "occurrenceId", o.title AS occurrence
       FROM start_list_entries e JOIN races r ON r.organization_id = e.organization_id AND r.id = e.race_id
       JOIN event_occurrences o ON o.organization_id = r.organization_id AND o.id = r.event_occurrence_id
       WHERE e.organization_id = $1 AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL
       ORDER BY e.id LIMIT 1`,
      [demo.organizationId],
    );
    const idsIn = async (condition: string): Promise<string[]> => {
      const rows = await dataSource.query(
        `SELECT participant_id AS id FROM start_list_entries e
         WHERE organization_id = $1 AND approval_status = 'APPROVED' AND race_id = $2 AND ${condition} ORDER BY 1`,
        [demo.organizationId, race.id],
      );
      return rows.map(({ id }: { id: string }) => id);
    };
    const confirmed = await idsIn('cancelled_at IS NULL');
    await dataSource.query(
      "UPDATE start_list_entries SET tags = ARRAY['press'] WHERE organization_id = $1 AND participant_id = $2",
      [demo.organizationId, confirmed[0]],
    );
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.getByRole('link', { name: 'Participants', exact: true }).click();
    const choose = async (filter: string, option: string) => {
      await page.getByRole('combobox', { name: filter, exact: true }).click();
      await page.getByRole('option', { name: option }).first().click();
    };
    await page.goto(`${demo.api.url}/console/o/demo/participants?eventOccurrenceId=${race.occurrenceId}`);
    await choose('Race', race.title);
    await choose('State', 'Registered');
    await page.waitForURL(/status=CONFIRMED/);
    const csv = await exported(page, 'As CSV with IDs');
    const ids = csv
      .trimEnd()
      .split('\r\n')
      .slice(1, -1)
      .flatMap((line) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(line)?.[0] ?? []);
    expect(ids.toSorted()).toEqual(confirmed);
    expect(csv.trimEnd().split('\r\n').at(-1)).toBe(`#end,${confirmed.length}`);

    await page.getByRole('textbox', { name: 'Tag' }).fill('press');
    await page.getByRole('textbox', { name: 'Tag' }).press('Enter');
    await page.waitForURL(/tag=press/);
    await eventually(async () => (await page.locator('.row-link').count()) === 1);
    const ndjson = (await exported(page, 'As NDJSON'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([ndjson.length, ndjson[0].id, ndjson[1]]).toEqual([2, confirmed[0], { end: true, rows: 1 }]);

    const log = await dataSource.query(
      `SELECT actor_type AS type, details FROM audit_log
       WHERE organization_id = $1 AND action = 'participant.export' ORDER BY id`,
      [demo.organizationId],
    );
    expect(log).toEqual([
      { type: 'STAFF', details: { format: 'csv', filters: ['eventOccurrenceId', 'raceId', 'status'] } },
      {
        type: 'STAFF',
        details: { format: 'ndjson', filters: ['eventOccurrenceId', 'raceId', 'status', 'tag'] },
      },
    ]);
    await look(page, 'participants-filtered');
    await page.getByRole('searchbox').fill('wal');
    await eventually(() => page.getByRole('button', { name: 'Export' }).isDisabled());

    // An incomplete file is not saved.
    await page.getByRole('searchbox').fill('');
    await page.route('**/v0/participants/export*', (route) =>
      route.fulfill({ contentType: 'text/csv', body: '"participantId"\r\n' }),
    );
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'As CSV with IDs' }).click();
    await page.getByRole('alert').waitFor();
    expect(complaints).toEqual([]);
    await context.close();

    const viewer = await demo.signedIn('VIEWER');
    await viewer.page.goto(`${demo.api.url}/console/o/demo/participants`);
    await viewer.page.locator('.row-link').first().waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await viewer.context.close();
  });

  it('exports for people in their language: no ids, nobody who cancelled, dates as dates', async () => {
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    const [occurrence] = await demo.api.dataSource.query(
      `SELECT event_occurrence_id AS id, count(*) FILTER (WHERE cancelled_at IS NULL)::int AS registered
       FROM start_list_entries WHERE organization_id = $1 AND approval_status = 'APPROVED'
       GROUP BY 1 ORDER BY count(cancelled_at) DESC LIMIT 1`,
      [demo.organizationId],
    );
    const people = await demo.api.dataSource.query(
      `SELECT a->>'value' AS born FROM start_list_entries, json_array_elements(fields) a
       WHERE organization_id = $1 AND event_occurrence_id = $2 AND approval_status = 'APPROVED' AND cancelled_at IS NULL
         AND a->>'key' = 'dateOfBirth' AND a->>'value' IS NOT NULL ORDER BY 1`,
      [demo.organizationId, occurrence.id],
    );
    const born: string[] = people.map((each: { born: string }) => each.born);
    await page.goto(`${demo.api.url}/console/o/demo/participants?eventOccurrenceId=${occurrence.id}`);
    const workbook = await readSheet(await exportedBytes(page, 'As Excel, for people'));
    expect(workbook.columns.filter((name) => /id$/i.test(name))).toEqual([]);
    expect(workbook.columns).toEqual(expect.arrayContaining(['First name', 'Race', 'Date of birth']));
    const valuesOf = ({ columns, rows }: typeof workbook, name: string) =>
      rows.map(({ cells }) => String(cells[columns.indexOf(name)])).filter(Boolean);
    expect(workbook.rows).toHaveLength(occurrence.registered);
    expect(valuesOf(workbook, 'Date of birth').sort()).toEqual(born);

    await page.evaluate("localStorage.setItem('startline.language', 'de')");
    await page.reload();
    const bytes = await exportedBytes(page, 'Als CSV, für Menschen', 'Exportieren');
    const csv = await readSheet(bytes);
    expect(csv.delimiter).toBe(';');
    const german = born.map((date) => date.split('-').reverse().join('.'));
    expect(valuesOf(csv, 'Geburtsdatum').sort()).toEqual(german.sort());
    await page.evaluate("localStorage.removeItem('startline.language')");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('validates an import as a dry run: shows counts and codes, and writes nothing', async () => {
    const credits = async () => {
      const [{ n }] = await demo.api.dataSource.query(
        "SELECT count(*)::int AS n FROM credits WHERE organization_id = $1 AND external_credit_id LIKE 'dry-run-%'",
        [demo.organizationId],
      );
      return n;
    };
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.api.url}/console/o/demo/imports/new`);
    const main = page.getByRole('main');
    await page.getByRole('combobox', { name: 'What is in the file?' }).click();
    await page.getByRole('option', { name: 'Credits' }).click();
    const [{ id }] = await demo.api.dataSource.query(
      'SELECT id FROM events WHERE organization_id = $1 LIMIT 1',
      [demo.organizationId],
    );
    const rows = [
      `dry-run-1,ada@example.com,25.00,GBP,2026-02-01T00:00:00Z,${id}`,
      'dry-run-2,grace@example.com,25.00,GBP,2026-02-01T00:00:00Z,01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b',
    ];
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'credits.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        ['externalCreditId,email,amount,amount.currencyCode,createdAt,eventId', ...rows].join('\n'),
      ),
    });
    await page.getByRole('button', { name: 'Try without importing' }).click();
    await main.getByText('Result of the dry run: 2 rows. Nothing was imported.').waitFor();
    const [succeeded, , failed] = await main.locator('.dry-run .counts dd').allInnerTexts();
    expect([succeeded, failed]).toEqual(['1', '1']);
    expect(await main.locator('.dry-run li').allInnerTexts()).toEqual(['EVENT_NOT_FOUND 1']);
    expect(await credits()).toBe(0);
    await look(page, 'upload-dry-run');

    // The real import is not confused with the dry run.
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
    await main.getByText('Completed').waitFor();
    expect(await credits()).toBe(1);

    await page.goto(`${demo.api.url}/console/o/demo/imports`);
    await main.getByText(/^\d\S* kB of 2 GB$/).waitFor();
    await demo.api.dataSource.query(
      "UPDATE rate_windows SET used = 2000400 WHERE api_key_id = $1 AND endpoint = 'day: imports'",
      [demo.organizationId],
    );
    await page.reload();
    await main.getByText('Used up: imports are refused').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
