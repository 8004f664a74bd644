import type { INestApplicationContext } from '@nestjs/common';
import type { Browser } from 'playwright-core';
import { consolePathOf, inviteMember } from '#domain/staff';
import { partner, Shared, SIGNING_SECRETS, type TestDatabase, testDatabase } from '#libs/testing';
import { type StaffRole } from '#platform/database';
import { loadDemo } from '../../../apps/cli/src/demo/load-demo';
import { startApi, startWorker, type TestApi } from '../../harness';
import { openTab, startBrowser, type Tab } from './chromium';

/** The product with an organization, and a browser. */
export interface BrowserDemo {
  api: TestApi;
  browser: Browser;
  organizationId: string;
  /** The address of the organization's pages. */
  home: string;
  /** The email of a new member. */
  invited(role: StaffRole): Promise<string>;
  /** A link that signs a new member in. */
  link(role: StaffRole, partnerId?: string): Promise<string>;
  /** A tab with the first page for a new member, who is signed in. */
  signedIn(role: StaffRole, options?: Parameters<typeof openTab>[1] & { partnerId?: string }): Promise<Tab>;
  close(): Promise<void>;
}

const ACTOR = { type: 'COMMAND_LINE', id: 'test', origin: 'test' } as const;

const demos = new Map<number, Shared<TestDatabase>>();

/** A database with the demo data, to copy. */
function demoOf(participants: number): Shared<TestDatabase> {
  const load = async () => {
    const database = await testDatabase();
    await loadDemo(database.url, { participants, signingSecrets: SIGNING_SECRETS });
    return database;
  };
  const demo = demos.get(participants) ?? new Shared(load, (database) => database.drop());
  demos.set(participants, demo);
  return demo;
}

const browsers = new Shared(startBrowser, (browser) => browser.close());

/** With the demo data. */
export async function startBrowserDemo(
  participants = 1_500,
  environment: Record<string, string> = {},
): Promise<BrowserDemo> {
  const template = demoOf(participants);
  const { value: demo, release } = await template.use();
  try {
    return await inBrowser(await testDatabase(demo), environment, 'demo');
  } finally {
    await release();
  }
}

/** With an organization that has nothing yet. */
export async function startEmptyInBrowser(): Promise<BrowserDemo> {
  return inBrowser(await testDatabase(), {});
}

async function inBrowser(
  database: TestDatabase,
  environment: Record<string, string>,
  named?: string,
): Promise<BrowserDemo> {
  const api = await startApi({ DATABASE_URL: database.url, RATE_SIGN_IN: '1000', ...environment });
  const worker: INestApplicationContext = await startWorker(api, environment);
  const { value: browser, release } = await browsers.use();
  const { manager } = api.dataSource;
  const [{ id: organizationId, slug }] = await manager.query(
    'SELECT id, slug FROM organizations WHERE slug = $1 OR id = $2 ORDER BY slug = $1 DESC LIMIT 1',
    [named ?? '', api.organizationId],
  );
  const invite = async (role: StaffRole, ofPartner?: string) => {
    const email = `${role.toLowerCase().replace('_', '-')}-${crypto.randomUUID().slice(0, 4)}@demo.example`;
    const partnerId =
      role === 'PARTNER' ? (ofPartner ?? (await partner(api.dataSource, { organizationId })).id) : null;
    const { token } = await inviteMember(manager, { organizationId, email, role, partnerId }, ACTOR);
    return { email, token };
  };
  const home = `${api.url}/console/o/${slug}`;
  return {
    api,
    browser,
    organizationId,
    home,
    invited: async (role) => (await invite(role)).email,
    link: async (role, ofPartner) => consolePathOf(slug, (await invite(role, ofPartner)).token),
    async signedIn(role, options) {
      const tab = await openTab(browser, options);
      const kept = {
        'startline.organizations': [{ id: organizationId, slug, name: slug }],
        // Otherwise the desk is that of an event of today, which the demo data has on some days.
        [`startline.desk-event.${organizationId}`]: '',
      };
      await tab.context.addInitScript((values) => {
        for (const [key, value] of Object.entries(values))
          (globalThis as any).localStorage[key] ??= JSON.stringify(value);
      }, kept);
      const { token } = await invite(role, options?.partnerId);
      await tab.context.request.post(`${api.url}/console/v1/session/redeem`, {
        data: { organization: slug, token },
        headers: { 'sec-fetch-site': 'same-origin' },
        failOnStatusCode: true,
      });
      await tab.page.goto(home);
      return tab;
    },
    async close() {
      await release();
      await worker.close();
      await api.close();
      await database.drop();
    },
  };
}
