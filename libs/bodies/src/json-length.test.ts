import { isLongerJson } from './json-length';

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
