import { request } from 'node:http';
import { newId } from '#platform/database';
import { type Asker, encoded, forAll, startAsker, titled } from './asker';
import { type DocumentedOperation, OPERATIONS, operation, pathOf, type Schema, subjectOf } from './document';
import { expectRefused, raw } from './refused';

let asker: Asker;
beforeAll(async () => {
  asker = await startAsker();
});
afterAll(() => asker.api.close());

const BAD_DATES = [
  '2026-02-30',
  '2026-13-01',
  '2025-02-29',
  '2026-1-1',
  '0000-01-01',
  '20260101',
  'today',
  'infinity',
  '',
];
const BAD_DATE_TIMES = [
  ...BAD_DATES,
  '2026-05-04',
  '1777887000',
  '2026-02-30T00:00:00Z',
  '2026-05-04T24:00:00Z',
  '2026-05-04T09:30Z',
  '2026-05-04T09:30:00,5Z',
  '2026-05-04T09:60:00Z',
  '2026-05-04T09:30:00.0123456789Z',
  '2026-05-04T09:30:00+2',
  '2026-05-04T09:30:00+99:00',
  '2026-05-04T09:30:00 Europe/London',
  '2026-05-04T09:30:00Z; DROP TABLE partners',
  '٢٠٢٦-05-04T09:30:00Z',
];
const VERSION_4 = 'b9a0a3e4-1f0e-4d5c-9a57-0e6f2d2c8c11';

/** Values that a parameter with that schema must reject. */
function badValues({ type, format, enum: values, pattern, minimum, maximum, maxLength }: Schema): string[] {
  if (type === 'integer') {
    const beyond = [String(minimum - 1), String(maximum + 1), '9'.repeat(40)];
    return ['', 'ten', '1.5', '01', '1e2', ' 5', '0x10', '٣', 'NaN', ...beyond];
  }
  if (type === 'boolean') return ['', 'yes', '1', 'TRUE', 'true,false'];
  if (values) return ['', 'nope', `${values[0]} `, `${values[0]},${values[0]}`];
  if (format === 'date') return [...BAD_DATES, '2026-05-04T09:30:00Z'];
  if (format === 'date-time') return BAD_DATE_TIMES;
  if (format === 'uuid') return ['', 'nope', newId().toUpperCase(), VERSION_4, `${newId()} `];
  if (pattern) return ['', 'nope!', 'a\0b'];
  if (maxLength) return ['a\0b', 'x'.repeat(maxLength + 1)];
  return ['nope', 'a\0b'];
}

const usesOf = new Map<string, number>();
/**
 * What has the same rule at several operations is checked by the same code: the first of them gets all values, and each other
 * one at least a fifth of them, in turn.
 */
function inTurn<T>(rule: string, values: readonly T[]): T[] {
  const uses = usesOf.get(rule) ?? 0;
  usesOf.set(rule, uses + 1);
  const step = Math.min(5, values.length);
  return values.filter((_, i) => uses === 0 || (i + uses) % step === 0);
}

