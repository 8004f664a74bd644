import { isLongerJson, jsonBytes } from './json-length';

const VALUES = [
  null,
  true,
  -1.5e-7,
  '',
  'a"b\\\u0001\ud800é🏃',
  [],
  {},
  [1, [2, 'three'], { four: null }],
  { a: { b: [{}, ''] }, 'c"d': false },
];

describe('isLongerJson', () => {
  it.each(VALUES)('counts the characters of %j as JSON.stringify writes them', (value) => {
    const { length } = JSON.stringify(value);
    expect([isLongerJson(value, length), isLongerJson(value, length - 1)]).toEqual([false, true]);
  });

  it('does not look at what follows', () => {
    const beyond = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('looked');
        },
      },
    );
    expect(isLongerJson(['x'.repeat(100), beyond], 50)).toBe(true);
  });
});

describe('jsonBytes', () => {
  it.each([
    [null, 'null'],
    ['a"b\\\u0001é東🏃', '"a\\"b\\\\\\u0001é東🏃"'],
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
    [[1, [2, 'é'], {}], '[1, [2, "é"], {}]'],
    [{ a: { b: [true] }, c: undefined, 'd"': 1 }, '{"a": {"b": [true]}, "d\\"": 1}'],
  ])('is at least what PostgreSQL writes for %j', (value, written) => {
    const bytes = Buffer.byteLength(written);
    expect(jsonBytes(value)).toBeGreaterThanOrEqual(bytes);
    expect(jsonBytes(value)).toBeLessThanOrEqual(bytes + 12);
  });
});
