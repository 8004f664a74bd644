import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { organization } from '#libs/testing';
import { claim } from '#platform/embedded-postgres';
import { sharedApi, type TestApi } from '../harness';
import { type CommandLine, commandLine } from './startline';

let api: TestApi;
let cli: CommandLine;
let home: string;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'startline-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));
afterAll(async () => {
  await cli.close();
  await api.close();
});

/** As the process of `npm start` does. */
const running = (url: string) => claim(join(home, 'start.json'), url);

describe('without a database, the command line names the home', () => {
  const list = async (environment: Record<string, string>) => {
    const settings = { DATABASE_URL: '', STARTLINE_HOME: home, ...environment };
    const { code, answer } = await cli.runWith(settings, 'organization', 'list');
    expect([code, answer.error]).toEqual([1, 'NO_DATABASE']);
    return answer.message;
  };

  it('and how to name another', async () => {
    expect(await list({ PORT: '1' })).toBe(
      `No database is running in ${home} (STARTLINE_HOME). Start one with "npm start", set STARTLINE_HOME to the directory of a running server, or set DATABASE_URL.`,
    );
  });

  it('and the address of a server that runs elsewhere', async () => {
    expect(await list({ PORT: new URL(api.url).port })).toBe(
      `No database is running in ${home} (STARTLINE_HOME). The server at ${api.url} has another home: set STARTLINE_HOME to that directory, or DATABASE_URL to its database.`,
    );
  });

  it('and the address of a server that runs there with another database', async () => {
    const release = running('http://127.0.0.1:4567');
    expect(await list({ PORT: '1' })).toBe(
      `Startline runs in ${home}, at http://127.0.0.1:4567, with a database that was set with DATABASE_URL. Set DATABASE_URL to the same value.`,
    );
    release();
  });
});

describe('staff invite links to', () => {
  const invite = async (environment: Record<string, string> = {}) => {
    const { slug } = await organization(api.dataSource);
    const words = [
      'staff',
      'invite',
      '--organization',
      slug,
      '--email',
      'ada@example.com',
      '--role',
      'owner',
    ];
    const settings = { STARTLINE_HOME: home, PORT: '4999', ...environment };
    const { answer, stderr } = await cli.runWith(settings, ...words);
    return { origin: answer.link.replace(/\/console\/.*/, ''), stderr };
  };

  it('the server that runs in the home', async () => {
    const release = running('http://127.0.0.1:4567');
    expect(await invite()).toEqual({ origin: 'http://127.0.0.1:4567', stderr: '' });
    for (const end of ['', '/'])
      expect((await invite({ PUBLIC_URL: `https://api.example.com${end}` })).origin).toBe(
        'https://api.example.com',
      );
    release();
  });

  it('the address of the settings if none runs there, and says so', async () => {
    const { origin, stderr } = await invite();
    expect(origin).toBe('http://127.0.0.1:4999');
    expect(stderr).toBe(
      `No server runs in ${home} (STARTLINE_HOME), so the link assumes the api at http://127.0.0.1:4999. If it is elsewhere, set PUBLIC_URL.\n`,
    );
  });
});
