import { booking, key, organization } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await sharedApi();
  const { id: organizationId } = await organization(api.dataSource);
  ({ token } = await key(api.dataSource, { organizationId }));
  await booking(api.dataSource, { organizationId, entries: 3 });
});
afterAll(() => api.close());

const { fetch: send } = globalThis;
const all = async (fetch: (request: Request) => Promise<Response> = send, query = {}) => {
  const found: string[] = [];
  for await (const { id } of api.client(token, { fetch }).exportParticipants(query)) found.push(id);
  return found;
};

describe('exportParticipants()', () => {
  it('returns every participant', async () => {
    const { data } = (await api.get('/v0/participants', token)).body;
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(3);
    expect(await all()).toEqual(ids);
    expect(await all(send, { raceId: data[0].raceId })).toEqual(ids);
  });

  it.each([
    ['before its last line', (text: string) => text.slice(0, text.lastIndexOf('{"end"'))],
    ['within a line', (text: string) => text.slice(0, -10)],
    ['in its middle', (text: string) => text.split('\n').slice(1).join('\n')],
  ])('throws if the stream was cut off %s', async (_where, cut) => {
    const cutting = async (request: Request) => {
      const response = await send(request);
      return new Response(cut(await response.text()), response);
    };
    await expect(all(cutting)).rejects.toThrow(
      /^The export was cut off after \d participants: start it again$/,
    );
  });

  it('throws if the API rejects the request', async () => {
    await expect(all(send, { tag: 'club' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('tag requires features=tags'),
    });
  });
});
