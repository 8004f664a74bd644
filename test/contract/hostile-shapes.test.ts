import * as fc from 'fast-check';
import { HOSTILE_SHAPES, placesIn, withJsonAt } from '#libs/testing';
import { type Asker, startAsker, titled } from './asker';
import { OPERATIONS, pathOf } from './document';
import { raw } from './refused';

/** The maximum factor of the cost of the larger body. Quadratic work would cost 256 times. */
const [SMALL, LARGE] = [60_000, 960_000];
const MOST = (LARGE / SMALL) * 4;
/** Milliseconds of CPU below which a request is only overhead. */
const OVERHEAD = 4;
const RUNS = 3;
/** Other work of the process, such as garbage collection, only adds to a measurement, so the least of several counts. */
const MEASUREMENTS = 8;

let asker: Asker;
beforeAll(async () => {
  asker = await startAsker({});
});
afterAll(() => asker.api.close());

/** All threads of this process, of API and client: neither waits for other programs. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Protects the event loop: the work for a body grows no faster than its bytes. */
describe.each(titled(OPERATIONS.filter(({ body }) => body)))('%s', (_, of) => {
  it('accepts a body of any shape in time proportional to its length', async () => {
    const send = async (body: string) => {
      const { status } = await raw(asker.api, of.method, pathOf(of, asker.whole.ids), {
        body,
        headers: { 'content-type': 'application/json' },
        token: asker.tokenFor(of),
      });
      expect([200, 400]).toContain(status);
    };
    const isLinear = async (body: (bytes: number) => string) => {
      let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let n = 0; n < MEASUREMENTS; n++) {
        small = Math.min(small, await cpuOf(() => send(body(SMALL))));
        large = Math.min(large, await cpuOf(() => send(body(LARGE))));
        if (large < Math.max(small, OVERHEAD) * MOST) return true;
      }
      return false;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(HOSTILE_SHAPES)),
        fc.constantFrom(...placesIn(of.example)),
        async (shape, place) => {
          const body = (bytes: number) =>
            withJsonAt(of.example, place, HOSTILE_SHAPES[shape]?.(bytes) as string);
          expect(await isLinear(body)).toBe(true);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
