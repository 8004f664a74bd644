import fc from 'fast-check';
import { jsonBytes } from './json-length';
import { MOST_PROBLEMS, problem, shortened } from './problem';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc.constantFrom('a', '\0', '"', '€', '🏃').map((unit) => unit.repeat(2_500)),
);

it('shortens only what is long', () => {
  fc.assert(
    fc.property(text, (message) => {
      const short = shortened(message);
      if (jsonBytes(message) <= 1_000) expect(short).toBe(message);
      else expect([jsonBytes(short) <= 1_000, short.endsWith('…')]).toEqual([true, true]);
    }),
  );
});

it('a response with the most problems is small, whatever they repeat', () => {
  fc.assert(
    fc.property(text, text, (path, rule) => {
      const problems = Array.from({ length: MOST_PROBLEMS }, () => problem(path, 'INVALID_VALUE', rule));
      expect(Buffer.byteLength(JSON.stringify({ message: problems[0]?.message, problems }))).toBeLessThan(
        256_000,
      );
    }),
  );
});
