import { nearestOf } from './nearest';

const KNOWN = ['event.title', 'race.title', 'race.startDate', 'race.startTime', 'ticket.price.value'];

it.each([
  ['race.titel', 'race.title'],
  ['Race Title', 'race.title'],
  ['race', 'race.title'],
  ['date', 'race.startDate'],
  ['start_time', 'race.startTime'],
  ['Price', 'ticket.price.value'],
  ['elevation_gain', undefined],
  ['', undefined],
  ['®', undefined],
  ['raceTitle'.repeat(12), undefined],
])('for %j suggests %j', (name, proposed) => {
  expect(nearestOf(name, KNOWN)).toBe(proposed);
});
