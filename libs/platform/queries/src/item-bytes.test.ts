import { ItemBytes } from './item-bytes';

it('returns the UTF-8 of items of any length and script with a comma, also across blocks', () => {
  const texts = ['', 'a', 'é', '日本', '🏃', '\ud800'].flatMap((text) =>
    [1, 700, 22_000, 70_000].map((times) => text.repeat(times)),
  );
  const items = new ItemBytes();
  const added = [...texts, ...texts.reverse()].map((text) => [text, items.add(text)] as const);
  for (const [text, bytes] of added) expect(bytes.equals(Buffer.from(`${text},`))).toBe(true);
});

it('fills its blocks, also with items of a third of one', () => {
  const items = new ItemBytes();
  const blocks = new Set(Array.from({ length: 30 }, () => items.add('x'.repeat(20_000)).buffer));
  expect(blocks.size).toBe(10);
});
