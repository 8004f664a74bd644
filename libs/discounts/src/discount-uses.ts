import type { Discount } from '#libs/database';
import type { ImportContext } from '#libs/import-rows';
import { type Problem, problem } from '#libs/import-rows';
import { instant } from '#libs/resources';
import { reduction } from './reduction';

interface Code {
  id: string;
  code: string;
  /** The spellings that the chunk has of it. */
  given: string[];
  discount: Discount;
  appliesPer: 'TRANSACTION' | 'ENTRY';
  limitUsage: number | null;
  limitUsagePerTransaction: number | null;
  usageCount: number;
  eventOccurrenceIds: string[] | null;
  ticketIds: string[] | null;
  startDateTime: string | null;
  endDateTime: string | null;
}

/** Locked in id order, so that of two jobs racing for the last use one gets it. */
const LOCK_CODES = /* sql */ `
  SELECT id, code, array(SELECT given FROM unnest($2::text[]) given WHERE lower(given) = lower(code)) AS given, discount,
    applies_per AS "appliesPer", limit_usage AS "limitUsage", limit_usage_per_transaction AS "limitUsagePerTransaction",
    usage_count AS "usageCount", event_occurrence_ids AS "eventOccurrenceIds", ticket_ids AS "ticketIds",
    ${instant('start_date_time')} AS "startDateTime", ${instant('end_date_time')} AS "endDateTime"
  FROM discount_codes WHERE organization_id = $1 AND lower(code) = ANY (SELECT lower(unnest($2::text[]))) AND deleted_at IS NULL
  ORDER BY id FOR NO KEY UPDATE
`;

/** What a code is used on. */
export interface Basket {
  eventOccurrenceId: string;
  /** When it was booked, in UTC with microseconds. */
  at: string;
  currencyCode: string;
  entries: { ticketId: string; price: number }[];
  /** The prices are those after the code: it is counted, and that is all. */
  alreadyApplied: boolean;
}

/** What a booking uses of a code, and what the code takes off. */
export interface Taken {
  id: string;
  code: string;
  uses: number;
  /** Amounts above zero, in minor units: of an entry, by its index, or of the whole booking. */
  reductions: { entry: number | null; value: number }[];
}

/** Hands out uses of the discount codes that a chunk names, in row order. */
export class DiscountUses {
  private constructor(private readonly codes: Map<string, Code>) {}

  static async lock({ manager, organizationId }: ImportContext, given: Iterable<string | null | undefined>) {
    const wanted = [...new Set([...given].flatMap((code) => code ?? []))];
    const rows: Code[] = wanted.length ? await manager.query(LOCK_CODES, [organizationId, wanted]) : [];
    return new DiscountUses(new Map(rows.flatMap((row) => row.given.map((code) => [code, row] as const))));
  }

  /**
   * What a booking uses of the code: one, or as many as it has entries that the code fits where it applies per
   * entry, but no more than the code allows in one transaction.
   */
  take(given: string, basket: Basket): Taken | Problem {
    const code = this.codes.get(given);
    if (!code)
      return problem('DISCOUNT_CODE_NOT_FOUND', 'discountCode is not a discount code of your organization');
    const wrong = basket.alreadyApplied ? undefined : restrictionOf(code, basket);
    if (wrong) return problem('DISCOUNT_CODE_NOT_APPLICABLE', `discountCode ${wrong}`);
    const fitting = entriesThatFit(code, basket);
    const discounted =
      code.appliesPer === 'ENTRY'
        ? fitting.slice(0, code.limitUsagePerTransaction ?? fitting.length)
        : fitting;
    const uses = code.appliesPer === 'ENTRY' ? discounted.length : 1;
    if (code.limitUsage !== null && code.usageCount + uses > code.limitUsage) {
      return problem(
        'DISCOUNT_LIMIT_REACHED',
        `discountCode has ${code.limitUsage - code.usageCount} uses left`,
      );
    }
    code.usageCount += uses;
    const reductions = basket.alreadyApplied ? [] : reductionsOf(code, discounted, basket);
    return { id: code.id, code: code.code, uses, reductions };
  }
}

/** Which of its restrictions keeps the code from the booking. */
function restrictionOf(code: Code, { eventOccurrenceId, at, currencyCode, entries }: Basket) {
  const { discount, eventOccurrenceIds, ticketIds, startDateTime, endDateTime } = code;
  if (eventOccurrenceIds && !eventOccurrenceIds.includes(eventOccurrenceId))
    return 'is not valid for this event occurrence';
  if (ticketIds && !entries.some(({ ticketId }) => ticketIds.includes(ticketId)))
    return 'is not valid for any ticket of the booking';
  if (startDateTime && at < startDateTime)
    return `is valid from ${startDateTime}, but the booking was made at ${at}`;
  if (endDateTime && at >= endDateTime)
    return `was valid until ${endDateTime}, but the booking was made at ${at}`;
  if (discount.type !== 'FLAT_RATE') return undefined;
  const { currencyCode: own } = discount.price;
  return own === 'ZERO' || currencyCode === 'ZERO' || own === currencyCode
    ? undefined
    : `is in ${own}, but the booking is in ${currencyCode}`;
}

/** All entries where none fits: only a code whose validity isn't checked comes to that. */
function entriesThatFit({ ticketIds }: Code, { entries }: Basket): number[] {
  const all = [...entries.keys()];
  const fitting = all.filter((i) => !ticketIds || ticketIds.includes(entries[i]?.ticketId ?? ''));
  return fitting.length ? fitting : all;
}

function reductionsOf({ appliesPer, discount }: Code, discounted: number[], { entries }: Basket) {
  const priceOf = (entry: number) => entries[entry]?.price ?? 0;
  const whole = discounted.reduce((sum, entry) => sum + priceOf(entry), 0);
  const reductions =
    appliesPer === 'ENTRY'
      ? discounted.map((entry) => ({ entry, value: reduction(discount, priceOf(entry)) }))
      : [{ entry: null, value: reduction(discount, whole) }];
  return reductions.filter(({ value }) => value > 0);
}
