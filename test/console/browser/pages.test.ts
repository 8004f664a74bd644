import { MEMBER_ROLES, type StaffRole } from '#platform/database';
import { PAGE_PATHS, type PagePath } from '../../../apps/console/src/pages';
import { describeInBrowser } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

/** What each role sees at the address of each page, repeated on purpose: a new page or role is a type error here. */
type Seen = 'page' | 'refusal';
const READERS = {
  OWNER: 'page',
  MANAGER: 'page',
  VIEWER: 'page',
  RACE_DAY: 'refusal',
  PARTNER: 'refusal',
} as const;
const WRITERS = {
  OWNER: 'page',
  MANAGER: 'page',
  VIEWER: 'refusal',
  RACE_DAY: 'refusal',
  PARTNER: 'refusal',
} as const;
const DESK = {
  OWNER: 'page',
  MANAGER: 'page',
  VIEWER: 'refusal',
  RACE_DAY: 'page',
  PARTNER: 'refusal',
} as const;
const OWNERS = {
  OWNER: 'page',
  MANAGER: 'refusal',
  VIEWER: 'refusal',
  RACE_DAY: 'refusal',
  PARTNER: 'refusal',
} as const;
const PARTNERS = {
  OWNER: 'refusal',
  MANAGER: 'refusal',
  VIEWER: 'refusal',
  RACE_DAY: 'refusal',
  PARTNER: 'page',
} as const;
const SEEN: Record<PagePath, Record<StaffRole, Seen>> = {
  // Roles without this page are led to their first one.
  '/': { OWNER: 'page', MANAGER: 'page', VIEWER: 'page', RACE_DAY: 'page', PARTNER: 'page' },
  '/imports': READERS,
  '/imports/new': WRITERS,
  '/imports/:id': READERS,
  '/participants': { ...READERS, PARTNER: 'page' },
  '/participants/person': WRITERS,
  '/participants/:id': { ...READERS, PARTNER: 'page' },
  '/applications': READERS,
  '/applications/ballots': READERS,
  '/applications/ballots/:id': READERS,
  '/applications/:id': READERS,
  '/partners': READERS,
  '/partners/groups': READERS,
  '/partners/groups/:id': READERS,
  '/partners/codes': READERS,
  '/partners/codes/:id': READERS,
  '/partners/referrals/:id': READERS,
  '/partners/:id': READERS,
  '/events': READERS,
  '/events/new': WRITERS,
  '/events/upload': WRITERS,
  '/events/:id': READERS,
  '/events/:id/edit': WRITERS,
  '/desk': DESK,
  '/desk/feed': DESK,
  '/desk/print': DESK,
  '/desk/bibs': WRITERS,
  '/developers': READERS,
  '/developers/keys': OWNERS,
  '/developers/keys/:id': OWNERS,
  '/developers/requests': WRITERS,
  '/developers/webhooks': READERS,
  '/developers/deliveries': READERS,
  '/people': OWNERS,
  '/log': WRITERS,
  '/places': PARTNERS,
  '/places/file': PARTNERS,
  '/places/imports/:id': PARTNERS,
  '/account': { OWNER: 'page', MANAGER: 'page', VIEWER: 'page', RACE_DAY: 'page', PARTNER: 'page' },
};

describeInBrowser('pages by role', () => {
  let demo: BrowserDemo;
  beforeAll(async () => {
    demo = await startBrowserDemo(1_200);
  });
  afterAll(() => demo?.close());

  const REFUSAL = 'You don’t have permission';

  it.each(MEMBER_ROLES)(
    'shows %s its pages, and no form or control of the others by address',
    async (role) => {
      const [ids] = await demo.api.dataSource.query(
        `SELECT participant_id AS participants, event_occurrence_id AS events,
         (SELECT id FROM import_jobs j WHERE j.organization_id = e.organization_id LIMIT 1) AS imports,
         (SELECT id FROM api_keys k WHERE k.organization_id = e.organization_id LIMIT 1) AS keys
       FROM start_list_entries e WHERE e.organization_id = $1 AND approval_status = 'APPROVED' LIMIT 1`,
        [demo.organizationId],
      );
      const { page, context, complaints } = await demo.signedIn(role);
      const wrong: string[] = [];
      for (const path of PAGE_PATHS) {
        const address = path.replace(/(\w+)\/:id/, (_, things) => `${things}/${ids[things] ?? 'none'}`);
        await page.goto(`${demo.api.url}/console/o/demo${address}`);
        const heading = page.getByRole('main').getByRole('heading', { level: 1 });
        await heading.waitFor();
        const seen: Seen = (await heading.innerText()) === REFUSAL ? 'refusal' : 'page';
        if (seen !== SEEN[path][role]) wrong.push(`${path}: ${seen}`);
        if (seen === 'page') continue;
        const controls = await page
          .locator('main :is(form, input, select, textarea, button, [role=tab])')
          .count();
        if (controls > 0) wrong.push(`${path}: ${controls} controls`);
      }
      expect(wrong).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
});
