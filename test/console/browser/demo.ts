import type { INestApplicationContext } from '@nestjs/common';
import type { Browser } from 'playwright-core';
import { consolePathOf, inviteMember } from '#domain/staff';
import { partner, SIGNING_SECRETS, type TestDatabase, testDatabase } from '#libs/testing';
import { type StaffRole } from '#platform/database';
import { loadDemo } from '../../../apps/cli/src/demo/load-demo';
import { startApi, startWorker, type TestApi } from '../../harness';
import { openTab, signInByLink, startBrowser, type Tab } from './chromium';

/** The product with the demo data, and a browser. */
export interface BrowserDemo {
  api: TestApi;
  browser: Browser;
  organizationId: string;
  /** The email of a new member. */
  invited(role: StaffRole): Promise<string>;
  /** A link that signs a new member in. */
  link(role: StaffRole): Promise<string>;
  /** A tab in which a new member is signed in. */
  signedIn(role: StaffRole, options?: Parameters<typeof openTab>[1]): Promise<Tab>;
  close(): Promise<void>;
}

const ACTOR = { type: 'COMMAND_LINE', id: 'test', origin: 'test' } as const;

export async function startBrowserDemo(
  participants = 1_500,
  environment: Record<string, string> = {},
): Promise<BrowserDemo> {
  const database: TestDatabase = await testDatabase();
  await loadDemo(database.url, { participants, signingSecrets: SIGNING_SECRETS });
  const api = await startApi({ DATABASE_URL: database.url, RATE_SIGN_IN: '1000', ...environment });
  const worker: INestApplicationContext = await startWorker(api);
  const browser = await startBrowser();
  const { manager } = api.dataSource;
  const [{ id: organizationId }] = await manager.query("SELECT id FROM organizations WHERE slug = 'demo'");
  const invite = async (role: StaffRole) => {
    const email = `${role.toLowerCase().replace('_', '-')}-${crypto.randomUUID().slice(0, 4)}@demo.example`;
    const partnerId = role === 'PARTNER' ? (await partner(api.dataSource, { organizationId })).id : null;
    const { token } = await inviteMember(manager, { organizationId, email, role, partnerId }, ACTOR);
    return { email, token };
  };
  const link = async (role: StaffRole) => consolePathOf('demo', (await invite(role)).token);
  return {
    api,
    browser,
    organizationId,
    invited: async (role) => (await invite(role)).email,
    link,
    async signedIn(role, options) {
      const tab = await openTab(browser, options);
      await signInByLink(tab.page, api, await link(role));
      return tab;
    },
    async close() {
      await browser.close();
      await worker.close();
      await api.close();
      await database.drop();
    },
  };
}
