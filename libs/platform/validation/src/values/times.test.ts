import { instantOf, isPlainDate } from './times';

describe('isPlainDate', () => {
  it.each(['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isPlainDate(text)).toBe(true);
  });

  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-01', '0000-01-01', '2026-01-01T00:00Z', ''])(
    'refuses %j',
    (text) => {
      expect(isPlainDate(text)).toBe(false);
    },
  );
});

describe('instantOf', () => {
  it.each([
    ['2026-05-04T09:30:00Z', '2026-05-04T09:30:00.000000Z'],
    ['2026-05-04 09:30:00', '2026-05-04T09:30:00.000000Z'],
    ['2026-05-04T09:30:00.123456Z', '2026-05-04T09:30:00.123456Z'],
    ['2026-05-04T09:30:00+02:00', '2026-05-04T07:30:00.000000Z'],
    ['2026-05-04T09:30:00 02:00', '2026-05-04T07:30:00.000000Z'],
    ['2026-05-04T00:10:00+0030', '2026-05-03T23:40:00.000000Z'],
  ])('reads %s', (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });

  it('rounds digits beyond the microsecond in the given direction', () => {
    expect(instantOf('2026-05-04T09:30:00.1234567Z')).toBe('2026-05-04T09:30:00.123456Z');
    expect(instantOf('2026-05-04T09:30:00.1234567Z', 'up')).toBe('2026-05-04T09:30:00.123457Z');
    expect(instantOf('2026-12-31T23:59:59.9999999Z', 'up')).toBe('2027-01-01T00:00:00.000000Z');
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-05-04T24:00:00Z',
    '2026-05-04T09:60:00Z',
    '2026-05-04',
    '2026-05-04T09:30Z',
    '2026-05-04T09:30:00,5Z',
    '2026-05-04T09:30:00 Z',
    'now',
    '9999-12-31T23:59:59-01:00',
  ])('refuses %s', (text) => {
    expect(instantOf(text)).toBeUndefined();
  });
});
