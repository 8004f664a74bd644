import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { key } from '#libs/testing';
import { describeInBrowser, type Tab } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';
import { failingImport } from './failing-import';

/** Not committed; for manual inspection. */
const PICTURES = join(__dirname, '../../../test-results/console');
const AXE = require.resolve('axe-core/axe.min.js');

interface Screen {
  name: string;
  path: string;
  /** A text that appears when the page is loaded. */
  shows: string | RegExp;
  after?(page: Page): Promise<void>;
}

async function violationsOf(page: Page): Promise<string[]> {
  return page.evaluate(
    async (runOnly) => {
      const { violations } = await (globalThis as any).axe.run({ runOnly, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }: any) =>
        nodes.map(({ html, any: [reason] }: any) => `${id}: ${html.slice(0, 160)} ${reason?.message ?? ''}`),
      );
    },
    ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  );
}

/** What can take the focus, in the dialog if there is one, and what Tab reaches of it. */
async function unreachableByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const { document, HTMLElement } = globalThis as any;
    const root = document.querySelector('[role=dialog], [role=menu]') ?? document;
    const targets = [
      ...root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'),
    ];
    (globalThis as any).unreached = new Set(
      targets.filter(
        (each: any) =>
          each instanceof HTMLElement &&
          each.checkVisibility({ visibilityProperty: true }) &&
          !each.disabled &&
          each.tabIndex >= 0,
      ),
    );
    (globalThis as any).unreached.delete(document.activeElement);
    document.addEventListener('focusin', ({ target }: any) => (globalThis as any).unreached.delete(target));
    return (globalThis as any).unreached.size as number;
  });
  const left = () => page.evaluate(() => (globalThis as any).unreached.size as number);
  // Twice the round: the focus leaves the page once, and rows that load meanwhile take it too.
  for (let press = 0; press < 2 * count + 8 && (press % 8 > 0 || (await left()) > 0); press++)
    await page.keyboard.press('Tab');
  return page.evaluate(() =>
    [...(globalThis as any).unreached]
      .filter((each) => each.isConnected)
      .map((each) => each.outerHTML.slice(0, 160)),
  );
}

describeInBrowser('every screen of the console', () => {
  let demo: BrowserDemo;
  let screens: Screen[];
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    demo = await startBrowserDemo();
    const jobId = await failingImport(demo);
    const [{ participantId, occurrenceId }] = await demo.api.dataSource.query(
      `SELECT e.participant_id AS "participantId", e.event_occurrence_id AS "occurrenceId" FROM start_list_entries e
       WHERE e.organization_id = $1 ORDER BY (SELECT count(*) FROM race_day_log l
         WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id) DESC, e.id LIMIT 1`,
      [demo.organizationId],
    );
    const { id: keyId } = await key(demo.api.dataSource, {
      organizationId: demo.organizationId,
      name: 'Checks of the club site',
      eventOccurrenceIds: [occurrenceId],
    });
    screens = [
      { name: 'imports', path: '/imports', shows: 'Credits' },
      {
        name: 'import-job',
        path: `/imports/${jobId}`,
        shows: 'Completed',
        after: (page) =>
          page
            .getByRole('button', { name: /show what was sent/ })
            .first()
            .click(),
      },
      { name: 'upload', path: '/imports/new', shows: 'Drop a file here' },
      { name: 'participants', path: '/participants', shows: 'Registered' },
      { name: 'participant', path: `/participants/${participantId}`, shows: 'Race-day log' },
      {
        name: 'participant-cancel',
        path: `/participants/${participantId}`,
        shows: 'Race-day log',
        after: async (page) => {
          await page.getByRole('button', { name: 'Cancel booking' }).click();
          await page
            .getByRole('dialog')
            .getByText(/The booking has/)
            .waitFor();
        },
      },
      { name: 'events', path: '/events', shows: 'Place' },
      { name: 'event', path: `/events/${occurrenceId}`, shows: 'Entries by day' },
      {
        name: 'desk',
        path: '/desk',
        shows: 'Race day',
        after: async (page) => {
          await page.getByRole('searchbox').fill('wal');
          await page.getByRole('main').getByRole('button', { expanded: false }).first().click();
          await page.getByRole('button', { name: 'Set bib' }).waitFor();
        },
      },
      { name: 'keys', path: '/developers/keys', shows: 'In force' },
      {
        name: 'key-create',
        path: '/developers/keys',
        shows: 'In force',
        after: async (page) => {
          await page.getByRole('button', { name: 'Create a key' }).click();
          await page.getByRole('dialog').waitFor();
        },
      },
      { name: 'key', path: `/developers/keys/${keyId}`, shows: 'Change limits' },
      {
        name: 'key-restrict',
        path: `/developers/keys/${keyId}`,
        shows: 'Change limits',
        after: async (page) => {
          await page.getByRole('button', { name: 'Change limits' }).click();
          await page.getByRole('dialog').waitFor();
        },
      },
      {
        name: 'key-rotate',
        path: `/developers/keys/${keyId}`,
        shows: 'Change limits',
        after: async (page) => {
          await page.getByRole('button', { name: 'Replace' }).click();
          await page.getByRole('dialog').waitFor();
        },
      },
      { name: 'requests', path: '/developers/requests', shows: '/v0/credits/import' },
      { name: 'feed', path: '/desk/feed', shows: 'Messages per second' },
      { name: 'webhooks', path: '/developers/webhooks', shows: 'No endpoints yet' },
      { name: 'deliveries', path: '/developers/deliveries', shows: 'No deliveries' },
      { name: 'people', path: '/people', shows: 'Searches participants' },
      { name: 'log', path: '/log', shows: 'staff.sign_in' },
      { name: 'account', path: '/account', shows: 'Sign out everywhere' },
    ];
  });
  afterAll(() => demo?.close());

  it.each([
    ['light', 'desktop'],
    ['dark', 'desktop'],
    ['light', 'phone'],
    ['dark', 'phone'],
    ['light', 'wide'],
  ] as const)(
    'is accessible, obeys the content security policy and fits the screen: %s, %s',
    async (theme, size) => {
      const tab: Tab = await demo.signedIn('OWNER', { theme, size });
      const { page } = tab;
      await tab.context.addInitScript({ path: AXE });
      const found: string[] = [];
      const look = async (name: string) => {
        await page.screenshot({ path: join(PICTURES, `${name}-${theme}-${size}.png`) });
        for (const violation of await violationsOf(page)) found.push(`${name}: ${violation}`);
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (overflow > 0) found.push(`${name}: ${overflow} pixels wider than the window`);
        if (size !== 'desktop' || theme !== 'light') return;
        for (const target of await unreachableByTab(page))
          found.push(`${name}: Tab does not reach ${target}`);
      };
      for (const { name, path, shows, after } of screens) {
        await page.goto(`${demo.api.url}/console/o/demo${path}`);
        await page.getByRole('main').getByText(shows).first().waitFor();
        await after?.(page);
        await look(name);
      }
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).waitFor();
      await look('menu');
      await page.goto(`${demo.api.url}/console/sign-in`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await look('sign-in');
      await page.goto(demo.api.url + (await demo.link('VIEWER')));
      await page.getByRole('button', { name: 'Continue' }).waitFor();
      await look('link');
      expect([...found, ...tab.complaints]).toEqual([]);
      await tab.context.close();
    },
  );
});
