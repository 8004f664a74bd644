import { type AddressInfo, createServer, type Server } from 'node:net';
import { eventually, startApi, type TestApi } from '../harness';
import { Browser, signedIn } from './console';

const PASSWORD = 'correct horse battery staple';

/** Mails that were delivered, each with its envelope's recipients. */
const delivered: { to: string[]; text: string }[] = [];

/** What nodemailer says to a server without extensions (RFC 5321). */
async function startMailServer(): Promise<Server> {
  const server = createServer((socket) => {
    let to: string[] = [];
    let text: string | undefined;
    let unread = '';
    socket.write('220 mail.example.com\r\n');
    socket.setEncoding('utf8').on('data', (more) => {
      const lines = (unread + more).split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        if (text !== undefined && line !== '.') {
          text += `${line}\n`;
          continue;
        }
        if (line === '.') delivered.push({ to, text: text ?? '' });
        if (line.startsWith('MAIL')) to = [];
        if (line.startsWith('RCPT')) to.push(line.replace(/^RCPT TO:<(.*)>$/, '$1'));
        text = line === 'DATA' ? '' : undefined;
        socket.write(line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 done\r\n');
      }
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The text of a mail, whose long lines are written as several (RFC 2045). */
const textOf = (mail: { text: string }) =>
  mail.text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
const linkIn = (mail: { text: string }) => new URL(/https:\/\/\S+/.exec(textOf(mail))?.[0] ?? '');

const MAIL = { MAIL_FROM: 'City Runs <no-reply@example.com>', PUBLIC_URL: 'https://runs.example' };
let mailServer: Server;
const smtpUrl = () => `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}`;
let api: TestApi;
let withoutMail: TestApi;
beforeAll(async () => {
  mailServer = await startMailServer();
  api = await startApi({ ...MAIL, RATE_SIGN_IN: '1000', SMTP_URL: smtpUrl() });
  withoutMail = await startApi({ RATE_SIGN_IN: '1000', DATABASE_URL: api.databaseUrl });
});
afterAll(async () => {
  await withoutMail.close();
  await api.close();
  mailServer.close();
});

const ask = (organization: string, email: string, headers = {}, of = api) =>
  new Browser(of).ask('POST', '/console/v1/session/forgotten', { organization, email }, headers);
const signIn = (organization: string, email: string) =>
  new Browser(api).ask('POST', '/console/v1/session', { organization, email, password: PASSWORD });
const redeem = async (link: URL) => {
  const { organization = '', token = '' } = Object.fromEntries(new URLSearchParams(link.hash.slice(1)));
  const browser = new Browser(api);
  return { browser, answer: await browser.redeem(organization, token) };
};
const mailFor = async (slug: string, email: string, headers = {}) => {
  const before = delivered.length;
  expect((await ask(slug, email, headers)).body).toEqual({ success: true });
  await eventually(async () => delivered.length > before);
  return delivered.at(-1) as (typeof delivered)[number];
};

it('mails a link that works once, and ends the password and all sessions only then', async () => {
  const { browser, email, slug } = await signedIn(api, 'MANAGER');
  await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
  const mail = await mailFor(slug, ` ${email.toUpperCase()} `);
  expect(mail.to).toEqual([email]);
  expect(textOf(mail)).toContain(`Your sign-in link for ${slug}`);
  const link = linkIn(mail);
  expect(`${link.origin}${link.pathname}`).toBe('https://runs.example/console/redeem');
  expect((await browser.ask('GET', '/console/v1/me')).body.hasPassword).toBe(true);

  const { answer, browser: other } = await redeem(link);
  expect([answer.status, answer.body.hasPassword, answer.body.email]).toEqual([200, false, email]);
  await eventually(async () => (await browser.ask('GET', '/console/v1/me')).status === 401);
  expect((await signIn(slug, email)).status).toBe(403);
  expect((await redeem(link)).answer.status).toBe(403);
  expect((await other.ask('PUT', '/console/v1/me/password', { password: PASSWORD })).status).toBe(200);
  expect((await signIn(slug, email)).status).toBe(200);
});

it('refuses a link after its hour, after a sign-in, for another member, and with another proof', async () => {
  const { email, slug, browser } = await signedIn(api, 'VIEWER');
  const stranger = await signedIn(api, 'OWNER');
  await browser.ask('PUT', '/console/v1/me/password', { password: PASSWORD });
  const link = linkIn(await mailFor(slug, email));
  const [id = '', expires = '', proof = ''] = link.hash.replace(/.*token=/, '').split('.');
  const refused = async (token: string) => {
    const { answer } = await redeem(new URL(`${link.origin}/#organization=${slug}&token=${token}`));
    expect([token, answer.status, answer.headers.getSetCookie()]).toEqual([token, 403, []]);
  };
  await refused(`${id}.${Number(expires) + 1}.${proof}`);
  await refused(`${stranger.memberId}.${expires}.${proof}`);
  await refused(`${id}.${expires}.${proof.replace(/^./, (one) => (one === 'A' ? 'B' : 'A'))}`);
  await refused(`${id}.${expires}`);
  const now = jest.spyOn(Date, 'now').mockReturnValue(Number(expires) + 1);
  await refused(`${id}.${expires}.${proof}`);
  now.mockRestore();
  expect((await signIn(slug, email)).status).toBe(200);
  await refused(`${id}.${expires}.${proof}`);
});

it('answers the same about a stranger, and mails nothing', async () => {
  const { email, slug } = await signedIn(api, 'VIEWER');
  const before = delivered.length;
  for (const [organization, of] of [
    [slug, 'nobody@example.com'],
    ['no-such-organization', email],
  ] as const)
    expect((await ask(organization, of)).body).toEqual({ success: true });
  await mailFor(slug, email, { 'accept-language': 'de-DE,de;q=0.9' });
  expect(delivered.length).toBe(before + 1);
  expect(textOf(delivered.at(-1) as never)).toContain(`bei ${slug} an und setzen ein neues Passwort`);
});

it('names nobody but the member, even if an email could name several addresses', async () => {
  const { slug } = await signedIn(api, 'VIEWER', 'first,second@example.com');
  expect((await mailFor(slug, 'first,second@example.com')).to).toEqual(['"first,second"@example.com']);
});

it('mails a few times an hour to an address, whoever asks', async () => {
  const limited = await startApi({
    ...{ ...MAIL, RATE_SIGN_IN: '3', TRUSTED_PROXIES: 'loopback', SMTP_URL: smtpUrl() },
    DATABASE_URL: api.databaseUrl,
  });
  const { email, slug } = await signedIn(api, 'VIEWER');
  const statuses = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await ask(slug, email, { 'x-forwarded-for': `198.51.100.${n}` }, limited)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  await limited.close();
});

it('is offered only with a mail server', async () => {
  const options = async (of: TestApi) =>
    (await new Browser(of).ask('GET', '/console/v1/session/options')).body;
  expect([(await options(api)).mail, (await options(withoutMail)).mail]).toEqual([true, false]);
  const { email, slug } = await signedIn(withoutMail, 'VIEWER');
  expect((await ask(slug, email, {}, withoutMail)).status).toBe(403);
});
