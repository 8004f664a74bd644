import { fitting, recorded } from './changes';

const before = `${'a'.repeat(600)} old ${'b'.repeat(600)}`;

it('records of long texts what changed', () => {
  const { from, to } = recorded({ field: 'travel', from: before, to: before.replace('old', 'new') });
  expect([from, to]).toEqual(['old', 'new'].map((word) => `…${'a'.repeat(39)} ${word} ${'b'.repeat(39)}…`));
});

it('records short texts, new ones and removed ones', () => {
  expect(recorded({ field: 'title', from: 'Run', to: 'Race' })).toMatchObject({ from: 'Run', to: 'Race' });
  expect(recorded({ field: 'travel', from: null, to: before })).toMatchObject({
    ...{ from: null, to: `${before.slice(0, 499)}…` },
  });
});

it('keeps the changes that fit into what is left', () => {
  const changes = Array.from({ length: 30 }, () => ({ field: 'a', from: null, to: 'x'.repeat(500) }));
  expect(fitting(changes, 1_000_000).kept).toHaveLength(18);
  expect(fitting(changes, 1_200).kept).toHaveLength(2);
});
