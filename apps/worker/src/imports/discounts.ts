import type { ImportContext } from './import-handler';
import { type Problem, problem } from './outcomes';

interface Code {
  id: string;
  /** The spellings that the chunk has of it. */
  given: string[];
  appliesPer: 'TRANSACTION' | 'ENTRY';
  limitUsage: number | null;
  limitUsagePerTransaction: number | null;
  usageCount: number;
  eventOccurrenceIds: string[] | null;
}

/** Locked in id order, so that of two jobs racing for the last use one gets it. */
const LOCK_CODES = /* sql */ `
  SELECT id, array(SELECT given FROM unnest($2::text[]) given WHERE lower(given) = lower(code)) AS given, applies_per AS "appliesPer", limit_usage AS "limitUsage",
    limit_usage_per_transaction AS "limitUsagePerTransaction", usage_count AS "usageCount",
    event_occurrence_ids AS "eventOccurrenceIds"
  FROM discount_codes WHERE organization_id = $1 AND lower(code) = ANY (SELECT lower(unnest($2::text[]))) AND deleted_at IS NULL
  ORDER BY id FOR NO KEY UPDATE
`;

/** Hands out uses of the discount codes that a chunk names, in row order. */
export class DiscountUses {
  private constructor(private readonly codes: Map<string, Code>) {}

  static async lock({ manager, organizationId }: ImportContext, given: Iterable<string | null | undefined>) {
    const wanted = [...new Set([...given].flatMap((code) => code ?? []))];
    const rows: Code[] = wanted.length ? await manager.query(LOCK_CODES, [organizationId, wanted]) : [];
    return new DiscountUses(new Map(rows.flatMap((row) => row.given.map((code) => [code, row] as const))));
  }

  /**
   * What a booking uses of the code: one, or as many as it has entries where the code applies per entry, but no
   * more than the code allows in one transaction.
   */
  take(given: string, eventOccurrenceId: string, entries: number): { id: string; uses: number } | Problem {
    const code = this.codes.get(given);
    if (!code || (code.eventOccurrenceIds && !code.eventOccurrenceIds.includes(eventOccurrenceId))) {
      return problem('DISCOUNT_CODE_NOT_FOUND', 'discountCode names no discount code for this occurrence');
    }
    const uses =
      code.appliesPer === 'ENTRY' ? Math.min(entries, code.limitUsagePerTransaction ?? entries) : 1;
    if (code.limitUsage !== null && code.usageCount + uses > code.limitUsage) {
      return problem(
        'DISCOUNT_LIMIT_REACHED',
        `discountCode has ${code.limitUsage - code.usageCount} uses left`,
      );
    }
    code.usageCount += uses;
    return { id: code.id, uses };
  }
}
