import fc from 'fast-check';
import { Held, type OpenWork, workersWanted } from './workers-wanted';

const rules = { delaySeconds: 10, most: 8 };
const imports = (units: number, parts: number, waitingSeconds = 0): OpenWork => ({
  queue: 'imports',
  units,
  parts,
  waitingSeconds,
  speed: 100,
});

describe('workersWanted', () => {
  it('is one without work, and so many that the work is done in time', () => {
    expect(workersWanted([imports(0, 0)], 3, rules)).toBe(1);
    expect(workersWanted([imports(1_000, 60)], 1, rules)).toBe(1);
    expect(workersWanted([imports(1_001, 60)], 1, rules)).toBe(2);
    expect(workersWanted([imports(4_000, 60), { ...imports(1_500, 3), queue: 'race-day' }], 1, rules)).toBe(
      6,
    );
  });

  it('is never more than what can be done at the same time, or than permitted', () => {
    expect(workersWanted([imports(50_000, 3)], 1, rules)).toBe(3);
    expect(workersWanted([imports(50_000, 60)], 1, rules)).toBe(8);
  });

  it('is one more than there are while work waits for longer than the delay', () => {
    expect(workersWanted([imports(500, 60, 11)], 2, rules)).toBe(3);
    expect(workersWanted([imports(500, 60, 9)], 2, rules)).toBe(1);
  });
});

describe('Held', () => {
  it('is the largest number of the time that numbers are held', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 })), {
          maxLength: 50,
        }),
        (running, steps) => {
          const held = new Held(100, running, 0);
          const all = [{ at: 0, workers: running }];
          let now = 0;
          for (const [pause, workers] of steps) {
            now += pause;
            all.push({ at: now, workers });
            const recent = all.filter(({ at }) => now - at < 100);
            expect(held.next(workers, now)).toBe(Math.max(...recent.map((sample) => sample.workers)));
          }
        },
      ),
    );
  });
});