/** Protects callers from mistakes without effect: what is not understood is refused, and named. */
describe.each(titled(OPERATIONS))('%s rejects', (_, of) => {
  it('unknown query parameters, by name', async () => {
    const unknown = [
      'nonsense',
      'Page[size]',
      'page',
      'page[size][]',
      'limit',
      'constructor',
      '__proto__',
      'toString',
      '__proto__[polluted]',
      '',
    ];
    await forAll(inTurn('unknown', unknown), async (name) => {
      const answer = await asker.ask(of, encoded(name, '1'));
      expectRefused(answer, 400, JSON.stringify(name), 'not a known query parameter');
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('duplicate parameters', () =>
    forAll(of.query, async ({ name, required }) => {
      const once = encoded(name, '1');
      expectRefused(
        await asker.ask(of, required ? once : `${once}&${once}`),
        400,
        `${name} must not be repeated`,
      );
    }));

  it('values that break the rule of a parameter, naming both', () =>
    forAll(
      of.query.filter(({ required }) => !required),
      ({ name, schema }) =>
        forAll(inTurn(name + JSON.stringify(schema), badValues(schema)), async (value) =>
          expectRefused(await asker.ask(of, encoded(name, value)), 400, name, /must|needs/),
        ),
    ));
});

const OF_OUR_IDS = OPERATIONS.filter(({ pathParameters, foreignIds }) =>
  pathParameters.some((name) => !foreignIds.includes(name)),
);

describe.each(titled(OF_OUR_IDS))('%s returns 404 for', (_, of) => {
  const id = newId();
  const malformed = [
    VERSION_4,
    `${id}%20`,
    `%20${id}`,
    `${id}%0A`,
    `${id}%00`,
    `{${id}}`,
    id.replaceAll('-', ''),
    `${id}%2F`,
    `${id}%2F..`,
    `..%2F${id}`,
    `${id}'--`,
    `${id};x=1`,
    '00000000-0000-0000-0000-000000000000',
    '1',
    'null',
    '__proto__',
    '%00',
    '%F0%9F%92%A9',
    'x'.repeat(5_000),
  ];
  const undecodable = ['%ff', '%', '%E0%A4%A'];

  it('malformed ids, with the message of a missing id', () =>
    forAll(
      of.pathParameters.filter((parameter) => !of.foreignIds.includes(parameter)),
      async (name) => {
        await forAll(inTurn(`malformed ${name}`, malformed), async (text) =>
          expectRefused(await asker.ask(of, '', { [name]: text }), 404, 'There is no such resource'),
        );
        await forAll(inTurn('undecodable', undecodable), async (text) =>
          expectRefused(await asker.ask(of, '', { [name]: text }), 404),
        );
      },
    ));
});

it.each(titled(OF_OUR_IDS.filter(({ method }) => method === 'GET')))(
  '%s takes ids in upper case',
  async (_, of) => {
    const upper = Object.fromEntries(
      of.pathParameters
        .filter((name) => !of.foreignIds.includes(name))
        .map((name) => [name, String(asker.whole.ids[subjectOf(of, name)]).toUpperCase()]),
    );
    const [lower, same] = [await asker.ask(of), await asker.ask(of, '', upper)];
    expect([lower.status, same.status]).toEqual([200, 200]);
  },
);

describe('external ids in a path', () => {
  it('can be any text, and with NUL return 404', async () => {
    const external = operation('listBookingsByExternalId');
    const texts = ['A%2FB', '%20', '%2e%2e%2f', "'; DROP TABLE bookings; --", '__proto__', 'x'.repeat(5_000)];
    await forAll(texts, async (externalBookingId) => {
      const { status, body } = await asker.ask(external, '', { externalBookingId });
      expect([externalBookingId, status, body.data]).toEqual([externalBookingId, 200, []]);
    });
    expectRefused(await asker.ask(external, '', { externalBookingId: 'a%00b' }), 404);
    const partner = operation('getPartner');
    expectRefused(await asker.ask(partner, 'externalId=ENTHUSE', { id: 'a%2Fb' }), 404);
    expectRefused(await asker.ask(partner, 'externalId=ENTHUSE', { id: 'a%00b' }), 404);
    expectRefused(await asker.ask(partner, '', { id: 'a%2Fb' }), 404);
  });
});

describe('date-times', () => {
  const TAKEN = [
    '2026-05-04T09:30:00Z',
    '2026-05-04T09:30:00z',
    '2026-05-04 09:30:00Z',
    '2026-05-04T09:30:00',
    '2026-05-04T09:30:00+02:00',
    '2026-05-04T09:30:00 02:00',
    '2026-05-04T09:30:00+0200',
    '2026-05-04T09:30:00-11:30',
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => `2026-05-04T09:30:00.${'123456789'.slice(0, digits)}Z`),
  ];
  const dated = (of: (typeof OPERATIONS)[number]) =>
    of.query.filter(({ schema }) => schema.format === 'date-time');

  it.each(titled(OPERATIONS.filter((of) => dated(of).length > 0)))(
    '%s accepts in every documented spelling',
    (_, of) =>
      forAll(dated(of), ({ name }) =>
        forAll(inTurn(`date-time ${name}`, TAKEN), async (text) => {
          const { status } = await asker.ask(of, encoded(name, text));
          expect([name, text, status]).toEqual([name, text, 200]);
        }),
      ),
  );

  it('mean the same instant in every spelling, to the microsecond', async () => {
    const of = operation('listPartners');
    const { createdAt } = (await asker.ask(of)).body.data[0];
    const [, date, time, micros] = /^(.*)T(.*)\.(.*)Z$/.exec(createdAt) ?? [];
    const later = new Date(Date.parse(createdAt) + 2 * 3_600_000).toISOString().slice(0, 19);
    const same = [
      createdAt,
      `${date} ${time}.${micros}`,
      `${date}T${time}.${micros}000`,
      `${later}.${micros}+02:00`,
      `${later}.${micros} 02:00`,
    ];
    const total = async (name: string, text: string) =>
      (await asker.ask(of, encoded(name, text))).body.page.totalResults;
    for (const text of same) {
      const counts = [await total('createdAt[before]', text), await total('createdAt[after]', text)];
      expect([text, ...counts]).toEqual([text, 0, 0]);
    }
    const justAfter = `${date}T${time}.${micros}001Z`;
    expect(await total('createdAt[before]', justAfter)).toBe(1);
    expect(await total('createdAt[after]', justAfter)).toBe(0);
  });
});

it('deprecated parameters are answered with the header deprecation, others without', async () => {
  const of = operation('listEventOccurrences');
  const deprecated = OPERATIONS.flatMap(({ query }) => query.filter((each) => each.deprecated));
  expect(deprecated.map(({ name }) => name)).toEqual(['pageSize', 'cursor[after]', 'cursor[before]']);
  await forAll(of.query, async ({ name, schema, deprecated }) => {
    const value = schema.type === 'integer' ? '1' : schema.format === 'date' ? '2026-05-04' : '';
    const { headers } = await asker.ask(
      of,
      encoded(name, schema.format === 'date-time' ? '2026-05-04T09:30:00Z' : value),
    );
    expect([name, headers.get('deprecation')]).toEqual([name, deprecated ? '@1795219200' : null]);
  });
});

describe('unknown paths and methods', () => {
  it('return 405 for a method that a path does not support, with those that it does', async () => {
    // `export` could be the id of `/v0/participants/{id}`.
    const patterns = OPERATIONS.map(({ method, path }) => ({
      method,
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
    const takes = (of: DocumentedOperation, method: string) =>
      patterns.some((one) => one.method === method && one.path.test(of.path));
    const others = OPERATIONS.flatMap((of) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ of, method })),
    ).filter(({ of, method }) => !takes(of, method));
    await forAll(others, async ({ of, method }) => {
      const answer = await raw(asker.api, method, pathOf(of, asker.whole.ids), { token: asker.tokenFor(of) });
      expectRefused(answer, 405, `There is no ${method} /`);
      const allowed = new Set(answer.headers.get('allow')?.split(', '));
      const documented = OPERATIONS.filter(({ path }) => path === of.path).map((one) => one.method);
      expect([...allowed]).toEqual(expect.arrayContaining(documented));
      expect(allowed).not.toContain(method);
    });
  });

  it('return 404 in the common error format', () =>
    forAll(
      [
        '/v0',
        '/v1/partners',
        '/v0/partners/x/y',
        '/v0//partners',
        '/identity/x',
        '/docs/..%2f..%2fpackage.json',
        '/docs/%00',
        '/docs/reference.css%00.html',
        '/%ff',
        '/%',
        '/.env',
        '/v0/partners%2F',
        '/v0/partners%3Fsearch=a',
        '/metrics/x',
      ],
      async (path) => expectRefused(await raw(asker.api, 'GET', path), 404),
    ));

  it('cannot be reached by dot segments from a known path', () =>
    forAll(
      [
        '/v0/../identity',
        '/v0/partners/../../metrics',
        '/docs/../../package.json',
        '//identity',
        '/./identity',
      ],
      async (path) => {
        const { status, text } = await asWritten(path);
        expect([path, status, JSON.parse(text).statusCode]).toEqual([path, 404, 404]);
      },
    ));

  it('return an error before a long path is costly', async () => {
    const { status } = await raw(asker.api, 'GET', `/v0/partners?search=${'x'.repeat(20_000)}`);
    expect(status).toBe(431);
  });
});

/** Sends a request line that `fetch` would normalize. */
const asWritten = (path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(asker.api.url);
    const headers = { authorization: `Bearer ${asker.tokens.ORGANIZER}` };
    const asking = request({ port, host: '127.0.0.1', path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asking.on('error', reject).end();
  });

describe('x-request-id', () => {
  const idFor = async (given: string) => {
    const answer = await raw(asker.api, 'GET', '/identity', { headers: { 'x-request-id': given } });
    return answer.headers.get('x-request-id');
  };

  it('is taken from the caller if it is harmless, and generated otherwise', async () => {
    expect(await idFor('order-1815.retry:2')).toBe('order-1815.retry:2');
    await forAll(
      [
        '',
        'two words',
        'x'.repeat(65),
        '<script>',
        'a,b',
        '%0d%0aset-cookie: a=b',
        'é',
        '"',
        '{"level":"fatal"}',
      ],
      async (given) => expect(await idFor(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
    );
  });
});
