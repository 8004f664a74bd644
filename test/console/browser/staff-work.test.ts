import type { Page } from 'playwright-core';
import { eventually } from '../../harness';
import { describeInBrowser } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

/** Narrow and wide bars and spaces of the start, of digits, and of the end, each with a narrow space after it. */
const CODE_39 = {
  ...{
    '0': 'nnnwwnwnn',
    '1': 'wnnwnnnnw',
    '2': 'nnwwnnnnw',
    '3': 'wnwwnnnnn',
    '4': 'nnnwwnnnw',
    '5': 'wnnwwnnnn',
  },
  ...{ '6': 'nnwwwnnnn', '7': 'nnnwnnwnw', '8': 'wnnwnnwnn', '9': 'nnwwnnwnn', '*': 'nwnnwnwnn' },
} as Record<string, string>;
const code39 = (digits: string): string => [...`*${digits}*`].map((each) => `${CODE_39[each]}n`).join('');

describeInBrowser('the console', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo();
  });
  afterAll(() => demo?.close());

  const entryOf = async (participantId: string) => {
    const [entry] = await demo.api.dataSource.query(
      'SELECT bib_written AS bib, race_day_fields AS fields FROM start_list_entries WHERE participant_id = $1',
      [participantId],
    );
    return entry;
  };
  const messagesOf = (participantId: string) =>
    demo.api.dataSource.query(
      "SELECT 1 FROM race_day_log WHERE participant_id = $1 AND source = 'RACE_DAY'",
      [participantId],
    );
  /** The id and the email of a participant without a bib, found by email. */
  const someone = async (): Promise<{ id: string; email: string; name: string; firstName: string }> => {
    const [found] = await demo.api.dataSource.query(
      `SELECT participant_id AS id, email_normalized AS email,
         (SELECT f->>'value' FROM json_array_elements(fields) f WHERE f->>'key' = 'lastName') AS name,
         (SELECT f->>'value' FROM json_array_elements(fields) f WHERE f->>'key' = 'firstName') AS "firstName"
       FROM start_list_entries WHERE organization_id = $1 AND approval_status = 'APPROVED' AND cancelled_at IS NULL
         AND bib_number IS NULL AND bib_claim IS NULL AND NOT gdpr_redacted
       ORDER BY participant_id LIMIT 1`,
      [demo.organizationId],
    );
    return found;
  };
  const go = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

  it('finds a participant, sets a bib, and updates another browser without reloading', async () => {
    const { id, email } = await someone();
    const writer = await demo.signedIn('MANAGER');
    const reader = await demo.signedIn('VIEWER');
    await reader.page.goto(`${demo.api.url}/console/o/demo/participants/${id}`);
    const bibOf = (page: Page) => page.getByRole('textbox', { name: 'Bib' });
    await bibOf(reader.page).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Save' }).count()).toBe(0);

    await go(writer.page, 'Participants');
    await writer.page.getByRole('searchbox').fill(email);
    await writer.page.waitForURL(/q=/);
    await eventually(async () => (await writer.page.locator('.row-link').count()) === 1);
    await writer.page.locator('.row-link').click();
    await bibOf(writer.page).fill('C-9001');
    await writer.page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await entryOf(id)).bib === 'C-9001');
    await eventually(async () => (await bibOf(reader.page).inputValue()) === 'C-9001');
    await writer.page.getByRole('main').getByText('Race-day update').waitFor();
    expect([...writer.complaints, ...reader.complaints]).toEqual([]);
    await writer.context.close();
    await reader.context.close();
  });

  it('checks people in offline, and sends each change once when the connection is back', async () => {
    const { name, firstName } = await someone();
    const { page, context } = await demo.signedIn('RACE_DAY');
    await page.getByRole('heading', { name: 'Race day' }).waitFor();
    expect(await page.getByRole('link', { name: 'Participants' }).count()).toBe(0);
    await page.getByRole('searchbox').fill(`${firstName} ${name}`);
    await page.locator('.desk-card', { hasText: name }).first().waitFor();
    const bib = page.getByRole('textbox', { name: 'Bib' });
    if ((await bib.count()) === 0) await page.locator('.desk-head').first().click();
    await bib.waitFor();

    await context.setOffline(true);
    await bib.fill('D-17');
    await page.getByRole('button', { name: 'Set bib' }).click();
    await page.getByRole('button', { name: 'Check in', exact: true }).click();
    await page.getByText('2 changes wait for the connection.').waitFor();
    await page.locator('.desk-bib', { hasText: 'D-17' }).waitFor();

    // Queued changes survive the page, and signing out names what would be lost.
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('2 changes have not reached the server.').waitFor();
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await context.setOffline(false);
    await page.reload();
    await page.getByText('2 changes wait for the connection.').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
    const [arrived] = await eventually(async () => {
      const found = await demo.api.dataSource.query(
        `SELECT participant_id AS id, race_day_fields AS fields FROM start_list_entries
         WHERE organization_id = $1 AND bib_written = 'D-17'`,
        [demo.organizationId],
      );
      return found[0]?.fields.some((field: any) => field.id === 'checkIn') && found;
    });
    expect(arrived.fields).toContainEqual({ id: 'checkIn', value: true });
    expect((await messagesOf(arrived.id)).length).toBe(2);
    await context.close();
  });

  it('scans a code with the camera, where the browser recognizes none itself, and without the connection that the desk was opened with', async () => {
    const [{ bib, name }] = await demo.api.dataSource.query(
      `SELECT min(bib_number) AS bib, min((SELECT f->>'value' FROM json_array_elements(fields) f WHERE f->>'key' = 'lastName')) AS name
       FROM start_list_entries WHERE organization_id = $1 AND bib_number ~ '^[0-9]+$' AND cancelled_at IS NULL
       GROUP BY bib_number HAVING count(*) = 1 LIMIT 1`,
      [demo.organizationId],
    );
    const { page, context, complaints } = await demo.signedIn('RACE_DAY');
    // Chromium on Linux has the class, and recognizes no codes.
    await page.addInitScript((code39) => {
      const { document, navigator } = globalThis as any;
      navigator.mediaDevices.getUserMedia = async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 200 });
        const brush = canvas.getContext('2d');
        brush.fillStyle = 'white';
        brush.fillRect(0, 0, 640, 200);
        brush.fillStyle = 'black';
        let x = 40;
        for (const [n, width] of [...code39].entries()) {
          const pixels = width === 'w' ? 6 : 2;
          if ((n % 10) % 2 === 0) brush.fillRect(x, 20, pixels, 160);
          x += pixels;
        }
        return canvas.captureStream(10);
      };
    }, code39(bib));
    await page.route('**/*.wasm', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: 'Scan a code' }).click();
    await page.getByRole('alert').getByText('The scanner couldn’t be loaded').waitFor();
    await page.unrouteAll();
    // What the library writes about it.
    complaints.length = 0;
    const loaded = page.waitForResponse(/\.wasm$/);
    await page.reload();
    await (await loaded).finished();
    const policy = await page.evaluate('document.featurePolicy.getAllowlistForFeature("camera")');
    expect(policy).toEqual([demo.api.url]);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Scan a code' }).click();
    await eventually(async () => (await page.getByRole('searchbox').inputValue()) === bib);
    await context.setOffline(false);
    await page.locator('.desk-card', { hasText: name }).waitFor();
    expect(await page.locator('.desk-card').count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('creates a key with limits and an expiry, changes the limits, and replaces and revokes the key', async () => {
    const { page, context, complaints } = await demo.signedIn('OWNER');
    const [{ id: occurrenceId, title }] = await demo.api.dataSource.query(
      `SELECT id, title FROM event_occurrences WHERE organization_id = $1 AND start_date IS NOT NULL AND published
       ORDER BY start_date, id LIMIT 1`,
      [demo.organizationId],
    );
    const dialog = page.getByRole('dialog');
    const main = page.getByRole('main');
    const keyOf = async (token: string) => (await demo.api.get('/identity', token)).body;
    const nextYear = new Date().getFullYear() + 1;
    await go(page, 'Developers');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('from the console');
    await dialog.getByLabel('Registration check only').check();
    await dialog.getByLabel('Expires on').fill(`${nextYear}-03-01`);
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const token = await page.getByLabel('Token', { exact: true }).innerText();
    expect(await keyOf(token)).toMatchObject({ endpoints: ['registrationStatus'], eventOccurrenceIds: [] });
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name: 'from the console' }).click();
    await main.getByText(`1 Mar ${nextYear}`).first().waitFor();
    await page.getByRole('button', { name: 'Change limits' }).click();
    // The dialog takes the focus when it has opened, which closes the list of a field.
    await dialog.locator(':focus').waitFor({ state: 'attached' });
    await dialog.getByRole('combobox', { name: 'Only these events' }).fill(title);
    await page.getByRole('option', { name: title }).first().click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Registration check only').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => (await keyOf(token)).endpoints.length === 0);
    expect((await keyOf(token)).eventOccurrenceIds).toEqual([occurrenceId]);

    await page.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    const next = await page.getByLabel('Token', { exact: true }).innerText();
    expect((await keyOf(next)).eventOccurrenceIds).toEqual([occurrenceId]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await main.getByText('Revoked').first().waitFor();
    await eventually(async () => (await demo.api.get('/identity', token)).status === 401);
    expect((await demo.api.get('/identity', next)).status).toBe(200);
    await go(page, 'Audit log');
    await page
      .getByRole('row', { name: /revoked the key/ })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('invites a member, who signs in by the link, sets a password and signs in again', async () => {
    const owner = await demo.signedIn('OWNER');
    await go(owner.page, 'Staff');
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await owner.page.getByRole('textbox', { name: 'Email' }).fill('new.colleague@demo.example');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await owner.page.getByLabel('Sign-in link', { exact: true }).last().innerText();

    const { page, context } = await demo.signedIn('VIEWER');
    await page.goto(link);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Set a password' }).click();
    await page.getByLabel('New password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is set.').waitFor();
    // What is kept of people in the browser: confirmed changes of the desk for a day, typed rows until the end of the session.
    const desk = `startline.desk.${demo.organizationId}`;
    await page.evaluate((name) => {
      const { localStorage, sessionStorage } = globalThis as any;
      sessionStorage.setItem('startline.rows.job', '{"0":{"email":"ada@example.com"}}');
      const hour = 3_600_000;
      const changes = [25, 23].map((hours) => ({
        name: `Ada ${hours}`,
        confirmedAt: Date.now() - hours * hour,
      }));
      localStorage.setItem(name, JSON.stringify(changes));
    }, desk);
    await page.reload();
    await page.getByRole('button', { name: /^Account/ }).click();
    const kept = await page.evaluate((name) => (globalThis as any).localStorage.getItem(name), desk);
    expect(JSON.parse(kept)).toMatchObject([{ name: 'Ada 23' }]);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    expect(await page.evaluate(() => Object.keys((globalThis as any).sessionStorage))).toEqual([]);
    await page.getByLabel('Organization').fill('demo');
    await page.getByRole('textbox', { name: 'Email' }).fill('new.colleague@demo.example');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/o\/demo/);
    await page.getByText('new.colleague@demo.example').waitFor();
    await context.close();
    await owner.context.close();
  });
});
