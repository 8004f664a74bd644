import { BodyBandwidth } from './body-bandwidth';

const PER_SECOND = 1_000_000;
const PIECE = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A connection that always has a next piece: it sends until it is paused, and when it is resumed. */
function connection(bandwidth: BodyBandwidth, organizationId: string, most = Number.POSITIVE_INFINITY) {
  const seen = { bytes: 0 };
  const send = () => {
    while (seen.bytes < most) {
      seen.bytes += PIECE;
      if (bandwidth.isUsedUp(organizationId, PIECE, send)) return;
    }
  };
  send();
  return seen;
}

describe('BodyBandwidth', () => {
  it('gives all of the bandwidth to an organization that sends alone', () => {
    const seen = connection(new BodyBandwidth(PER_SECOND), 'a');
    jest.advanceTimersByTime(10_000);
    expect(seen.bytes / (10 * PER_SECOND)).toBeCloseTo(1, 1);
  });

  it('gives equal shares to organizations, however many connections each has', () => {
    const bandwidth = new BodyBandwidth(PER_SECOND);
    const loud = Array.from({ length: 50 }, () => connection(bandwidth, 'loud'));
    const quiet = connection(bandwidth, 'quiet');
    jest.advanceTimersByTime(10_000);
    const sum = loud.reduce((total, { bytes }) => total + bytes, 0);
    expect(sum / (5 * PER_SECOND)).toBeCloseTo(1, 1);
    expect(quiet.bytes / (5 * PER_SECOND)).toBeCloseTo(1, 1);
  });

  it('does not reduce the share of others for an organization that sends little', () => {
    const bandwidth = new BodyBandwidth(PER_SECOND);
    const loud = connection(bandwidth, 'loud');
    const paused: string[] = [];
    for (let second = 0; second < 10; second++) {
      if (bandwidth.isUsedUp('quiet', PIECE / 10, () => {})) paused.push('quiet');
      jest.advanceTimersByTime(1_000);
    }
    expect(loud.bytes / (10 * PER_SECOND)).toBeCloseTo(1, 1);
    expect(paused).toEqual([]);
  });

  it('resumes thousands of connections a hundred at a time, in their order', () => {
    const bandwidth = new BodyBandwidth(PER_SECOND);
    const resumed: number[] = [];
    bandwidth.isUsedUp('a', PER_SECOND / 20, () => {});
    for (let n = 0; n < 250; n++) bandwidth.isUsedUp('a', 0, () => resumed.push(n));
    const counts = [1, 2, 3, 4].map(() => {
      jest.advanceTimersByTime(50);
      return resumed.length;
    });
    expect(counts).toEqual([99, 199, 250, 250]);
    expect(resumed).toEqual(Array.from({ length: 250 }, (_, n) => n));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps nothing of organizations that stopped, and no timer', () => {
    const bandwidth = new BodyBandwidth(PER_SECOND);
    for (const organizationId of ['a', 'b', 'c']) connection(bandwidth, organizationId, PER_SECOND);
    jest.advanceTimersByTime(10_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});
