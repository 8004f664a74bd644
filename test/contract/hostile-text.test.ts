import { finished } from '../imports/import';
import { type Asker, encoded, forAll, startAsker } from './asker';
import { BODIES } from './bodies';
import { operation, pathOf } from './document';
import { inTime } from './in-time';
import { expectErrorShape, expectRefused, raw } from './refused';

/** Much more than a linear check takes, much less than a quadratic one would for this text. */
const QUICK_MS = 2_000;
const LARGE = 250_000;

let asker: Asker;
beforeAll(async () => {
  asker = await startAsker();
});
afterAll(() => asker.api.close());

const send = (name: string, body: string) => {
  const of = operation(name);
  return raw(asker.api, of.method, pathOf(of, asker.whole.ids), {
    body,
    headers: { 'content-type': 'application/json' },
    token: asker.tokenFor(of),
  });
};

/** A valid request with one of its values replaced. */
const withValue = (name: string, place: string, value: unknown) => {
  const body = BODIES[name]?.(asker.whole) as Record<string, unknown>;
  const path = place.split('.');
  const last = path.pop() as string;
  const parent = path.reduce((part, key) => part[key] as Record<string, unknown>, body);
  parent[last] = value;
  return JSON.stringify(body);
};

describe('large values', () => {
  const CHEWY: [string, string, string][] = [
    ['registrationStatus', 'email', `${'a'.repeat(LARGE)}@example.com`],
    ['registrationStatus', 'email', `${'@'.repeat(LARGE)}`],
    ['createPartner', 'contacts.0.email', `a@${'a.'.repeat(LARGE / 2)}`],
    ['createPartner', 'contacts.0.email', `"${'\\\\'.repeat(LARGE / 2)}"@example.com`],
    ['createPartner', 'contacts.0.email', `${'a'.repeat(LARGE)}!`],
    ['createPartner', 'contacts.0.firstName', ' '.repeat(LARGE)],
    ['createPartner', 'name', ` ${'x'.repeat(LARGE)}`],
    ['createPartner', 'name', `x${'\n'.repeat(LARGE)}`],
    [
      'createPartner',
      'defaultMarketing',
      { optInText: 'a', url: `https://${'a.'.repeat(LARGE / 2)}` } as never,
    ],
    [
      'createPartner',
      'defaultMarketing',
      { optInText: 'a', url: `https://a?${'%'.repeat(LARGE)} ` } as never,
    ],
    ['createPartner', 'externalIds', { ENTHUSE: ' '.repeat(LARGE) } as never],
    ['updateRaceDay', 'bibNumber', ` ${'1 '.repeat(LARGE / 2)}`],
    ['updateRaceDay', 'bibNumber', `1${' '.repeat(LARGE)}`],
    ['updateDiscountCode', 'group', ' '.repeat(LARGE)],
    ['importBookings', 'bookings.0.booker.email', `${'a'.repeat(LARGE)}@example.com`],
    ['importBookings', 'bookings.0.booker.email', `a@${'a.'.repeat(LARGE / 2)}`],
    ['importBookings', 'bookings.0.participants.0.bibNumber', `1${' '.repeat(LARGE)}`],
    ['importBookings', 'bookings.0.externalBookingId', ' '.repeat(LARGE)],
    ['importBookings', 'bookings.0.bookedAt', `2026-05-04T09:30:00${' '.repeat(LARGE)}x`],
    ['importCredits', 'credits.0.email', `${'a@'.repeat(LARGE / 2)}`],
    ['importCredits', 'credits.0.expiresAt', `2026-05-04T09:30:00.${'1'.repeat(LARGE)}Z`],
    ['importReferrals', 'referrals.0.status', `${'A_'.repeat(LARGE / 2)}!`],
    ['ingestTiming', 'changedAt', `2026-05-04T09:30:00${' '.repeat(LARGE)}`],
    ['ingestTiming', 'data.bibNumber', `1${' '.repeat(LARGE)}`],
    [
      'ingestTiming',
      'data.shipping',
      { shippedAt: '2026-05-04T09:30:00Z', trackingUrl: `http://${'a.'.repeat(LARGE / 2)} ` } as never,
    ],
    ['ingestTiming', 'schemaVersion', '1'.repeat(LARGE)],
  ];

  it.each(CHEWY.map(([name, place, value], i) => [name, place, i, value] as const))(
    '%s rejects them quickly: %s (%i)',
    async (name, place, _i, value) => {
      const body = withValue(name, place, value);
      const answer = await inTime(QUICK_MS, () => send(name, body));
      expectErrorShape(answer);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain(place.split('.').pop() as string);
    },
  );

  it('are rejected in paths, queries and headers before they are parsed', async () => {
    const long = 'x'.repeat(12_000);
    await inTime(5 * QUICK_MS, async () => {
      expectRefused(await asker.ask(operation('getPartner'), '', { id: long }), 404);
      expectRefused(
        await asker.ask(operation('listPartners'), encoded('page[after]', 'A'.repeat(12_000))),
        400,
      );
      expectRefused(
        await asker.ask(
          operation('listPartners'),
          encoded('createdAt[after]', `2026-05-04T09:30:00${' '.repeat(3_000)}x`),
        ),
        400,
      );
      expectRefused(await raw(asker.api, 'GET', '/identity', { token: `${'a.'.repeat(6_000)}` }), 401);
      expectRefused(await raw(asker.api, 'GET', '/identity', { token: `${' '.repeat(6_000)}a` }), 401);
    });
  });
});

