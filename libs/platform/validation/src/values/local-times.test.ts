import { readLocal } from './local-times';

it.each([
  ['Europe/Berlin', '2027-05-01T09:00:00', '2027-05-01T07:00:00.000000Z'],
  ['Europe/Berlin', '2027-12-31T23:59:00', '2027-12-31T22:59:00.000000Z'],
  ['Europe/Berlin', '2027-05-01 09:00:00.1234567', '2027-05-01T07:00:00.123456Z'],
  ['America/New_York', '2027-03-14T03:00:00', '2027-03-14T07:00:00.000000Z'],
  ['Pacific/Kiritimati', '2027-01-01T00:00:00', '2026-12-31T10:00:00.000000Z'],
  ['Asia/Kolkata', '2027-05-01T00:15:00', '2027-04-30T18:45:00.000000Z'],
  ['Asia/Kathmandu', '2027-05-01T00:15:00', '2027-04-30T18:30:00.000000Z'],
  ['Australia/Lord_Howe', '2027-04-04T02:30:00', '2027-04-03T16:00:00.000000Z'],
  // The hours around a change, in both hemispheres.
  ['Europe/Berlin', '2027-03-28T01:59:59', '2027-03-28T00:59:59.000000Z'],
  ['Europe/Berlin', '2027-03-28T03:00:00', '2027-03-28T01:00:00.000000Z'],
  ['Europe/Berlin', '2027-10-31T01:59:59', '2027-10-30T23:59:59.000000Z'],
  ['Europe/Berlin', '2027-10-31T03:00:00', '2027-10-31T02:00:00.000000Z'],
  ['Australia/Sydney', '2027-10-03T01:59:59', '2027-10-02T15:59:59.000000Z'],
  ['Australia/Sydney', '2027-10-03T03:00:00', '2027-10-02T16:00:00.000000Z'],
  // Beyond these years, days of other zones would be in years that no column has.
  ['America/New_York', '9999-12-31T23:59:59', '9999-12-31T23:59:59.000000Z'],
])('finds when a clock in %s shows %s', (zone, local, instant) => {
  expect(readLocal(local, zone)).toEqual({ instant });
});

it.each([
  [
    'exists twice in Europe/Berlin, because clocks change',
    '2027-10-31T02:30:00',
    '2027-10-31T00:30:00.000000Z',
    ['2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'],
  ],
  [
    'does not exist in Europe/Berlin, because clocks change',
    '2027-03-28T02:30:00',
    '2027-03-28T01:30:00.000000Z',
    ['2027-03-28T03:30:00+02:00', '2027-03-28T01:30:00+01:00'],
  ],
  [
    'exists twice in Australia/Lord_Howe, because clocks change',
    '2027-04-04T01:45:00',
    '2027-04-03T14:45:00.000000Z',
    ['2027-04-04T01:45:00+11:00', '2027-04-04T01:45:00+10:30'],
  ],
  // Clocks change at midnight.
  [
    'does not exist in America/Santiago, because clocks change',
    '2027-09-05T00:30:00',
    '2027-09-05T04:30:00.000000Z',
    ['2027-09-05T01:30:00-03:00', '2027-09-04T23:30:00-04:00'],
  ],
  [
    'exists twice in America/Santiago, because clocks change',
    '2027-04-03T23:30:00',
    '2027-04-04T02:30:00.000000Z',
    ['2027-04-03T23:30:00-03:00', '2027-04-03T23:30:00-04:00'],
  ],
  // Clocks go back for Ramadan, and forward after it.
  [
    'exists twice in Africa/Casablanca, because clocks change',
    '2026-02-15T02:30:00',
    '2026-02-15T01:30:00.000000Z',
    ['2026-02-15T02:30:00+01:00', '2026-02-15T02:30:00+00:00'],
  ],
  [
    'does not exist in Africa/Casablanca, because clocks change',
    '2026-03-22T02:30:00',
    '2026-03-22T02:30:00.000000Z',
    ['2026-03-22T03:30:00+01:00', '2026-03-22T01:30:00+00:00'],
  ],
  // A whole day was skipped.
  [
    'does not exist in Pacific/Apia, because clocks change',
    '2011-12-30T12:00:00',
    '2011-12-30T22:00:00.000000Z',
    ['2011-12-31T12:00:00+14:00', '2011-12-29T12:00:00-10:00'],
  ],
])('%s: %s', (what, local, instant, readings) => {
  const [, zone = ''] = / in ([^,]+),/.exec(what) ?? [];
  expect(readLocal(local, zone)).toEqual({ instant, doubt: { what, readings } });
});
