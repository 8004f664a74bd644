import * as fc from 'fast-check';
import { survivesParsing, writtenOutDigits } from './number-literal';
import { readBatch, readJson } from './read-json';
import { type BodyBounds, type OpenNames, Scan } from './scan';

const BOUNDS = { depth: 20, values: 1_000, keys: 50, text: 1_000, digits: 40 };
const codesOf = (text: string, bounds = BOUNDS) => new Scan(text, bounds).problems.map(({ code }) => code);
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('accepts as JSON exactly what JSON.parse accepts', () => {
  /** JSON with a few changed characters, most of it still valid or almost valid. */
  const nearly = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:0-1.eE+ \\u\t\ntrflsn')), { maxLength: 3 }),
    )
    .map(([json, edits]) =>
      edits.reduce((text, [at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + (at % 3));
      }, json),
    );
  fc.assert(
    fc.property(nearly, (text) => {
      fc.pre(text.trim() !== '');
      expect([text, codesOf(text).includes('INVALID_JSON')]).toEqual([text, !isJson(text)]);
    }),
    { numRuns: 3_000 },
  );
});

it('knows which numbers keep their decimal value', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(survivesParsing(JSON.stringify(value))).toBe(true);
      // A number with more digits than any printed double has another value.
      expect(survivesParsing(`0.1${'0'.repeat(20)}${Math.abs((value % 9) | 0) + 1}`)).toBe(false);
    }),
  );
  expect(['0.1', '1.50', '-0.0', '1e2', '100e-2', '0e99'].map(survivesParsing)).not.toContain(false);
  expect(['9007199254740993', '0.10000000000000001', '1e400', '1e-400'].map(survivesParsing)).not.toContain(
    true,
  );
  expect(['1e3', '1.50', '1e-3', '12', '-1.5e2'].map(writtenOutDigits)).toEqual([4, 3, 4, 2, 3]);
});

it.each([
  ['[[[1]]]', { depth: 2 }, 'TOO_COMPLEX', '[0][0]'],
  ['[1,2,3]', { values: 3 }, 'TOO_COMPLEX', ''],
  ['{"a":{"b":1,"c":2}}', { keys: 1 }, 'TOO_COMPLEX', 'a'],
  ['[{"a":1},{"a":1,"b":2}]', { names: 1 }, 'TOO_COMPLEX', ''],
  ['{"a":["xx"]}', { text: 1 }, 'TOO_LONG', 'a[0]'],
  ['{"a":1e40}', {}, 'OUT_OF_RANGE', 'a'],
  ['{"a":[1,{"b":0.30000000000000001}]}', {}, 'INEXACT_NUMBER', 'a[1].b'],
  ['{"a":{"b":1,"\\u0062":2}}', {}, 'DUPLICATE', 'a.b'],
  ['["\\ud83d"]', {}, 'UNUSABLE_TEXT', '[0]'],
  ['{"a\\u0000":1}', {}, 'UNUSABLE_TEXT', ''],
])('%s within %j is %s at %j', (text, bounds, code, path) => {
  expect(new Scan(text, { ...BOUNDS, ...bounds }).problems).toMatchObject([{ code, path }]);
});

it('finds a duplicate property among many', () => {
  const names = Array.from({ length: 40 }, (_, i) => `"k${i}":1`);
  expect(codesOf(`{${names.join(',')}}`)).toEqual([]);
  expect(codesOf(`{${names.join(',')},"k3":1}`)).toEqual(['DUPLICATE']);
});

describe('where other properties are permitted', () => {
  const KNOWN: OpenNames = new Map([
    ['known', undefined],
    ['inner', new Map([['known', undefined]])],
  ]);
  const keptOf = (text: string) => new Scan(text, BOUNDS, KNOWN).kept;

  /** The properties of an object, among which `known` is, or is not. */
  const properties = fc
    .tuple(
      fc.option(fc.constantFrom('1', 'null', '[1, {"a":2}]')),
      fc.array(
        fc.tuple(
          fc.string().filter((name) => !KNOWN.has(name)),
          fc.oneof(
            fc.json({ maxDepth: 3 }),
            fc.constantFrom('12345678901234567890', '1e999', '"\\ud800"', '{"a":1,"a":2}'),
          ),
        ),
      ),
      fc.nat(),
    )
    .map(([known, others, at]) => {
      const all = others.map(([name, value]) => `${JSON.stringify(name)} : ${value}`);
      if (known) all.splice(at % (all.length + 1), 0, `"known" : ${known}`);
      return { all, kept: known ? { known: JSON.parse(known) } : {} };
    });

  it('reads the known ones, and of the others only the grammar', () => {
    fc.assert(
      fc.property(properties, properties, fc.boolean(), (outer, inner, isArray) => {
        const whole = `{ ${[...outer.all, `"inner" : { ${inner.all.join(' , ')} }`].join(' , ')} }`;
        const expected = { ...outer.kept, inner: inner.kept };
        const scan = new Scan(
          isArray ? `[${whole},${whole}]` : whole,
          { ...BOUNDS, values: 30, keys: 1 },
          KNOWN,
        );
        expect(scan.problems).toEqual([]);
        expect(JSON.parse(scan.kept)).toEqual(isArray ? [expected, expected] : expected);
      }),
    );
  });

  it.each([
    ['{"known":1e999}', 'OUT_OF_RANGE'],
    ['{"known":1,"known":2}', 'DUPLICATE'],
    ['{"x":1,"inner":{"y":1,"known":1,"y":1,"known":2}}', 'DUPLICATE'],
    ['{"x":[1,}', 'INVALID_JSON'],
    [`{"x":${'['.repeat(30)}${']'.repeat(30)}}`, 'TOO_COMPLEX'],
  ])('%j is %s', (text, code) => {
    expect(new Scan(text, BOUNDS, KNOWN).problems).toMatchObject([{ code }]);
  });

  it('keeps a text without others as it is', () => {
    const text = ' { "known" : 1, "inner" : { } } ';
    expect(keptOf(text)).toBe(text);
    expect(keptOf('{"a":1}')).toBe('{}');
    expect(keptOf('{"known":1,"a":2}')).toBe('{"known":1}');
  });
});

