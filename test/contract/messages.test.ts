import { gzipSync } from 'node:zlib';
import { key, occurrence, organization } from '#libs/testing';
import { newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { importRows } from '../imports/import';
import { DOCUMENT, type Schema } from './document';

/** What a message says about a mistake that is often made. */
let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const refusal = async (method: string, path: string, body?: unknown, token?: string) => {
  const { status, body: answer } = await api.send(method, path, body, token);
  return [status, answer.message];
};
const contacts = [{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }];

describe('a misspelled name', () => {
  it('of a property is answered with the one that was meant, in every body', async () => {
    expect(await refusal('POST', '/v0/partners', { name: 'Club', contacts, descripton: 'x' })).toEqual([
      400,
      'descripton is not a known property; did you mean description?',
    ]);
    const participant = { ticketId: newId(), fistName: 'Ada', lastName: 'Lovelace' };
    const row = { externalBookingId: 'a', eventOccurrenceId: newId(), participants: [participant] };
    const { body } = await api.send('POST', '/v0/bookings/import', { bookings: [row] });
    expect(body.problems.map(({ message }: { message: string }) => message)).toContain(
      'bookings[0].participants[0].fistName is not a known property; did you mean firstName?',
    );
    expect((await api.send('POST', '/v0/credits/import', { credits: [], credit: [] })).text).toContain(
      'credit is not a known property; did you mean credits?',
    );
  });

  it('of a query parameter too', async () => {
    const [status, message] = await refusal('GET', '/v0/participants?pageSize=5');
    expect([status, message]).toEqual([
      400,
      expect.stringContaining(
        '"pageSize" is not a known query parameter: did you mean page[size]? The known',
      ),
    ]);
  });

  it('is not guessed without likeness, or of endless names', async () => {
    for (const name of ['colour', 'name'.repeat(1_000)]) {
      const [, message] = await refusal('POST', '/v0/partners', { name: 'Club', contacts, [name]: 1 });
      expect(message).not.toContain('did you mean');
    }
  });
});

it.each([-1, -20, -60])('a key without its last %d characters is told so', async (cut) => {
  const [status, message] = await refusal('GET', '/identity', undefined, api.token.slice(0, cut));
  expect([status, message]).toEqual([401, expect.stringContaining('This API key is incomplete: ')]);
  const changed = `${api.token.slice(0, -4)}AAAA`;
  expect((await refusal('GET', '/identity', undefined, changed))[1]).toMatch(/^This API key is not valid/);
  expect(((await (await fetch(`${api.url}/identity`)).json()) as any).message).toMatch(
    /^The request has no API key/,
  );
});

it('a time of another type names the format', async () => {
  const { token } = await key(api.dataSource, { organizationId: api.organizationId, kind: 'TIMING' });
  const message = { schemaVersion: '1.0', data: { bibNumber: '7' }, changedAt: 1_700_000_000 };
  expect(await refusal('POST', '/timing-inbound/v1', [message], token)).toEqual([
    400,
    '[0].changedAt must be a string: an ISO 8601 date-time such as 2026-05-04T09:30:00Z',
  ]);
});

describe('a body of another type', () => {
  const post = async (path: string, type: string, body: string | Buffer) => {
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': type };
    const answer = await fetch(api.url + path, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { message: string }).message];
  };

  it.each(['/v0/partners', '/v0/credits/import'])('sent to %s is told the content type', async (path) => {
    expect(await post(path, 'text/csv; charset=utf-8', 'name,type\nClub,CHARITY')).toEqual([
      400,
      'The body must be JSON with the content-type application/json, not text/csv',
    ]);
    expect(await post(path, 'application/x-www-form-urlencoded', 'name=Club&type=CHARITY')).toEqual([
      400,
      'The body must be JSON with the content-type application/json, not application/x-www-form-urlencoded',
    ]);
    expect(await post(path, 'multipart/form-data; boundary=x', '--x\r\n')).toEqual([
      400,
      'The body must be JSON with the content-type application/json, not multipart/form-data',
    ]);
  });

  it('that is compressed without saying so is told the header, or that it is not accepted', async () => {
    const zipped = gzipSync('{"credits":[]}');
    expect(await post('/v0/credits/import', 'application/json', zipped)).toEqual([
      400,
      'The body is compressed by gzip; send the header content-encoding: gzip',
    ]);
    expect(await post('/v0/partners', 'application/json', zipped)).toEqual([
      400,
      'The body is compressed by gzip; send it uncompressed',
    ]);
  });

  it('is what some tools call JSON, which is accepted', async () => {
    const body = JSON.stringify({ name: 'Club', type: 'CHARITY', contacts });
    expect((await post('/v0/partners', 'application/x-www-form-urlencoded', ` ${body}`))[0]).toBe(200);
  });
});

