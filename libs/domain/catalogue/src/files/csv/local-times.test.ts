import { instantIn } from './local-times';

it.each([
  ['Europe/Berlin', '2027-05-01T09:00:00', '2027-05-01T07:00:00Z'],
  ['Europe/Berlin', '2027-12-31T23:59:00', '2027-12-31T22:59:00Z'],
  ['America/New_York', '2027-03-14T03:00:00', '2027-03-14T07:00:00Z'],
  ['Pacific/Kiritimati', '2027-01-01T00:00:00', '2026-12-31T10:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-04T02:30:00', '2027-04-03T16:00:00Z'],
  // Clocks skip the hour, or show it twice.
  ['Europe/Berlin', '2027-03-28T02:30:00', undefined],
  ['Europe/Berlin', '2027-10-31T02:30:00', undefined],
])('finds when a clock in %s shows %s', (zone, local, instant) => {
  expect(instantIn(zone, local)).toBe(instant);
});