describe('stored values', () => {
  const long = (characters: number) => 'x'.repeat(characters);
  const TOO_MUCH: [string, string, unknown][] = [
    ['createPartner', 'name', long(256)],
    ['createPartner', 'description', long(10_001)],
    ['createPartner', 'contacts.0.firstName', long(256)],
    ['createPartner', 'contacts.0.role', long(256)],
    ['createPartner', 'contacts', Array(101).fill({ firstName: 'A', lastName: 'B', email: 'a@example.com' })],
    ['createPartner', 'specificMarketings.0.optInText', long(2_001)],
    ['updateRaceDay', 'customFields.0.value', long(10_000)],
    ['updateRaceDay', 'customFields.0.value', { deep: [long(10_000)] }],
    ['importBookings', 'bookings.0', { metadata: { text: long(200_000) } }],
    [
      'importBookings',
      'bookings.0',
      {
        tracking: Object.fromEntries(
          long(20_000)
            .split('')
            .map((x, i) => [x + i, x]),
        ),
      },
    ],
  ];

  it.each(TOO_MUCH)('%s limits %s to what a page of 500 can carry', async (name, place, value) => {
    const body = BODIES[name]?.(asker.whole) as Record<string, object[]>;
    const row = place === 'bookings.0' && { ...body.bookings?.[0], ...(value as object) };
    const answer = await send(name, withValue(name, place, row || value));
    const [, field = place] = /^(?:[a-z]+\.0\.)?(\w+)$/i.exec(place) ?? [];
    expectRefused(
      answer,
      400,
      row ? 'bookings[0]' : field,
      /longer|shorter than|no more than 100|to 100 items|more than 1000 properties/,
    );
  });
});

