import { CLIENT, RunningProvider, Visitor } from '../provider/visitor';
import { describeInBrowser, openTab } from './chromium';
import { type BrowserDemo, startBrowserDemo } from './demo';

describeInBrowser('single sign-on', () => {
  let demo: BrowserDemo;
  let provider: RunningProvider;
  beforeAll(async () => {
    provider = await RunningProvider.start();
    demo = await startBrowserDemo(undefined, { ...CLIENT, OIDC_ISSUER: provider.issuer });
  });
  afterAll(async () => {
    await demo?.close();
    await provider?.stop();
  });

  /** A browser that has never been here. The visitor is at the provider in its place, whose address is not this one. */
  async function visit(claims: object | 'deny') {
    const tab = await openTab(demo.browser);
    await tab.page.route('**/console/sign-in/provider?*', async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const visitor = new Visitor(demo.api);
      await visitor.signIn(query.get('organization') ?? '', claims, query.get('next') ?? undefined);
      const cookies = [...visitor.consoleCookies].map(([name, value]) => ({
        name,
        value,
        url: demo.api.url,
      }));
      if (cookies.length > 0) await tab.context.addCookies(cookies);
      await route.fulfill({ status: 303, headers: { location: visitor.landedAt } });
    });
    await tab.page.goto(`${demo.api.url}/console/o/demo/participants?q=wal`);
    await tab.page.waitForURL(/sign-in/);
    await tab.page.getByLabel('Organization').fill('demo');
    await tab.page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
    return tab;
  }

  it('leads a browser that has never been here to the page that it asked for', async () => {
    const email = await demo.invited('MANAGER');
    const { page, context, complaints } = await visit({ email, email_verified: true });
    await page.waitForURL(/\/console\/o\/demo\/participants\?q=wal$/);
    await page.getByText(email).waitFor();
    await page.reload();
    await page.getByText(email).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says why it failed, and leaves the other ways open', async () => {
    const { page, context } = await visit('deny');
    await page.getByRole('alert').getByText('It was cancelled at the identity provider.').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    await page.goto(`${demo.api.url}/console/sign-in?organization=demo&failure=NOT_MEMBER`);
    await page.getByRole('alert').getByText('does not belong to a member').waitFor();
    await context.close();
  });
});
