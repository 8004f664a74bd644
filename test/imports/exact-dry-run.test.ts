import type { INestApplicationContext } from '@nestjs/common';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  nat,
  option,
  record,
  uniqueArray,
} from 'fast-check';
import {
  addOn,
  booking,
  discountCode,
  organization,
  referralProgram,
  referrer,
  reservedEntryGroup,
  ticket,
} from '#libs/testing';
import { newId } from '#platform/database';
import { startApi, startWorker, type TestApi } from '../harness';
import { importRows } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '100000' });
  // Chunks of three, so that each limit is reached by several.
  worker = await startWorker(api, {
    STARTLINE_TEST_IMPORT_CHUNK_ROWS: '3',
    STARTLINE_TEST_IMPORT_CHUNK_MS: '600000',
  });
});
afterAll(async () => {
  await worker?.close();
  await api?.close();
});

let runs = 0;
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const person = (i: number) => ({ firstName: 'Ada', lastName: `${i}`, email: `ada-${runs}-${i}@example.com` });
const currency = constantFrom('GBP', 'EUR', 'ZERO');
const amountIn = (currencyCode: string, value: number) => ({
  value: currencyCode === 'ZERO' ? 0 : value,
  currencyCode,
});

const codesOf = ({ warnings = [] }: any): string[] => warnings.map(({ code }: any) => code);
const told = (job: any) =>
  job.results.map(({ row, outcome, error, ...more }: any) => [
    ...[row, outcome, error?.code, error?.message],
    ...codesOf(more),
  ]);

const seen = new Map<string, Set<string>>();

/** Imports the rows as a dry run and then really, and compares the outcomes row by row. */
async function compare(path: string, collection: string, rows: object[], method = 'POST', query = '') {
  const [sign, body] = [query ? '&' : '?', { [collection]: rows }];
  const dry = await importRows(api, `${path}${query}${sign}dryRun=true`, body, { method });
  const real = await importRows(api, `${path}${query}`, body, { method });
  expect(told(dry)).toEqual(told(real));
  const codes = seen.get(expect.getState().currentTestName ?? '') ?? new Set();
  for (const { outcome, error, ...more } of real.results ?? [])
    for (const code of [error?.code ?? outcome, ...codesOf(more)]) codes.add(code);
  seen.set(expect.getState().currentTestName ?? '', codes);
}

/** The outcomes that all runs of a test must have met: otherwise they have compared too little. */
const met = () => [...(seen.get(expect.getState().currentTestName ?? '') ?? [])];

/** Each also has rows with every outcome that `met` expects. */
const few = { numRuns: 2 };
const participants = array(record({ race: nat(1), bib: option(integer({ min: 1, max: 9 })) }), {
  minLength: 1,
  maxLength: 3,
});
const sales = array(record({ participants, code: option(nat(3)) }), { minLength: 15, maxLength: 30 });

async function sale() {
  runs += 1;
  const first = await ticket(api.dataSource, mine({}));
  const second = await ticket(api.dataSource, mine({ eventOccurrenceId: first.eventOccurrenceId }));
  const codes = [
    await discountCode(api.dataSource, mine({ limitUsage: 3 })),
    await discountCode(api.dataSource, mine({ limitUsage: 7, appliesPer: 'ENTRY' })),
  ].map(({ code }) => code);
  codes.push((codes[0] ?? '').toLowerCase(), 'NONE');
  const run = runs;
  const row = (i: number, { participants, code }: any, more: object = {}) => ({
    externalBookingId: `exact-${run}-${i}`,
    eventOccurrenceId: first.eventOccurrenceId,
    booker: person(i),
    ...(code !== null && { discountCode: codes[code] }),
    participants: participants.map(({ race, bib }: any) => ({
      ...person(i),
      ticketId: (race ? second : first).id,
      ...(bib !== null && { bibNumber: String(bib) }),
      team: { name: `Team ${i % 3}` },
    })),
    ...more,
  });
  return row;
}

