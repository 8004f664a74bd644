import { MAXIMA } from '#platform/validation';
import { problemsOfShape } from '../format/check';
import { readAhead } from '../format/local-times';
import type { RecordOf } from '../format/records';
import { rulesBroken } from '../format/rules';
import { changesOf, differencesOf } from './changes';

const WAVES = MAXIMA.races * MAXIMA.waves;
/** An occurrence with the most waves, each at a time of its own. */
const occurrence = (title: string) =>
  ({
    ...{ record: 'occurrence', event: 'run', slug: 'run', title: 'Run', timeZone: 'Europe/London' },
    races: Array.from({ length: MAXIMA.races }, (_, race) => ({
      title: `R${race}`,
      waves: Array.from({ length: MAXIMA.waves }, (_, wave) => ({
        ...{ id: `${race}-${wave}`, title },
        startDateTime: new Date(Date.UTC(2027, 0, 1, race, wave)).toISOString().slice(0, 19),
      })),
    })),
  }) as unknown as RecordOf<'occurrence'>;

let pauses = 0;
const pause = async () => {
  pauses += 1;
};
beforeEach(() => {
  pauses = 0;
});

/** Other requests have a turn: without pauses, the times of such a record alone take the event loop half a second. */
describe('a record of the largest size', () => {
  it('pauses after each hundred local times, and reads each once', async () => {
    const record = occurrence('W');
    const read = await readAhead(record, pause);
    const times = new Set(record.races?.flatMap(({ waves }) => waves?.map((wave) => wave.startDateTime)));
    expect(pauses).toBe(Math.floor(times.size / 100));
    expect(read?.('2027-07-01T10:00:00').instant).toBe('2027-07-01T09:00:00.000000Z');
  });

  it('pauses while it is compared with what was stored', async () => {
    const all = await differencesOf(occurrence('A'), occurrence('B'), pause);
    expect(pauses).toBe(Math.floor((WAVES + MAXIMA.races) / 200));
    expect(changesOf(all, occurrence('A'), occurrence('B'))).toMatchObject({
      changeCount: WAVES,
      changes: { length: 1_000 },
    });
  });

  it('is read no further than its problems are told', () => {
    let reads = 0;
    const group = Object.defineProperty({}, 'name', { get: () => void reads++ });
    const reservedEntryGroups = Array.from({ length: 100_000 }, () => group);
    const groups = problemsOfShape({ ...occurrence('W'), reservedEntryGroups });
    const tickets = Array.from({ length: 5_000 }, () => group);
    const races = problemsOfShape({
      ...occurrence('W'),
      races: [
        { title: 'R', tickets },
        { title: 'S', tickets },
      ],
    });
    expect([groups.length, races.length]).toEqual([100, 100]);
    expect(reads).toBeLessThan(1_000);
  });

  it('is refused with more waves, or tickets of groups, than any event has', () => {
    const tickets = Array.from({ length: MAXIMA.ticketsOfGroup }, (_, n) => ({ ticketSlug: `t-${n}` }));
    const reservedEntryGroups = Array.from({ length: 101 }, (_, n) => ({ code: `g-${n}`, tickets }));
    const record = { ...occurrence('W'), reservedEntryGroups } as unknown as RecordOf<'occurrence'>;
    const messages = rulesBroken(record).map(({ field, message }) => `${field} ${message}`);
    expect(messages).toContain('races have 16000 waves together, and must not have more than 2000');
    expect(messages).toContain(
      'reservedEntryGroups have 5050 tickets together, and must not have more than 5000',
    );
  });
});
