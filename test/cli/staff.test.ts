import { Browser, signedIn } from '../console/console';
import { eventually, sharedApi, type TestApi } from '../harness';
import { type CommandLine, commandLine } from './startline';

const PASSWORD = 'correct horse battery staple';

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

/** A member who has a password, what a command does to them, and the results of signing in again. */
async function member() {
  const { browser, email, slug } = await signedIn(api, 'MANAGER');
  await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
  const signIn = (as = new Browser(api)) =>
    as.ask('POST', '/console/v1/session', { organization: slug, email, password: PASSWORD });
  const run = (command: string, ...words: string[]) =>
    cli.run('staff', command, email, '--organization', slug, ...words);
  const isSignedOut = async () => (await browser.ask('GET', '/console/v1/me')).status === 401;
  expect((await signIn()).status).toBe(200);
  return { browser, email, slug, signIn, run, isSignedOut };
}

describe('staff', () => {
  it('remove ends the password and the sessions of the member', async () => {
    const { email, slug, signIn, run, isSignedOut } = await member();
    expect((await run('remove')).code).toBe(0);
    await eventually(isSignedOut);
    expect((await signIn()).status).toBe(403);
    const { answer } = await cli.run<{ email: string }[]>('staff', 'list', '--organization', slug);
    expect(answer.map((each) => each.email)).not.toContain(email);
    expect(await run('remove')).toMatchObject({ code: 1, answer: { error: 'NOT_FOUND' } });
  });

  it('reset ends the password and the sessions, and its link signs in', async () => {
    const { slug, signIn, run, isSignedOut } = await member();
    const { answer } = await run('reset');
    await eventually(isSignedOut);
    expect((await signIn()).status).toBe(403);
    const token = new URLSearchParams(answer.link.split('#')[1]).get('token') ?? '';
    expect((await new Browser(api).redeem(slug, token)).status).toBe(200);
  });

  it('invite is refused for a member', async () => {
    const { email, slug } = await member();
    const words = ['--email', email, '--role', 'manager', '--organization', slug];
    expect(await cli.run('staff', 'invite', ...words)).toMatchObject({
      code: 1,
      answer: { message: 'The organization already has a staff member with this email.' },
    });
  });

  it.each(['ada', 'mailto:ada@example.com'])(
    'invite is refused for %s, which is no address',
    async (email) => {
      const { slug } = await member();
      expect(
        await cli.run('staff', 'invite', '--email', email, '--role', 'manager', '--organization', slug),
      ).toMatchObject({ code: 1, answer: { message: `"${email}" is not an email address.` } });
    },
  );

  it('link keeps the password and the sessions', async () => {
    const { browser, signIn, run } = await member();
    expect((await run('link')).code).toBe(0);
    expect((await signIn()).status).toBe(200);
    expect((await browser.ask('GET', '/console/v1/me')).status).toBe(200);
  });

  it('role takes effect for the sessions of the member', async () => {
    const { browser, run } = await member();
    const erase = () =>
      browser.ask('POST', '/console/v1/persons/erase', { email: 'a@b.example', dryRun: true });
    expect((await erase()).status).toBe(200);
    expect((await run('role', '--role', 'viewer')).answer).toMatchObject({ role: 'VIEWER' });
    await eventually(async () => (await erase()).status === 403);
    expect((await browser.ask('GET', '/console/v1/me')).body.role).toBe('VIEWER');
  });
});
