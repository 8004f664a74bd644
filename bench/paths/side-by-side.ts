import type { DataSource } from 'typeorm';
import { discountCode, freePort, referralProgram, referrer, reservedEntryGroup } from '#libs/testing';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { type ImportFixture, imported, importFixture } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const ROWS = 3_000;
const JOBS = 4;

/** Jobs that compete for one thing. */
interface Kind {
  what: string;
  /** Below `/v0`, without `/import`. */
  path: string;
  /** Makes what the jobs compete for, and the body of a job by its number. */
  prepare(dataSource: DataSource, to: ImportFixture, api: Program): Promise<(job: number) => object>;
}

const numbers = Array.from({ length: ROWS }, (_, i) => i);

const bookingsOf = (
  { ticket: { id: ticketId, eventOccurrenceId } }: ImportFixture,
  job: number,
  more: (row: number) => { participant?: object; booking?: object } = () => ({}),
) => ({
  bookings: numbers.map((i) => {
    const person = { firstName: 'Ada', lastName: `Lovelace ${i}`, email: `runner-${job}-${i}@example.com` };
    const { participant, booking } = more(i);
    return {
      externalBookingId: `order-${job}-${i}`,
      eventOccurrenceId,
      booker: person,
      participants: [{ ...person, ticketId, ...participant }],
      ...booking,
    };
  }),
});

const KINDS: Kind[] = [
  { what: 'bookings', path: 'bookings', prepare: async (_, to) => (job) => bookingsOf(to, job) },
  {
    what: 'bookings with bibs of one race',
    path: 'bookings',
    prepare: async (_, to) => (job) =>
      bookingsOf(to, job, (i) => ({ participant: { bibNumber: `${job}-${i}` } })),
  },
  {
    what: 'bookings with one discount code',
    path: 'bookings',
    prepare: async (dataSource, to) => {
      const { code } = await discountCode(dataSource, { organizationId: to.organizationId });
      return (job) => bookingsOf(to, job, () => ({ booking: { discountCode: code } }));
    },
  },
  {
    what: 'places of one reserved entry group',
    path: 'reserved-entries/participants',
    prepare: async (dataSource, { organizationId, ticket: { id: ticketId, slug } }) => {
      const group = { organizationId, ticketId, maxCapacity: ROWS * JOBS };
      const { id } = await reservedEntryGroup(dataSource, group);
      return (job) => ({
        assignments: numbers.map((i) => ({
          externalAssignmentId: `place-${job}-${i}`,
          reservedEntryGroupId: id,
          ticketSlug: slug,
          participant: { firstName: 'Ada', lastName: `${i}`, email: `runner-${job}-${i}@example.com` },
        })),
      });
    },
  },
  {
    what: 'referrals of one program',
    path: 'referrals',
    prepare: async (dataSource, to, api) => {
      const { organizationId } = to;
      const { id: referralProgramId } = await referralProgram(dataSource, { organizationId });
      const { generatedReferralCode } = await referrer(dataSource, { organizationId, referralProgramId });
      for (let job = 0; job < JOBS; job++)
        await imported(api.url, to, 'bookings', JSON.stringify(bookingsOf(to, job)), ROWS);
      return (job) => ({
        referrals: numbers.map((i) => ({
          referralProgramId,
          generatedReferralCode,
          referredExternalBookingId: `order-${job}-${i}`,
        })),
      });
    },
  },
];

/** One import of 3,000 rows, and four side by side that compete for the same thing: rows per second of all jobs together. */
export async function sideBySide(databases: Databases, { rounds }: Options): Promise<Result[]> {
  const url = await databases.empty('side_by_side');
  const programs: Program[] = [];
  try {
    return await withDataSource(url, async (dataSource) => {
      const api = await spawnApi(url);
      programs.push(api, await spawnWorker(url, await freePort()));
      const results: Result[] = [];
      for (const kind of KINDS) results.push(await measured(kind, dataSource, api, rounds));
      return results;
    });
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop('side_by_side');
  }
}

async function measured(kind: Kind, dataSource: DataSource, api: Program, rounds: number): Promise<Result> {
  const title = `${JOBS} imports of ${ROWS.toLocaleString('en')} rows side by side: ${kind.what}`;
  announce(title);
  const rate = async (jobs: number) => {
    const to = await importFixture(dataSource);
    const body = await kind.prepare(dataSource, to, api);
    const bodies = Array.from({ length: jobs }, (_, job) => JSON.stringify(body(job)));
    const began = performance.now();
    await Promise.all(bodies.map((each) => imported(api.url, to, kind.path, each, ROWS)));
    return (1_000 * jobs * ROWS) / (performance.now() - began);
  };
  await rate(1);
  const alone: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await rate(1));
    together.push(await rate(JOBS));
  }
  return {
    path: 'side-by-side',
    title,
    measurements: [
      { what: 'one job', value: median(alone), unit: 'rows/s' },
      { what: `${JOBS} jobs together`, value: median(together), unit: 'rows/s' },
    ],
    ratios: [
      {
        what: "of one job's rate",
        value: median(together.map((each, i) => each / (alone[i] as number))),
        atLeast: 0.9,
      },
    ],
  };
}
