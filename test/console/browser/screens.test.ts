import type { Page } from 'playwright-core';
import { key } from '#libs/testing';
import { eventually } from '../../harness';
import { AXE, describeInBrowser, picture, type Tab, violationsOf } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';
import { failingImport } from './failing-import';

interface Screen {
  name: string;
  path: string;
  /** A text that appears when the page is loaded. */
  shows: string | RegExp;
  after?(page: Page): Promise<void>;
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
    demo = await startBrowserDemo();
    const jobId = await failingImport(demo);
    const [{ participantId, occurrenceId, email }] = await demo.api.dataSource.query(
      `SELECT e.participant_id AS "participantId", e.event_occurrence_id AS "occurrenceId",
         e.email_normalized AS email FROM start_list_entries e
       WHERE e.organization_id = $1 ORDER BY (SELECT count(*) FROM race_day_log l
         WHERE l.organization_id = e.organization_id AND l.participant_id = e.participant_id) DESC, e.id LIMIT 1`,
      [demo.organizationId],
    );
    const [{ applicationId, ballotId, partnerId, groupId, codeId, programId, raceId }] =
      await demo.api.dataSource.query(
        `SELECT
           (SELECT e.id FROM start_list_entries e WHERE e.organization_id = o.id AND approval_status = 'PENDING'
             AND application_notes IS NOT NULL LIMIT 1) AS "applicationId",
           (SELECT e.ticket_id FROM start_list_entries e WHERE e.organization_id = o.id AND approval_status = 'PENDING'
             AND application_resolution_type = 'BALLOT' LIMIT 1) AS "ballotId",
           g.id AS "groupId", g.partner_id AS "partnerId",
           (SELECT c.id FROM discount_codes c WHERE c.organization_id = o.id ORDER BY usage_count DESC LIMIT 1) AS "codeId",
           (SELECT p.id FROM referral_programs p WHERE p.organization_id = o.id LIMIT 1) AS "programId",
           (SELECT w.race_id FROM waves w JOIN races r ON r.organization_id = w.organization_id AND r.id = w.race_id
             WHERE w.organization_id = o.id AND r.event_occurrence_id = g.event_occurrence_id LIMIT 1) AS "raceId"
         FROM organizations o JOIN reserved_entry_groups g ON g.organization_id = o.id AND g.code = 'LIFEBOAT'
         WHERE o.id = $1`,
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
            .getByRole('gridcell', { name: /Unknown event/ })
            .first()
            .dblclick(),
      },
      { name: 'upload', path: '/imports/new', shows: 'Drop a file here' },
      { name: 'participants', path: '/participants', shows: 'Registered' },
      { name: 'participant', path: `/participants/${participantId}`, shows: 'Race-day log' },
      { name: 'person', path: '/participants/person', shows: 'Enter an email address' },
      {
        name: 'person-erase',
        path: `/participants/person?email=${encodeURIComponent(email)}`,
        shows: 'Everything that is known',
        after: async (page) => {
          await page.getByRole('button', { name: 'Show', exact: true }).click();
          await page.locator('.known').first().waitFor();
          await page.getByRole('button', { name: 'Erase the person' }).click();
          await page.getByRole('dialog').getByText('Bookings').waitFor();
        },
      },
      {
        name: 'participant-cancel',
        path: `/participants/${participantId}`,
        shows: 'Race-day log',
        after: async (page) => {
          await page.getByRole('button', { name: 'More' }).click();
          await page.getByRole('menuitem', { name: 'Cancel booking' }).click();
          await page
            .getByRole('dialog')
            .getByText(/The booking has/)
            .waitFor();
        },
      },
      { name: 'home', path: '/', shows: 'Next events' },
      { name: 'applications', path: '/applications', shows: 'Approve all' },
      { name: 'application', path: `/applications/${applicationId}`, shows: 'Answers' },
      {
        name: 'application-reject',
        path: `/applications/${applicationId}`,
        shows: 'Answers',
        after: async (page) => {
          await page.getByRole('button', { name: 'Reject' }).click();
          await page.getByRole('dialog').waitFor();
        },
      },
      { name: 'ballots', path: '/applications/ballots', shows: 'Places left' },
      { name: 'ballot', path: `/applications/ballots/${ballotId}`, shows: 'Next draw' },
      { name: 'partners', path: '/partners', shows: 'Charity' },
      {
        name: 'partner-create',
        path: '/partners',
        shows: 'Charity',
        after: async (page) => {
          await page.getByRole('button', { name: 'Create a partner' }).click();
          await page.getByRole('dialog').waitFor();
        },
      },
      { name: 'partner', path: `/partners/${partnerId}`, shows: 'Sub-partners' },
      { name: 'groups', path: '/partners/groups', shows: 'Deadline' },
      { name: 'group', path: `/partners/groups/${groupId}`, shows: 'Who has its places' },
      { name: 'codes', path: '/partners/codes', shows: 'Uses' },
      { name: 'code', path: `/partners/codes/${codeId}`, shows: 'Who used it' },
      { name: 'referrals', path: `/partners/referrals/${programId}`, shows: 'Referred by' },
      { name: 'print', path: `/desk/print?race=${raceId}`, shows: 'Here' },
      { name: 'labels', path: `/desk/print?race=${raceId}&kind=bibs`, shows: '·' },
      {
        name: 'participant-edit',
        path: `/participants/${participantId}`,
        shows: 'Race-day log',
        after: async (page) => {
          await page.getByRole('button', { name: 'Edit' }).click();
          await page.getByRole('dialog').getByLabel('First name').waitFor();
        },
      },
      {
        name: 'participant-move',
        path: `/participants/${participantId}`,
        shows: 'Race-day log',
        after: async (page) => {
          await page.getByRole('button', { name: 'Move' }).click();
          await page.getByRole('dialog').getByRole('combobox', { name: 'Wave' }).waitFor();
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
      { name: 'log', path: '/log', shows: 'signed in' },
      { name: 'account', path: '/account', shows: 'Sign out everywhere' },
    ];
  });
  afterAll(() => demo?.close());

  /** Every other screen is dark on a desktop and light on a phone; the others are light on a desktop and dark on a phone. */
  it.each([
    ['light', 'desktop', 0],
    ['dark', 'desktop', 1],
    ['light', 'phone', 1],
    ['dark', 'phone', 0],
    ['light', 'wide', undefined],
  ] as const)(
    'is accessible, obeys the content security policy and fits the screen: %s, %s',
    async (theme, size, half) => {
      const tab: Tab = await demo.signedIn('OWNER', { theme, size });
      const { page } = tab;
      await tab.context.addInitScript({ path: AXE });
      const found: string[] = [];
      const look = async (name: string) => {
        await picture(page, `${name}-${theme}-${size}`);
        if (size !== 'wide')
          for (const violation of await violationsOf(page)) found.push(`${name}: ${violation}`);
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (overflow > 0) found.push(`${name}: ${overflow} pixels wider than the window`);
        if (size !== 'desktop') return;
        for (const target of await unreachableByTab(page))
          found.push(`${name}: Tab does not reach ${target}`);
      };
      for (const { name, path, shows, after } of screens.filter(
        (_, at) => half === undefined || at % 2 === half,
      )) {
        await page.goto(`${demo.api.url}/console/o/demo${path}`);
        await page.getByRole('main').getByText(shows).filter({ visible: true }).first().waitFor();
        await after?.(page);
        // Rows render after the page that has them.
        await eventually(async () => (await page.locator('[aria-busy="true"]').count()) === 0);
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
