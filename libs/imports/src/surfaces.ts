import type { Type } from '@nestjs/common';
import type { Surface } from '#libs/access';
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
  /** What tells rows apart: the same twice in one batch answers 400. Undefined where the row has none. */
  identity(row: Row): string | undefined;
  /** The property that holds the caller's own id, if one does; errors repeat it. */
  externalId?: keyof Row & string;
  /** Rules that JSON Schema has no words for: what is wrong with the row, after its place, or undefined. */
  problem?(row: Row): string | undefined;
}

const exactlyOne = <Row>(
  row: Row,
  first: keyof Row & string,
  second: keyof Row & string,
): string | undefined =>
  (row[first] == null) === (row[second] == null)
    ? `: give ${first} or ${second}, and only one of them`
    : undefined;

const firstProblem = (problems: (string | undefined)[]): string | undefined => problems.find(Boolean);

const problemOfZero = (path: string, price: Price | null | undefined): string | undefined =>
  price?.currencyCode === 'ZERO' && price.value !== 0
    ? `${path}.value must be 0 where currencyCode is ZERO`
    : undefined;

const problemOfPrice = (path: string, price: Price | null | undefined): string | undefined =>
  price && price.value < 0 ? `${path}.value must not be negative` : problemOfZero(path, price);

/** Every import there is. */
export const IMPORTS: { [S in ImportSurface]: SurfaceDeclaration<ImportRows[S]> } = {
  bookingsImport: {
    path: 'bookings/import',
    collection: 'bookings',
    body: BookingsImport,
    externalId: 'externalBookingId',
    identity: ({ externalBookingId }) => externalBookingId,
    problem: ({ bookerType, partnerId, participants }) => {
      if (partnerId && bookerType !== 'PARTNER') return '.partnerId is only valid when bookerType is PARTNER';
      return firstProblem(
        participants.flatMap(({ price, originalPrice }, i) => [
          problemOfPrice(`.participants[${i}].price`, price),
          problemOfPrice(`.participants[${i}].originalPrice`, originalPrice),
        ]),
      );
    },
  },
  lineItemsImport: {
    path: 'bookings/line-items/import',
    collection: 'lineItems',
    body: LineItemsImport,
    externalId: 'externalLineItemId',
    identity: ({ externalLineItemId }) => externalLineItemId,
    problem: (row) =>
      exactlyOne(row, 'bookingId', 'externalBookingId') ?? problemOfZero('.amount', row.amount),
  },
  addOnsImport: {
    path: 'add-ons/import',
    collection: 'addOns',
    body: AddOnsImport,
    externalId: 'externalAllocationId',
    identity: ({ externalAllocationId }) => externalAllocationId,
    problem: ({ participantId, externalBookingId, externalParticipantId, unitPrice }) => {
      const wrong = problemOfPrice('.unitPrice', unitPrice);
      if (wrong) return wrong;
      const external = externalBookingId != null && externalParticipantId != null;
      const either = externalBookingId != null || externalParticipantId != null;
      return (participantId != null) === either || (either && !external)
        ? ': give participantId, or externalBookingId together with externalParticipantId'
        : undefined;
    },
  },
  creditsImport: {
    path: 'credits/import',
    collection: 'credits',
    body: CreditsImport,
    externalId: 'externalCreditId',
    identity: ({ externalCreditId }) => externalCreditId,
    problem: ({ amount }) =>
      problemOfZero('.amount', amount) ??
      (amount.value > 0 ? undefined : '.amount.value must be greater than 0'),
  },
  discountCodesImport: {
    path: 'discount-codes/import',
    collection: 'discountCodes',
    body: DiscountCodesImport,
    externalId: 'code',
    identity: ({ code }) => code.toLowerCase(),
    problem: ({ appliesPer, limitUsagePerTransaction, discount, startDateTime, endDateTime }) => {
      if (limitUsagePerTransaction != null && appliesPer !== 'ENTRY') {
        return '.limitUsagePerTransaction is only valid when appliesPer is ENTRY';
      }
      if (discount.type === 'PERCENTAGE' && !(discount.amount > 0 && discount.amount <= 100)) {
        return '.discount.amount must be more than 0, and 100 at most';
      }
      const wrong = discount.type === 'FLAT_RATE' && problemOfPrice('.discount.price', discount.price);
      if (wrong) return wrong;
      const [start, end] = [startDateTime, endDateTime].map((moment) => moment && instantOf(moment));
      return start && end && start >= end ? '.endDateTime must be later than startDateTime' : undefined;
    },
  },
  referralsImport: {
    path: 'referrals/import',
    collection: 'referrals',
    body: ReferralsImport,
    identity: ({ referralProgramId, generatedReferralCode, referredBookingId, referredExternalBookingId }) =>
      JSON.stringify([
        referralProgramId,
        generatedReferralCode.toLowerCase(),
        referredBookingId,
        referredExternalBookingId,
      ]),
    problem: (row) => exactlyOne(row, 'referredBookingId', 'referredExternalBookingId'),
  },
  reservedEntriesImport: {
    path: 'reserved-entries/participants/import',
    collection: 'assignments',
    body: AssignmentsImport,
    externalId: 'externalAssignmentId',
    // A blank one fails its row alone.
    identity: ({ externalAssignmentId }) => externalAssignmentId.trim() || undefined,
  },
};
