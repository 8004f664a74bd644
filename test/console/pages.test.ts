import { Pages } from '../../apps/api/src/console/pages/pages';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

it('says that it is being built, and reloads', async () => {
  const get = jest.spyOn(Pages.prototype, 'get').mockReturnValue(undefined);
  const before = await fetch(`${api.url}/console/o/some/participants`);
  expect([before.status, before.headers.get('refresh')]).toEqual([503, '2']);
  expect(await before.text()).toContain('The console is being built');
  get.mockRestore();
  const after = await fetch(`${api.url}/console/o/some/participants`);
  expect([after.status, after.headers.get('refresh')]).toEqual([200, null]);
});

it('is at /console, with or without a slash', async () => {
  const [without, withSlash] = await Promise.all(
    ['/console', '/console/'].map(async (path) => {
      const response = await fetch(api.url + path);
      return [response.status, await response.text()];
    }),
  );
  expect(without).toEqual([200, expect.stringContaining('<div id="root">')]);
  expect(withSlash).toEqual(without);
});
