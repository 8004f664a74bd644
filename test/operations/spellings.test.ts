import { get } from 'node:http';
import { key, organization } from '#libs/testing';
import { startApi, type TestApi } from '../harness';

let api: TestApi;
let marketplace: string;
beforeAll(async () => {
  api = await startApi();
  const { id: organizationId } = await organization(api.dataSource);
  marketplace = (await key(api.dataSource, { organizationId, kind: 'MARKETPLACE' })).token;
});
afterAll(() => api.close());

/** Unchanged: fetch would normalize it. */
const statusOf = (path: string, token = api.token) =>
  new Promise<number | undefined>((resolve, reject) => {
    const url = new URL(api.url);
    get(
      { host: url.hostname, port: url.port, path, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        resolve(answer.resume().statusCode);
      },
    ).on('error', reject);
  });

describe('only the documented spelling of a path works', () => {
  it.each(['/metrics', '/health/live', '/identity', '/v0/partners', '/docs'])('%s', async (path) => {
    expect(await statusOf(path)).toBe(200);
    for (const other of [
      path.toUpperCase(),
      path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      `${path}/`,
      `${path}//`,
      `/${path}`,
    ])
      expect([other, await statusOf(other)]).toEqual([other, 404]);
  });

  it('except for the marketplace paths, which are documented with a trailing slash', async () => {
    for (const path of ['/marketplace/v1/events/', '/marketplace/v1/events'])
      expect(await statusOf(path, marketplace)).toBe(200);
    for (const path of ['/marketplace/v1/Events/', '/marketplace/v1/events//'])
      expect(await statusOf(path, marketplace)).toBe(404);
  });
});