it('stops at 100 problems', () => {
  const scan = new Scan(`[${Array(500).fill('1e99').join(',')}]`, BOUNDS);
  expect([scan.problems.length, scan.isFatal]).toEqual([100, true]);
});

it('accepts UTF-8 with or without a byte order mark, and no other encoding', () => {
  expect(readJson(Buffer.from('\ufeff{"a":"é🏃"}'), BOUNDS)).toEqual({ value: { a: 'é🏃' }, problems: [] });
  expect(readJson(Buffer.from([0x22, 0xff, 0x22]), BOUNDS).problems).toMatchObject([
    { code: 'INVALID_JSON' },
  ]);
});

describe('a batch is parsed row by row', () => {
  const ROWS = { name: 'rows', most: 5 };
  const read = (text: string, bounds: BodyBounds = BOUNDS) =>
    readBatch(Buffer.from(text), bounds, ROWS, (row) => row);
  const blank = fc.constantFrom('', ' ', '\n\t ');

  it('with the same rows and the same body around them as JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.array(fc.json({ maxDepth: 3 }), { maxLength: 5 }),
        fc.dictionary(
          fc.string().filter((name) => name !== 'rows' && name !== '__proto__'),
          fc.jsonValue(),
          { maxKeys: 2 },
        ),
        blank,
        (rows, others, space) => {
          const list = `[${space}${rows.map((row) => row + space).join(`,${space}`)}]`;
          const parts = Object.entries(others).map(([name, value]) =>
            JSON.stringify({ [name]: value }).slice(1, -1),
          );
          parts.splice(1, 0, `"rows"${space}:${space}${list}`);
          const text = `{${parts.join(`,${space}`)}}`;
          const found = read(text);
          fc.pre(found.body !== undefined);
          expect([...found.rows]).toEqual(JSON.parse(list));
          expect(found.rows).toHaveLength(rows.length);
          expect(found.body).toEqual({ ...JSON.parse(text), rows: [] });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('and no more rows than wanted, however many there are', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const { rows, body, problems } = read(`{"rows":[${'{},'.repeat(900)}{}]}`);
    expect([rows.length, body, problems]).toEqual([6, { rows: [] }, []]);
    expect(parse.mock.calls.map(([text]) => text)).toEqual(['{"rows":[]}']);
    parse.mockRestore();
  });

  it.each([
    ['in a row', `{"rows":[1,{"a":[${'1,'.repeat(20)}1]}]}`, 'rows[1]'],
    ['beside the rows', `{"other":[${'1,'.repeat(20)}1],"rows":[]}`, ''],
    ['after the rows', `{"rows":[],"other":[${'1,'.repeat(20)}1]}`, ''],
    ['in rows that are given again', `{"rows":[],"rows":[${'1,'.repeat(20)}1]}`, ''],
    ['in another shape', `[[${'1,'.repeat(20)}1]]`, ''],
  ])('and not with more values %s than a row may have', (_, text, path) => {
    const { body, problems } = read(text, { ...BOUNDS, rowValues: 20 });
    expect(body).toBeUndefined();
    expect(problems.at(-1)).toMatchObject({ path, code: 'TOO_COMPLEX' });
  });

  it('and with as many values in every row as one may have', () => {
    const row = `[${'1,'.repeat(18)}1]`;
    const { rows } = read(`{"rows":[${row},${row},${row}]}`, { ...BOUNDS, rowValues: 20 });
    expect([...rows]).toEqual([JSON.parse(row), JSON.parse(row), JSON.parse(row)]);
  });
});
