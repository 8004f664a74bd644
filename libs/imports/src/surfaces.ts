import type { Type } from '@nestjs/common';
import type { Surface } from '#libs/access';
import type { ProblemCode } from '#libs/bodies';
import {
  type AddOnImportRow,
  AddOnsImport,
  type BookingImportRow,
  BookingsImport,
  type LineItemImportRow,
  LineItemsImport,
} from '#libs/bookings';
import { type CreditImportRow, CreditsImport } from '#libs/credits';
import { type DiscountCodeImportRow, DiscountCodesImport } from '#libs/discounts';
import { instantOf } from '#libs/input';
import { type ReferralImportRow, ReferralsImport } from '#libs/referrals';
import { type AssignmentImportRow, AssignmentsImport } from '#libs/reserved-entries';
import type { Price } from '#libs/resources';

/** The rows that each surface takes (decisions, section 4). */
export interface ImportRows {
  bookingsImport: BookingImportRow;
  lineItemsImport: LineItemImportRow;
  addOnsImport: AddOnImportRow;
  creditsImport: CreditImportRow;
  discountCodesImport: DiscountCodeImportRow;
  referralsImport: ReferralImportRow;
  reservedEntriesImport: AssignmentImportRow;
}

export type ImportSurface = keyof ImportRows & Surface;

interface SurfaceDeclaration<Row> {
  /** Below `/v0`. */
  path: string;
  /** The request's only property: the array of rows. */
  collection: string;
  body: Type;
  /** The name of one row's schema. */
  row: string;
  /** What tells rows apart: the same twice in one batch answers 400. Undefined where the row has none. */
  identity(row: Row): string | undefined;
  /** The property that holds the caller's own id, if one does; errors repeat it. */
  externalId?: keyof Row & string;
  /** Rules that JSON Schema has no words for, of a row that keeps its schema: those that it breaks. */
  broken?(row: Row): BrokenRule[];
}

/** A rule of a row that is broken: where in the row, its code, and what follows the place in the sentence. */
export type BrokenRule = [path: string, code: ProblemCode, rule: string];

/** Only the rules whose condition holds. */
const when = (...rules: [isBroken: unknown, ...BrokenRule][]): BrokenRule[] =>
  rules.flatMap(([isBroken, ...rule]) => (isBroken ? [rule] : []));

const exactlyOne = <Row>(row: Row, first: keyof Row & string, second: keyof Row & string): BrokenRule[] =>
  when([
    (row[first] == null) === (row[second] == null),
    '',
    'INVALID_COMBINATION',
    `must have ${first} or ${second}, and only one of them`,
  ]);

const brokenZero = (path: string, price: Price | null | undefined): BrokenRule[] =>
  when([
    price?.currencyCode === 'ZERO' && price.value !== 0,
    `${path}.value`,
    'INVALID_COMBINATION',
    'must be 0 where currencyCode is ZERO',
  ]);

const brokenPrice = (path: string, price: Price | null | undefined): BrokenRule[] =>
  price && price.value < 0
    ? [[`${path}.value`, 'OUT_OF_RANGE', 'must not be negative']]
    : brokenZero(path, price);

const repeatedParticipants = (ids: (string | null | undefined)[]): BrokenRule[] => {
  const known = new Map<string, number>();
  return ids.flatMap((id, i): BrokenRule[] => {
    const first = id == null ? undefined : known.get(id);
    if (id != null && first === undefined) known.set(id, i);
    return when([
      first !== undefined,
      `participants[${i}].externalParticipantId`,
      'DUPLICATE',
      `is the same as that of participants[${first}]`,
    ]);
  });
};

