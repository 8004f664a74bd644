import type { Page } from 'playwright-core';
import { describeInBrowser, look } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('what fails in the console', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo(1_200);
  });
  afterAll(() => demo?.close());

  const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });
  const alert = (page: Page, text: string | RegExp) =>
    page.getByRole('alert').filter({ hasText: text }).waitFor();

  it('says that the search of everything did not load, and loads it when it is opened again', async () => {
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await heading(page).waitFor();
    await page.route(/assets\/palette-/, (route) => route.abort());
    await page.keyboard.press('Control+k');
    await alert(page, 'Something went wrong on this page');
    await look(page, 'palette-not-loaded');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await heading(page).innerText()).toBe('Home');
    await page.unroute(/assets\/palette-/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps the navigation when a page can’t be shown, and shows the next one', async () => {
    const { page, context } = await demo.signedIn('OWNER');
    await page.route('**/console/v1/keys', (route) => route.fulfill({ json: { data: [null], count: 1 } }));
    await page.goto(`${demo.home}/developers/keys`);
    await alert(page, 'Something went wrong on this page');
    await look(page, 'page-not-shown');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Partners' }).click();
    await page.getByRole('main').getByText('Charity').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });

  it('says why a calendar is not read that is too large, and a search for a person that failed, which it starts once', async () => {
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await page.goto(`${demo.home}/events/upload`);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'events.json',
      mimeType: 'application/json',
      buffer: Buffer.alloc(3_000_001, ' '),
    });
    await alert(page, 'larger than 3 MB');
    await look(page, 'calendar-too-large');
    let started = 0;
    await page.route('**/console/v1/persons/*', (route) => {
      started += 1;
      return route.fulfill({ json: { jobId: 'x', status: 'FAILED', searchedRows: 0 } });
    });
    await page.goto(`${demo.home}/participants/person?email=ada@example.com`);
    await page.getByRole('button', { name: 'Erase the person' }).click();
    await alert(page, 'failed');
    await look(page, 'search-for-a-person-failed');
    expect(started).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says that something could not be searched, beside what was found', async () => {
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await heading(page).waitFor();
    await page.route('**/console/v1/participants?*', (route) => route.fulfill({ status: 400, json: {} }));
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Search everything' });
    await box.fill('account');
    await alert(page, 'The search failed');
    await page.getByRole('option', { name: 'Account' }).waitFor();
    await look(page, 'palette-failed');
    await box.fill('qqqq');
    await alert(page, 'The search failed');
    expect(await page.getByText('Nothing found').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says what is wrong with a password or a link, rather than that a permission is missing', async () => {
    const { page, context, complaints } = await demo.signedIn('VIEWER');
    const set = async (password: string, current?: string) => {
      await page.goto(`${demo.home}/account`);
      if (current) await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set password' }).click();
    };
    await set('correct horse battery');
    await page.getByText('The password is set.').waitFor();
    await set('another horse battery', 'wrong horse battery');
    await alert(page, 'The current password does not match.');
    await look(page, 'wrong-password');
    const link = demo.api.url + (await demo.link('VIEWER'));
    const redeem = async () => {
      await page.goto(link);
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await redeem();
    await page.waitForURL(demo.home);
    await redeem();
    await alert(page, 'It was already used, or has expired.');
    await look(page, 'used-link');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('edits an event with a locale and a time zone that the browser has no name of', async () => {
    const [{ id }] = await demo.api.dataSource
      .query(
        `UPDATE event_occurrences SET time_zone = 'Asia/Kolkata', title_by_locale = '{"zh-cmn-Hans": "Ma la song"}'
       WHERE organization_id = $1 AND id = (SELECT min(id::text)::uuid FROM event_occurrences WHERE organization_id = $1) RETURNING id`,
        [demo.organizationId],
      )
      .then((answer: any) => answer.flat());
    const { page, context, complaints } = await demo.signedIn('MANAGER');
    await page.goto(`${demo.home}/events/${id}/edit`);
    const zone = page.getByRole('main').getByLabel('Time zone').first();
    await zone.waitFor();
    expect(await zone.inputValue()).toBe('Asia/Kolkata');
    expect(await page.locator('input[value="Ma la song"]').count()).toBe(1);
    await look(page, 'unknown-locale');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says so when the server can’t be reached', async () => {
    const { page, context, complaints } = await demo.signedIn('OWNER');
    await page.goto(`${demo.home}/account`);
    await page.getByLabel('New password').fill('correct horse battery');
    await page.route('**/console/v1/me/password', (route) => route.abort());
    await page.getByRole('button', { name: 'Set password' }).click();
    await alert(page, 'The server can’t be reached');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