describe('a dry run in several chunks gives each row the outcome that the import then has', () => {
  it('for bookings with codes and bibs', async () => {
    await assert(
      asyncProperty(sales, async (given) => {
        const row = await sale();
        const one = (code: number | null, bib: number | null) => ({ participants: [{ race: 0, bib }], code });
        // Whatever else fails, more bookings use the first code than it permits.
        const discounted = Array.from({ length: 4 }, () => one(0, null));
        const all = [...given, ...discounted, one(3, null), one(null, 10), one(null, 10)];
        await compare(
          'bookings/import',
          'bookings',
          all.map((each, i) => row(i, each)),
        );
      }),
      few,
    );
    expect(met()).toEqual(
      expect.arrayContaining([
        'IMPORTED',
        'BIB_NUMBER_TAKEN',
        'DISCOUNT_LIMIT_REACHED',
        'DISCOUNT_CODE_NOT_FOUND',
      ]),
    );
  });

  it('for corrections, which take and release bibs, with new bookings between them', async () => {
    const changes = array(
      record({ bib: option(integer({ min: 1, max: 14 })), isNew: boolean(), code: option(nat(3)) }),
      { minLength: 12, maxLength: 12 },
    );
    // The second chunk is cut where a known booking wants the bib of a new one. Each of its parts uses a code that the first chunk used.
    const same = { bib: null, isNew: false, code: null };
    const discounted = { bib: null, isNew: true, code: 0 };
    const cut = [
      ...[discounted, same, same],
      ...[{ ...discounted, bib: 30 }, { ...same, bib: 30 }, discounted],
      ...Array.from({ length: 6 }, () => same),
    ];
    await assert(
      asyncProperty(changes, async (some) => {
        const row = await sale();
        const taking = { bib: 20, code: null };
        const given = [
          ...some,
          ...[false, true].map((isNew) => ({ ...taking, isNew })),
          { bib: null, code: null, isNew: true },
        ];
        const one = (bib: number | null) => ({ participants: [{ race: 0, bib }], code: null });
        const stored = given.map((_, i) => row(i, one(i % 2 ? i + 1 : null)));
        await importRows(api, 'bookings/import', { bookings: stored });
        const rows = given.map(({ bib, isNew, code }, i) => {
          const made = row(isNew ? 100 + i : i, { ...one(bib), code: isNew ? code : null });
          if (bib === null && !isNew) Object.assign(made.participants[0], { bibNumber: null });
          return made;
        });
        await compare('bookings/import', 'bookings', rows, 'PUT', '?create=true');
      }),
      { numRuns: 3, examples: [[cut]] },
    );
    expect(met()).toEqual(expect.arrayContaining(['IMPORTED', 'UPDATED', 'BIB_NUMBER_TAKEN']));
  });

  const free = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        booking(
          api.dataSource,
          mine({
            totalValue: '0',
            currencyCode: 'ZERO',
            entries: [{ externalParticipantId: `runner-${runs}-${i}` }],
          }),
        ),
      ),
    );

  it('for line items of free bookings, whose first amount gives the currency, and of what exceeds what was paid', async () => {
    const itemType = constantFrom('BOOKING_FEE', 'REFUND', 'CREDIT');
    const items = array(record({ of: nat(3), currency, known: boolean(), itemType }), {
      minLength: 10,
      maxLength: 20,
    });
    await assert(
      asyncProperty(items, async (some) => {
        runs += 1;
        const bookings = await free(3);
        const gbp = { currency: 'GBP', known: true, itemType: 'BOOKING_FEE' };
        const less = ['REFUND', 'CREDIT'].map((type) => ({ of: 1, ...gbp, itemType: type }));
        const given = [
          ...[0, 1, 2].map((of) => ({ of, ...gbp })),
          { of: 0, currency: 'EUR', known: false, itemType: 'BOOKING_FEE' },
          { of: 3, ...gbp },
          ...[...less, ...less],
          ...some,
        ];
        const credit = { externalCreditId: `credit-${runs}`, email: 'ada@example.com' };
        const credits = [{ ...credit, amount: amountIn('GBP', 150) }];
        const { results } = await importRows(api, 'credits/import', { credits });
        const names = [credit.externalCreditId, (results as any)[0].creditId];
        const rows = (which: typeof given) =>
          which.map(({ of, currency, known, itemType: type }, i) => ({
            externalLineItemId: `item-${runs}-${known ? i : `new-${i}`}`,
            ...(type === 'CREDIT' && { itemId: names[i % 2] }),
            ...(i % 2
              ? { bookingId: bookings[of]?.id ?? newId() }
              : { externalBookingId: bookings[of]?.externalBookingId ?? 'nobody' }),
            itemType: type,
            name: 'Fee',
            amount: amountIn(currency, type === 'BOOKING_FEE' ? 100 : -100),
          }));
        await compare('bookings/line-items/import', 'lineItems', rows(given));
        const moved = given.map((each, i) => ({ ...each, of: (each.of + i) % 3 }));
        await compare('bookings/line-items/import', 'lineItems', rows(moved), 'PUT');
      }),
      few,
    );
    expect(met()).toEqual(
      expect.arrayContaining([
        ...['IMPORTED', 'UPDATED', 'CURRENCY_MISMATCH', 'BOOKING_NOT_FOUND'],
        ...['REFUND_EXCEEDS_PAID', 'CREDIT_EXCEEDED'],
      ]),
    );
  });

  it('for refunds of a booking that was cancelled after they were imported', async () => {
    runs += 1;
    const [of] = await free(1);
    const lineItems = [100, -40, -10, -20].map((value, i) => ({
      ...{ externalLineItemId: `refund-${runs}-${i}`, bookingId: of?.id, name: 'Paid' },
      ...{ itemType: value > 0 ? 'BOOKING_FEE' : 'REFUND', amount: amountIn('GBP', value) },
    }));
    await compare('bookings/line-items/import', 'lineItems', lineItems);
    expect((await api.send('DELETE', `/v0/bookings/${of?.id}`, undefined)).status).toBe(200);
    await compare('bookings/line-items/import', 'lineItems', lineItems, 'PUT');
    expect(met()).toEqual(['IMPORTED', 'BOOKING_CANCELLED', 'UPDATED']);
  });

  it('for add-ons, paid or not', async () => {
    const addOns = array(
      record({ of: nat(2), currency, financialStatus: constantFrom('PAID', 'UNPAID', 'REFUNDED') }),
      { minLength: 10, maxLength: 20 },
    );
    // The second row of the first import, whose booking has no other amount, is moved to another booking by the second import.
    const moving = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0].map((of, i) => ({
      ...{ of, currency: i === 2 ? 'EUR' : 'GBP', financialStatus: 'PAID' },
    }));
    await assert(
      asyncProperty(addOns, async (given) => {
        runs += 1;
        const bookings = await free(3);
        const sold = await Promise.all(
          bookings.map(({ eventId }) => addOn(api.dataSource, mine({ eventId, title: 'Shirt' }))),
        );
        const rows = (which: typeof given) =>
          which.map(({ of, currency, financialStatus }, i) => ({
            externalAllocationId: `allocation-${runs}-${i}`,
            participantId: bookings[of]?.entries[0]?.participantId,
            addOnId: sold[i % 7 ? of : 0]?.id,
            quantity: 1,
            unitPrice: amountIn(currency, 1_500),
            financialStatus,
          }));
        await compare('add-ons/import', 'addOns', rows(given.slice(0, 8)));
        await compare('add-ons/import', 'addOns', rows([...given].reverse()), 'PUT');
      }),
      { numRuns: 4, examples: [[moving]] },
    );
    expect(met()).toEqual(
      expect.arrayContaining(['IMPORTED', 'UPDATED', 'CURRENCY_MISMATCH', 'ADD_ON_NOT_FOUND']),
    );
  });

  it('for credits and discount codes', async () => {
    const numbers = uniqueArray(nat(30), { minLength: 10, maxLength: 20 });
    await assert(
      asyncProperty(numbers, numbers, async (first, second) => {
        runs += 1;
        const { id: strangers } = await organization(api.dataSource);
        const foreign = await ticket(api.dataSource, { organizationId: strangers });
        const credits = (which: number[]) =>
          which.map((i) => ({
            externalCreditId: `credit-${runs}-${i}`,
            email: person(i).email,
            amount: amountIn('GBP', 100),
            ...(i % 5 === 0 && { eventId: foreign.eventId }),
          }));
        const discount = { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false };
        const codes = (which: number[], letter: string) =>
          which.map((i) => ({ code: `${letter}${runs}-${i}`, discount }));
        await compare('credits/import', 'credits', credits(first));
        await compare('credits/import', 'credits', credits(second));
        await compare('discount-codes/import', 'discountCodes', codes(first, 'Ä'));
        await compare('discount-codes/import', 'discountCodes', codes(second, 'ä'));
      }),
      few,
    );
    expect(met()).toEqual(expect.arrayContaining(['IMPORTED', 'ALREADY_IMPORTED', 'EVENT_NOT_FOUND']));
  });

  it('for referrals, which move and count for one code', async () => {
    const referrals = uniqueArray(
      record({
        of: nat(3),
        code: nat(1),
        byId: boolean(),
        status: option(constantFrom('ELIGIBLE', 'REDEEMED', 'CANCELLED'), { nil: undefined }),
      }),
      { minLength: 8, maxLength: 16, selector: ({ of, code, byId }) => `${of} ${code} ${byId}` },
    );
    await assert(
      asyncProperty(referrals, async (given) => {
        runs += 1;
        const { id: referralProgramId } = await referralProgram(api.dataSource, mine({}));
        const codes = [
          await referrer(api.dataSource, mine({ referralProgramId })),
          await referrer(api.dataSource, mine({ referralProgramId })),
        ];
        const bookings = await free(7);
        const statuses = ['ELIGIBLE', 'REDEEMED'] as const;
        const onwards = statuses.map((status, i) => ({ of: 5, code: 0, byId: i === 0, status }));
        const back = statuses.map((status, i) => ({ of: 4, code: 0, byId: i === 1, status })).reverse();
        const status = 'ELIGIBLE' as const;
        const known = [
          { of: 6, code: 0, byId: true, status },
          { of: 6, code: 0, byId: false, status },
          { of: 6, code: 1, byId: false, status },
        ];
        const rows = [...given, ...onwards, ...back, ...known].map(({ of, code, byId, status }) => ({
          referralProgramId,
          generatedReferralCode: codes[code]?.generatedReferralCode,
          ...(byId
            ? { referredBookingId: bookings[of]?.id }
            : { referredExternalBookingId: bookings[of]?.externalBookingId }),
          ...(status && { status }),
        }));
        await compare('referrals/import', 'referrals', rows);
      }),
      few,
    );
    expect(met()).toEqual(
      expect.arrayContaining([
        'IMPORTED',
        'UPDATED',
        'ALREADY_IMPORTED',
        'REFERRAL_ALREADY_ATTRIBUTED',
        'INVALID_TRANSITION',
      ]),
    );
  });

  it('for reserved places', async () => {
    const assignments = array(record({ group: nat(2), who: nat(5), upper: boolean() }), {
      minLength: 12,
      maxLength: 24,
    });
    await assert(
      asyncProperty(assignments, async (given) => {
        runs += 1;
        const sold = await ticket(api.dataSource, mine({}));
        const groups = [
          await reservedEntryGroup(api.dataSource, mine({ ticketId: sold.id, maxCapacity: 4 })),
          await reservedEntryGroup(api.dataSource, mine({ ticketId: sold.id, type: 'SINGLE_USE' })),
          await reservedEntryGroup(api.dataSource, mine({ ticketId: sold.id })),
        ];
        await api.dataSource.query(
          'UPDATE reserved_entry_group_tickets SET max_capacity = 3 WHERE reserved_entry_group_id = $1',
          [groups[2]?.id],
        );
        const more = (which: number, whose: number[]) =>
          whose.map((who) => ({ group: which, who, upper: false }));
        const rows = [...given, ...more(1, [0, 0]), ...more(2, [0, 1, 2, 3])].map(
          ({ group, who, upper }, i) => {
            const { email, ...name } = person(who);
            return {
              externalAssignmentId: `place-${runs}-${i}`,
              reservedEntryGroupId: groups[group]?.id,
              ticketSlug: sold.slug,
              participant: { ...name, email: upper ? email.toUpperCase() : email },
            };
          },
        );
        await compare('reserved-entries/participants/import', 'assignments', rows);
      }),
      few,
    );
    expect(met()).toEqual(expect.arrayContaining(['IMPORTED', 'NO_CAPACITY_REMAINING', 'ALREADY_USED']));
  });

  it('also when its failed rows are retried', async () => {
    const row = await sale();
    const bookings = Array.from({ length: 9 }, (_, i) =>
      row(i, { participants: [{ race: 0, bib: (i % 4) + 1 }], code: null }),
    );
    const dry = await importRows(api, 'bookings/import?dryRun=true', { bookings });
    expect(dry).toMatchObject({ succeededRows: 4, failedRows: 5 });
    const again = await api.send('POST', `/v0/import-jobs/${dry.jobId}/retry`, undefined);
    const job = await api.client().finished(again.body, { everyMs: 10 });
    expect(job).toMatchObject({ dryRun: true, succeededRows: 4, failedRows: 5 });
  });
});
