import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser, type Tab } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';
import { failingImport } from './failing-import';

jest.setTimeout(600_000);

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
      { name: 'upload', path: '/imports/new', shows: 'Drop a CSV file here' },
      { name: 'participants', path: '/participants', shows: 'Registered' },
      { name: 'participant', path: `/participants/${participantId}`, shows: 'Race-day log' },
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
  ] as const)(
    'is accessible, obeys the content security policy and fits the screen: %s, %s',
    async (theme, size) => {
      const tab: Tab = await demo.signedIn('OWNER', { theme, phone: size === 'phone' });
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
