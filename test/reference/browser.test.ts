import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { describeInBrowser, openTab, startBrowser, type Tab } from '../console/browser/chromium';
import { startApi, type TestApi } from '../harness';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = [
  '/docs',
  '/docs/participants',
  '/docs/imports',
  '/docs/webhooks',
  '/docs/timing',
  '/docs/race-day',
  '/changelog',
];

let api: TestApi;
let browser: Browser;
let tab: Tab;

describeInBrowser('the reference in a browser', () => {
  beforeAll(async () => {
    api = await startApi();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });
  afterEach(() => tab?.context.close());

  describe.each([
    ['on a desk', 'desktop'],
    ['on a phone', 'phone'],
  ] as const)('%s', (_where, size) => {
    it.each(PAGES)(
      '%s is accessible, has no blocked content, and does not scroll horizontally',
      async (path) => {
        tab = await openTab(browser, { size });
        const { page, complaints } = tab;
        await page.goto(api.url + path);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(wide).toBeLessThanOrEqual(0);
        expect(complaints).toEqual([]);
        const { violations } = (await page.evaluate(`${AXE}; axe.run({ resultTypes: ['violations'] })`)) as {
          violations: { id: string; nodes: { html: string }[] }[];
        };
        expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      },
    );
  });

  it('is accessible in the dark scheme of the reader too', async () => {
    tab = await openTab(browser, { theme: 'dark' });
    const { page } = tab;
    for (const path of ['/docs/interface', '/docs/participants']) {
      await page.goto(api.url + path);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 25, 24)');
      const { violations } = (await page.evaluate(`${AXE}; axe.run({ resultTypes: ['violations'] })`)) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    }
  });

  it('the search finds rules, operations and properties, shows where they match, and opens the result by keyboard', async () => {
    tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${api.url}/docs`);
    const first = page.locator('#found li').first();
    for (const [query, url, excerpt] of [
      ['permissions', '/docs/interface#permissions', 'permissions'],
      ['exportParticipants', '/docs/participants#exportParticipants', ''],
      ['webhook-signature', '/docs/webhooks#on.participant.created', 'signature'],
      ['glosary', '/docs/glossary#glossary', ''],
    ]) {
      await page.keyboard.press('Escape');
      await page.fill('#find', '');
      await page.evaluate('document.activeElement.blur()');
      await page.keyboard.press('/');
      await page.keyboard.type(query as string);
      await page.waitForSelector(`#found li:first-child[data-url^="${url}"]`);
      if (excerpt)
        expect((await first.locator('mark').first().textContent())?.toLowerCase()).toContain(excerpt);
    }
    await page.fill('#find', 'permissions');
    await page.waitForSelector('#found li:first-child[data-url$="#permissions"]');
    await page.keyboard.press('ArrowDown');
    expect(await first.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${api.url}/docs/interface#permissions`);
  });

  it('opens links of the former reference', async () => {
    tab = await openTab(browser);
    await tab.page.goto(`${api.url}/docs#/Participants/getParticipant`);
    await tab.page.waitForURL(/\/docs\/participants#getParticipant$/);
  });

  it('shows samples in the chosen language, on the next page too', async () => {
    tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${api.url}/docs/participants`);
    await page.click('#listParticipants [data-language=python]');
    await page.goto(`${api.url}/docs/bookings`);
    const sample = page.locator('#getBooking pre[data-language=python]');
    expect(await sample.isVisible()).toBe(true);
    expect(await sample.textContent()).toContain(`Client("${api.url}", `);
  });

  it('shows its table of contents on a phone behind a button', async () => {
    tab = await openTab(browser, { size: 'phone' });
    const { page } = tab;
    await page.goto(`${api.url}/docs/webhooks`);
    const link = page.locator('#contents a', { hasText: 'Race day' });
    expect(await link.isVisible()).toBe(false);
    await page.click('#menu');
    await link.click();
    await page.waitForURL(/\/docs\/race-day$/);
  });
});
