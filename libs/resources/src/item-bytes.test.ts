import fc from 'fast-check';
import { ItemBytes } from './item-bytes';

it('items of any text and length are encoded separately, and stay as they are while others are added', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .tuple(fc.constantFrom('a', 'ü', '€', '😀'), fc.integer({ min: 0, max: 50_000 }))
      .map(([unit, times]) => unit.repeat(times)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (items) => {
      const bytes = new ItemBytes();
      const added = items.map((item) => bytes.add(item));
      expect(added.map((each) => each.toString())).toEqual(items);
    }),
    { numRuns: 50 },
  );
});