describe('the id of an occurrence in place of its event', () => {
  const paths = (id: string) =>
    ['tickets', 'reserved-entries', 'applications'].map((of) => `/v0/events/${id}/${of}`);

  it('is named in paths, with the id of the event', async () => {
    const { id, eventId } = await occurrence(api.dataSource, { organizationId: api.organizationId });
    for (const path of paths(id))
      expect(await refusal('GET', path)).toEqual([
        404,
        `This is the id of an event occurrence. Send the id of its event, ${eventId}.`,
      ]);
  });

  it('is named in bodies', async () => {
    const { id, eventId } = await occurrence(api.dataSource, { organizationId: api.organizationId });
    const specificMarketings = [{ eventId: id, optInText: 'Yes' }];
    const partner = { name: 'Club', type: 'CHARITY', contacts, specificMarketings };
    expect(await refusal('POST', '/v0/partners', partner)).toEqual([
      400,
      `specificMarketings[0].eventId is the id of an event occurrence; send the id of its event, ${eventId}`,
    ]);
    const amount = { value: 100, currencyCode: 'GBP' };
    const credit = { externalCreditId: newId(), email: 'ada@example.com', amount, eventId: id };
    const job = await importRows(api, 'credits/import', { credits: [credit] });
    expect(job.errors).toEqual([
      expect.objectContaining({
        code: 'EVENT_NOT_FOUND',
        message: `eventId is the id of an event occurrence; send the id of its event, ${eventId}`,
      }),
    ]);
  });

  it('is like a missing one if it is of another organization', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { id, eventId } = await occurrence(api.dataSource, { organizationId });
    const missing = newId();
    const [theirs, none] = await Promise.all(
      [id, missing].map((each) => Promise.all(paths(each).map((path) => refusal('GET', path)))),
    );
    expect(theirs).toEqual(none);
    expect(none?.[0]).toEqual([404, 'There is no such resource in your organization.']);
    const marketing = async (of: string) =>
      (
        await refusal('POST', '/v0/partners', {
          ...{ name: 'Club', type: 'CHARITY', contacts },
          specificMarketings: [{ eventId: of, optInText: 'Yes' }],
        })
      )[1].replace(of, '');
    expect(await marketing(id)).toBe(await marketing(missing));
    expect(await marketing(id)).not.toContain(eventId);
  });
});

it('the reference states the size of the pages of each list', async () => {
  const sizes = Object.values(DOCUMENT.paths as Schema).flatMap((item: Schema) =>
    Object.values(item).flatMap(({ operationId, parameters = [] }: Schema) =>
      parameters
        .filter(({ name }: Schema) => ['page[size]', 'pageSize'].includes(name))
        .map((size: Schema) => [operationId, size]),
    ),
  );
  expect(sizes.length).toBeGreaterThan(30);
  for (const [name, { description, schema }] of sizes) {
    const usual =
      schema.default === undefined ? 'if absent, all items are returned' : `${schema.default} by default`;
    const meant = `Items per page, ${schema.minimum} to ${schema.maximum}; ${usual}.`;
    expect([name, description]).toEqual([name, expect.stringContaining(meant)]);
  }
  const { text } = await api.get('/docs/participants', null);
  expect(text).toContain('Items per page, 1 to 500; 100 by default.');
});
