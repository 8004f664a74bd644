import fc from 'fast-check';
import { nextAttemptMs } from './retries';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the wait until the next attempt', () => {
  const schedule = [5, 300, 3_600];

  it('is that of the schedule, and up to a tenth more', () => {
    for (const [failures, seconds] of [...schedule.entries()].map(([i, each]) => [i + 1, each] as const)) {
      const wait = nextAttemptMs(schedule, failures, null) as number;
      expect(wait).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(wait).toBeLessThanOrEqual(seconds * 1_100);
    }
    expect(nextAttemptMs(schedule, 4, null)).toBeUndefined();
    expect(nextAttemptMs(schedule, 4, HOUR)).toBeUndefined();
  });

  it('is as long as the receiver requests, if that is longer, and never more than a day for it', () => {
    expect(nextAttemptMs(schedule, 1, HOUR)).toBe(HOUR);
    expect(nextAttemptMs(schedule, 1, DAY)).toBe(DAY);
    expect(nextAttemptMs(schedule, 1, DAY + 1)).toBe(DAY);
    expect(nextAttemptMs(schedule, 3, 1)).toBeGreaterThanOrEqual(HOUR);
    expect(nextAttemptMs([2 * 86_400], 1, DAY)).toBeGreaterThanOrEqual(2 * DAY);
  });

  it('is between the schedule and the longer of a tenth more and a day, whatever the receiver requests', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.option(fc.nat(1e12)), (seconds, requested) => {
        const wait = nextAttemptMs([seconds], 1, requested) as number;
        expect(wait).toBeGreaterThanOrEqual(Math.max(seconds * 1_000, Math.min(requested ?? 0, DAY)));
        expect(wait).toBeLessThanOrEqual(Math.max(seconds * 1_100, DAY));
      }),
    );
  });
});