/** Every import there is. */
export const IMPORTS: { [S in ImportSurface]: SurfaceDeclaration<ImportRows[S]> } = {
  bookingsImport: {
    path: 'bookings/import',
    collection: 'bookings',
    body: BookingsImport,
    row: 'BookingImportRow',
    externalId: 'externalBookingId',
    identity: ({ externalBookingId }) => externalBookingId,
    broken: ({ bookerType, partnerId, participants, metadata }) => [
      ...when([
        metadata && 'startline' in metadata,
        'metadata.startline',
        'INVALID_COMBINATION',
        'is set by the platform',
      ]),
      ...repeatedParticipants(participants.map(({ externalParticipantId }) => externalParticipantId)),
      ...when([
        partnerId && bookerType !== 'PARTNER',
        'partnerId',
        'INVALID_COMBINATION',
        'is only valid when bookerType is PARTNER',
      ]),
      ...participants.flatMap(({ price, originalPrice }, i) => [
        ...brokenPrice(`participants[${i}].price`, price),
        ...brokenPrice(`participants[${i}].originalPrice`, originalPrice),
      ]),
    ],
  },
  lineItemsImport: {
    path: 'bookings/line-items/import',
    collection: 'lineItems',
    body: LineItemsImport,
    row: 'LineItemImportRow',
    externalId: 'externalLineItemId',
    identity: ({ externalLineItemId }) => externalLineItemId,
    broken: (row) => [
      ...exactlyOne(row, 'bookingId', 'externalBookingId'),
      ...brokenZero('amount', row.amount),
    ],
  },
  addOnsImport: {
    path: 'add-ons/import',
    collection: 'addOns',
    body: AddOnsImport,
    row: 'AddOnImportRow',
    externalId: 'externalAllocationId',
    identity: ({ externalAllocationId }) => externalAllocationId,
    broken: ({ participantId, externalBookingId, externalParticipantId, unitPrice }) => {
      const external = externalBookingId != null && externalParticipantId != null;
      const either = externalBookingId != null || externalParticipantId != null;
      return [
        ...brokenPrice('unitPrice', unitPrice),
        ...when([
          (participantId != null) === either || (either && !external),
          '',
          'INVALID_COMBINATION',
          'must have participantId, or externalBookingId together with externalParticipantId',
        ]),
      ];
    },
  },
  creditsImport: {
    path: 'credits/import',
    collection: 'credits',
    body: CreditsImport,
    row: 'CreditImportRow',
    externalId: 'externalCreditId',
    identity: ({ externalCreditId }) => externalCreditId,
    broken: ({ amount }) => [
      ...brokenZero('amount', amount),
      ...when([amount.value <= 0, 'amount.value', 'OUT_OF_RANGE', 'must be greater than 0']),
    ],
  },
  discountCodesImport: {
    path: 'discount-codes/import',
    collection: 'discountCodes',
    body: DiscountCodesImport,
    row: 'DiscountCodeImportRow',
    externalId: 'code',
    identity: ({ code }) => code.toLowerCase(),
    broken: ({ appliesPer, limitUsagePerTransaction, discount, startDateTime, endDateTime }) => {
      const [start, end] = [startDateTime, endDateTime].map((moment) => moment && instantOf(moment));
      const rules = when(
        [
          limitUsagePerTransaction != null && appliesPer !== 'ENTRY',
          'limitUsagePerTransaction',
          'INVALID_COMBINATION',
          'is only valid when appliesPer is ENTRY',
        ],
        [
          discount.type === 'PERCENTAGE' && !(discount.amount > 0 && discount.amount <= 100),
          'discount.amount',
          'OUT_OF_RANGE',
          'must be more than 0, and 100 at most',
        ],
        [
          start && end && start >= end,
          'endDateTime',
          'INVALID_COMBINATION',
          'must be later than startDateTime',
        ],
      );
      return discount.type === 'FLAT_RATE'
        ? [...rules, ...brokenPrice('discount.price', discount.price)]
        : rules;
    },
  },
  referralsImport: {
    path: 'referrals/import',
    collection: 'referrals',
    body: ReferralsImport,
    row: 'ReferralImportRow',
    identity: ({ referralProgramId, generatedReferralCode, referredBookingId, referredExternalBookingId }) =>
      JSON.stringify([
        referralProgramId,
        generatedReferralCode.toLowerCase(),
        referredBookingId,
        referredExternalBookingId,
      ]),
    broken: (row) => exactlyOne(row, 'referredBookingId', 'referredExternalBookingId'),
  },
  reservedEntriesImport: {
    path: 'reserved-entries/participants/import',
    collection: 'assignments',
    body: AssignmentsImport,
    row: 'AssignmentImportRow',
    externalId: 'externalAssignmentId',
    // A blank one fails its row alone.
    identity: ({ externalAssignmentId }) => externalAssignmentId.trim() || undefined,
  },
};
