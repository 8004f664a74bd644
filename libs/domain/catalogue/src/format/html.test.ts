import fc from 'fast-check';
import { problemOfTexts, sanitizeHtml, withSafeTexts } from './html';

let pauses = 0;
const pause = async () => {
  pauses += 1;
};

describe('texts for visitors', () => {
  it.each([
    ['<p onclick="x()">Flat <b>and</b> fast</p>', '<p>Flat <b>and</b> fast</p>'],
    ['<script>alert(1)</script>Start', 'Start'],
    ['<style>p{}</style><iframe src="https://evil.example"></iframe>Start', 'Start'],
    ['<a href="javascript:alert(1)">map</a>', '<a>map</a>'],
    ['<a href="JaVa\tScript:alert(1)">map</a>', '<a>map</a>'],
    [
      '<a href="https://example.com/map" target="_blank">map</a>',
      '<a href="https://example.com/map">map</a>',
    ],
    ['<img src="data:image/svg+xml,<svg onload=x()>" alt="m">', '<img alt="m" />'],
    ['<img src=x onerror=alert(1)//', ''],
    ['<svg><script>alert(1)</script></svg>', ''],
    ['<form action="//evil.example"><input name="card"></form>', ''],
    ['<math><mi><mglyph><style><img src=x onerror=alert(1)></style></mglyph></mi></math>', ''],
    ['Bags & coats < 5 kg', 'Bags &amp; coats &lt; 5 kg'],
  ])('%s', (html, safe) => {
    expect(sanitizeHtml(html)).toBe(safe);
  });

  it('stay as they are when they are sanitized again', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '&',
      '"',
      "'",
      '=',
      ' ',
      'p',
      'b',
      'a href',
      'img src',
      'script',
      'style',
      'svg',
      'lt;',
      'amp;',
      '#60;',
      'javascript:',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '\n',
      'textarea',
      'title',
      'noscript',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = sanitizeHtml(pieces.join(''));
        expect(sanitizeHtml(once)).toBe(once);
        expect(once).not.toMatch(
          /<(script|style|svg|textarea|iframe|noscript)|<[^>]*\s(on\w+=|href="javascript)/i,
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('are those of occurrences only, and other values are left to the checks', async () => {
    for (const record of [
      5,
      null,
      { record: 'event', content: { excerpt: '<script>' } },
      { record: 'occurrence', content: 'x' },
    ])
      expect(await withSafeTexts(record, pause)).toBe(record);
    pauses = 0;
    expect(
      await withSafeTexts(
        { record: 'occurrence', content: { excerpt: '<b onclick=x>a', travel: 5, spectators: null } },
        pause,
      ),
    ).toEqual({
      record: 'occurrence',
      content: { excerpt: '<b>a</b>', travel: 5, spectators: null },
    });
    expect(pauses).toBe(3);
  });

  it('are refused with so many tags that sanitizing them would hold others up', async () => {
    const record = {
      record: 'occurrence',
      content: { excerpt: '<b>'.repeat(1_000), travel: '</p>'.repeat(1_001) },
    };
    expect(problemOfTexts(record)).toBe('has 2001 tags, and must not have more than 2000');
    expect(await withSafeTexts(record, pause)).toBe(record);
    expect(problemOfTexts({ ...record, content: { excerpt: '<b>'.repeat(2_000) } })).toBeUndefined();
  });
});
