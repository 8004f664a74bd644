import { type Discount, type DiscountCode, type Row, statement, typed } from '#platform/database';
import type { Carried, ImportContext } from '#platform/import-rows';
import { type Problem, problem } from '#platform/import-rows';
import { instant } from '#platform/queries';
import { compared } from '#platform/validation';
import { reduction } from './reduction';

type Code = Row<typeof LOCK_CODES>;

/** Locked in id order, so that only one of two concurrent jobs gets the last use. */
const LOCK_CODES = statement({
  parameters: ['uuid', 'text[]'],
  columns: {
    id: 'uuid',
    code: 'text',
    discount: typed<Discount>('jsonb'),
    appliesPer: typed<DiscountCode['appliesPer']>('text'),
    limitUsage: 'int?',
    limitUsagePerTransaction: 'int?',
    usageCount: 'int',
    eventOccurrenceIds: 'uuid[]?',
    ticketIds: 'uuid[]?',
    startDateTime: 'text?',
    endDateTime: 'text?',
  },
  sql: `
    SELECT id, code, discount, applies_per AS "appliesPer", limit_usage AS "limitUsage",
      limit_usage_per_transaction AS "limitUsagePerTransaction", usage_count AS "usageCount",
      event_occurrence_ids AS "eventOccurrenceIds", ticket_ids AS "ticketIds",
      ${instant('start_date_time')} AS "startDateTime", ${instant('end_date_time')} AS "endDateTime"
    FROM discount_codes WHERE organization_id = $1 AND deleted_at IS NULL AND id = ANY (ARRAY(
      SELECT c.id FROM own_discount_codes c
      WHERE c.organization_id = $1 AND compared(c.code) = ANY (SELECT compared(unnest($2::text[]))) AND c.deleted_at IS NULL))
    ORDER BY id FOR NO KEY UPDATE
  `,
});

/** The booking that uses a code. */
export interface Basket {
  eventOccurrenceId: string;
  /** The time of booking, in UTC with microseconds. */
  at: string;
  currencyCode: string;
  /** The price of a unit of several entries belongs to its first entry, whose index is `unit`. */
  entries: { ticketId: string; price: number; unit: number }[];
  /** Whether prices already include the discount, so that the code is only counted. */
  alreadyApplied: boolean;
}

/** The uses of a code by a booking, and its discounts. */
export interface Taken {
  id: string;
  code: string;
  uses: number;
  /** Amounts above zero, in minor units: by index of the entry, or of the whole booking. */
  reductions: { entry: number | null; value: number }[];
}

/** Allocates uses of the discount codes of a chunk, in row order. */
export class DiscountUses {
  private constructor(
    /** By what `compared` makes of them. PostgreSQL would compare each code of a chunk with each spelling. */
    private readonly codes: Map<string, Code>,
    private readonly carried: Carried | undefined,
  ) {}

  static async lock(
    { manager, organizationId, carried }: ImportContext,
    given: Iterable<string | null | undefined>,
  ) {
    const wanted = [...new Set([...given].flatMap((code) => code ?? []))];
    const rows: Code[] = wanted.length ? await LOCK_CODES.rows(manager, [organizationId, wanted]) : [];
    const uses = await carried?.earlier<number>(
      'uses',
      rows.map(({ id }) => id),
    );
    for (const row of rows) row.usageCount += uses?.get(row.id) ?? 0;
    return new DiscountUses(new Map(rows.map((row) => [compared(row.code), row])), carried);
  }

  /**
   * The uses of a booking: one, or, if the code applies per entry, the number of matching entries up to the limit per
   * transaction.
   */
  take(given: string, basket: Basket): Taken | Problem {
    const code = this.codes.get(compared(given));
    if (!code)
      return problem(
        'discountCode',
        'DISCOUNT_CODE_NOT_FOUND',
        'is not a discount code of your organization',
      );
    const wrong = basket.alreadyApplied ? undefined : restrictionOf(code, basket);
    if (wrong) return problem('discountCode', 'DISCOUNT_CODE_NOT_APPLICABLE', wrong);
    const fitting = entriesThatFit(code, basket);
    const discounted =
      code.appliesPer === 'ENTRY'
        ? fitting.slice(0, code.limitUsagePerTransaction ?? fitting.length)
        : fitting;
    const uses = code.appliesPer === 'ENTRY' ? discounted.length : 1;
    if (code.limitUsage !== null && code.usageCount + uses > code.limitUsage) {
      return problem(
        'discountCode',
        'DISCOUNT_LIMIT_REACHED',
        `has ${code.limitUsage - code.usageCount} uses left`,
      );
    }
    code.usageCount += uses;
    this.carried?.add('uses', code.id, uses);
    const reductions = basket.alreadyApplied ? [] : reductionsOf(code, discounted, basket);
    return { id: code.id, code: code.code, uses, reductions };
  }
}

/** The restriction that the booking breaks, if any. */
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

/** The matching entries; all entries if none matches, which only happens if the validity is not checked. */
function entriesThatFit({ ticketIds }: Code, { entries }: Basket): number[] {
  const all = [...entries.keys()];
  const fitting = all.filter((i) => !ticketIds || ticketIds.includes(entries[i]?.ticketId ?? ''));
  return fitting.length ? fitting : all;
}

function reductionsOf({ appliesPer, discount }: Code, discounted: number[], { entries }: Basket) {
  const priceOf = (entry: number) => entries[entry]?.price ?? 0;
  if (appliesPer === 'TRANSACTION') {
    const whole = discounted.reduce((sum, entry) => sum + priceOf(entry), 0);
    return [{ entry: null, value: reduction(discount, whole) }].filter(({ value }) => value > 0);
  }
  // A flat amount for each entry of a unit, a percentage once.
  const left = entries.map(({ price }) => price);
  const reductions = discounted.map((entry) => {
    const unit = discount.type === 'FLAT_RATE' ? (entries[entry]?.unit ?? entry) : entry;
    const value = reduction(discount, left[unit] ?? 0);
    left[unit] = (left[unit] ?? 0) - value;
    return { entry, value };
  });
  return reductions.filter(({ value }) => value > 0);
}