describe('search texts with the syntax of another language', () => {
  const SYNTAX = [
    "' OR '1'='1",
    "'; DROP TABLE partners; --",
    "' || pg_sleep(10) || '",
    '$1 ? :name',
    '%',
    '_',
    '\\',
    "\\'",
    'a & !b | (c <-> d:*',
    ":*'",
    '!!!!',
    '((((((((',
    '& | ! <->',
    "'unclosed",
    'a:ABCD*',
    '"quoted phrase" -not',
    '*',
    'https://example.com/a?b=c&d=e',
    'ada@example.com',
    '/usr/local/bin\\..',
    '<b>bold</b>',
    '&amp;&#39;',
    '1e309 -0 0x1',
    'İSTANBUL ß ﬁ ẞ',
    '\u202e\u200d\ufeff',
    '👩‍👩‍👧‍👦 🏃',
    '日本語'.repeat(300),
    'x'.repeat(1_000),
    Array.from({ length: 250 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 1_000),
    "'".repeat(1_000),
    '\\'.repeat(999),
  ];

  it('are plain text to the marketplace search', () =>
    forAll(SYNTAX, async (text) => {
      const { status, body } = await asker.api.get(
        `/marketplace/v1/events/search?${encoded('query', text)}`,
        asker.tokens.MARKETPLACE,
      );
      expect([text.slice(0, 40), status, body.events]).toEqual([text.slice(0, 40), 200, []]);
    }));

  it('are plain text to the partner search, without wildcards', () =>
    forAll(SYNTAX, async (text) => {
      const search = [...text].slice(0, 90).join('');
      const { status, body } = await asker.ask(operation('listPartners'), encoded('search', search));
      expect([search, status, body.data]).toEqual([search, 200, []]);
    }));

  it('find records with that name', async () => {
    const name = `100% 'Run_for\\it' & "friends" | (all):*`;
    const { status } = await send('createPartner', withValue('createPartner', 'name', name));
    expect(status).toBe(200);
    for (const search of [name, '100% ', "'Run_", '\\IT', '" | (', ':*']) {
      const { body } = await asker.ask(operation('listPartners'), encoded('search', search));
      expect([search, body.data.map((partner: { name: string }) => partner.name)]).toEqual([search, [name]]);
    }
    expect((await asker.ask(operation('listPartners'), encoded('search', '100_'))).body.data).toEqual([]);
  });
});

/** Protects amounts and ids: a proxy and the API cannot understand different values. */
describe('JSON that parsers interpret differently', () => {
  /** A booking import with free JSON written by hand. */
  const booking = (metadata: string) =>
    withValue('importBookings', 'bookings.0.metadata', 'HERE').replace('"HERE"', () => metadata);
  /** Imports one row with the given value, and returns the outcome. */
  const follow = (name: string, place: string, value: unknown) =>
    followed(name, withValue(name, place, value));
  const followed = async (name: string, text: string) => {
    const { status, body } = await send(name, text);
    expect([status, body.message]).toEqual([200, undefined]);
    const path = operation(name).path.replace('/v0/', '');
    const job = await finished(asker.api, path, body.jobId, asker.tokens.ORGANIZER);
    expect([text, job.errors]).toEqual([text, []]);
    return job.results[0];
  };

  it('is stored with its meaning: any property name, numbers, escapes', async () => {
    const { participantIds } = await followed(
      'importBookings',
      booking(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"":"empty","a.b":1,"n":1e2,"e":0.1,"u":"\\u00e9\\ud83c\\udfc3"}',
      ),
    );
    const { body } = await asker.ask(operation('getParticipant'), 'extendMetadata=true', {
      id: participantIds[0],
    });
    const { metadata } = body;
    expect(Object.keys(metadata)).toEqual(expect.arrayContaining(['__proto__', 'constructor', '', 'a.b']));
    expect(metadata).toMatchObject({ '': 'empty', 'a.b': 1, n: 100, e: 0.1, u: 'é🏃' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is rejected for a duplicate property, in any spelling', async () => {
    const amount = (text: string) =>
      withValue('importCredits', 'credits.0.amount', 'HERE').replace('"HERE"', text);
    for (const name of ['value', '\\u0076alue']) {
      const answer = await send('importCredits', amount(`{"value":-5,"${name}":700,"currencyCode":"GBP"}`));
      expectRefused(answer, 400, 'credits[0].amount.value is a duplicate property');
      expect(answer.body.problems).toMatchObject([
        {
          path: 'credits[0].amount.value',
          row: 0,
          externalId: expect.stringMatching(/^credit-/),
          code: 'DUPLICATE',
        },
      ]);
    }
  });

  it('is rejected if a number would change its value, naming the position', async () => {
    const NUMBERS: [string, string][] = [
      ['12345678901234567890', 'INEXACT_NUMBER'],
      ['0.10000000000000001', 'INEXACT_NUMBER'],
      ['9007199254740993', 'INEXACT_NUMBER'],
      ['1e131071', 'OUT_OF_RANGE'],
      ['1e300', 'OUT_OF_RANGE'],
      ['5e-324', 'OUT_OF_RANGE'],
      [`1.${'0'.repeat(20_000)}`, 'OUT_OF_RANGE'],
    ];
    for (const [number, code] of NUMBERS) {
      const answer = await send('importBookings', booking(`{"a":[1,{"n":${number}}]}`));
      expectRefused(answer, 400, 'bookings[0].metadata.a[1].n');
      expect(answer.body.problems).toHaveLength(1);
      expect(answer.body.problems[0]).toMatchObject({ path: 'bookings[0].metadata.a[1].n', row: 0, code });
    }
  });

  it('is rejected at the first 100 of 4,500 numbers that PostgreSQL would render at 131 KB each', async () => {
    const before = await asker.api.dataSource.query('SELECT count(*) FROM import_jobs');
    const poison = withValue('importBookings', 'bookings.0.tracking', 'HERE').replace(
      '"HERE"',
      `{"n":[${Array(4_500).fill('1e131071').join(',')}]}`,
    );
    const answer = await send('importBookings', poison);
    expectRefused(answer, 400, 'bookings[0].tracking.n[0] must not have more than 40 digits');
    expect(answer.body.problems).toHaveLength(100);
    expect(await asker.api.dataSource.query('SELECT count(*) FROM import_jobs')).toEqual(before);
  });

  it('is rejected if it cannot be stored, together with its batch', async () => {
    const jobs = async () => (await asker.ask(operation('listImportJobs'))).body.page.totalResults;
    const before = await jobs();
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const REFUSED: [string, string][] = [
      ['numbers out of range', '{"n":1e999999}'],
      ['NUL', '{"text":"a\\u0000b"}'],
      ['NUL in a name', '{"a\\u0000b":1}'],
      ['an unpaired surrogate', '{"text":"\\ud83c"}'],
      ['surrogates in the wrong order', '{"text":"\\udfc3\\ud83c"}'],
      ['an unpaired surrogate in a name', '{"\\uDBFF":1}'],
      ['nesting of 5,000 levels', deep(5_000)],
      ['nesting beyond PostgreSQL’s stack', deep(60_000)],
      ['an array instead of the object', '[1]'],
      ['text instead of the object', '"{}"'],
    ];
    await forAll(REFUSED, async ([what, metadata]) => {
      const answer = await send('importBookings', booking(metadata));
      expect([what, answer.status]).toEqual([what, 400]);
      expectErrorShape(answer);
    });
    expect(await jobs()).toBe(before);
  });

  it('may spell instants in every accepted way, and they are stored with their meaning', async () => {
    const SPELLINGS: [string, string][] = [
      ['2031-05-04T09:30:00Z', '2031-05-04T09:30:00.000Z'],
      // Local to the event, in London.
      ['2031-05-04T09:30:00', '2031-05-04T08:30:00.000Z'],
      ['2031-05-04 09:30:00', '2031-05-04T08:30:00.000Z'],
      ['2031-05-04T09:30:00+02:00', '2031-05-04T07:30:00.000Z'],
      ['2031-05-04T09:30:00 02:00', '2031-05-04T07:30:00.000Z'],
      ['2031-05-04T09:30:00-0230', '2031-05-04T12:00:00.000Z'],
      ['2031-05-04T09:30:00.123456789Z', '2031-05-04T09:30:00.123Z'],
    ];
    const kept = async (column: string, table: string, id: string) => {
      const [row] = await asker.api.dataSource.query(`SELECT ${column} FROM ${table} WHERE id = $1`, [id]);
      return row[column].toISOString();
    };
    await forAll(SPELLINGS, async ([text, meant]) => {
      const [credit, code, booking] = await Promise.all([
        follow('importCredits', 'credits.0.expiresAt', text),
        follow('importDiscountCodes', 'discountCodes.0.startDateTime', text),
        follow('importBookings', 'bookings.0.bookedAt', text),
      ]);
      const moments = [
        await kept('expires_at', 'credits', credit.creditId),
        await kept('start_date_time', 'discount_codes', code.discountCodeId),
        await kept('booked_at', 'bookings', booking.bookingId),
      ];
      expect([text, ...moments]).toEqual([text, meant, meant, meant]);
    });
  });

  it('may start with a byte order mark', async () => {
    const { status } = await send('updateDiscountCode', '\ufeff{"group":"Spring"}');
    expect(status).toBe(200);
    await followed('importBookings', `\ufeff${booking('{}')}`);
  });

  it('contains a number only where it is written as one', async () => {
    for (const value of ['700', true, 700.5, 1e21, -0.1, [700], { value: 700 }]) {
      const body = withValue('importCredits', 'credits.0.amount', { value, currencyCode: 'GBP' });
      expectRefused(await send('importCredits', body), 400, 'credits[0].amount.value');
    }
    for (const text of ['7e2', '700.0', '70000E-2']) {
      const body = withValue('importCredits', 'credits.0.amount', 'HERE');
      await followed('importCredits', body.replace('"HERE"', `{"value":${text},"currencyCode":"GBP"}`));
    }
  });
});
