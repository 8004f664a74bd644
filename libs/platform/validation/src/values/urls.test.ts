import { isUrl } from './urls';

describe('isUrl', () => {
  it.each([
    'https://example.com',
    'HTTP://example.com:8080/a/b?c=d#e',
    'https://straße.example/ä',
    'https://user:word@example.com/',
    'https://[::1]/',
    'mailto:ada@example.com',
    `https://example.com/${'é'.repeat(50_000)}`,
    ' https://example.com ',
  ])('accepts %.60s', (text) => {
    expect([isUrl(text), URL.canParse(text)]).toEqual([true, true]);
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'https://',
    'https://a b.example',
    'https://a:99999',
    'https:///?',
  ])('refuses %s', (text) => {
    expect([isUrl(text), URL.canParse(text)]).toEqual([false, false]);
  });

  it('never parses more than an origin', () => {
    const parse = jest.spyOn(URL, 'canParse');
    const host = Array.from({ length: 60_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7) % 20_000)));
    for (const length of [100, 60_000]) {
      isUrl(`https://${host.slice(0, length).join('')}`);
      isUrl(`https://a.example/${host.slice(0, length).join('')}`);
      isUrl(`https:${'/'.repeat(length)}`);
    }
    const longest = Math.max(...parse.mock.calls.map(([text]) => String(text).length));
    parse.mockRestore();
    expect(longest).toBeLessThanOrEqual(300);
  });
});
