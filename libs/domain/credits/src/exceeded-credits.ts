import { isId, statement } from '#platform/database';
import type { Organization, Warning } from '#platform/import-rows';

/** In the order of ids, as everywhere, so that of two jobs that spend one credit the later sees both amounts. */
const LOCK = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  sql: `
    SELECT FROM credits WHERE organization_id = $1 AND (id = ANY ($2) OR external_credit_id = ANY ($3))
    ORDER BY id FOR NO KEY UPDATE
  `,
});

/** In a statement of its own after the lock. */
const EXCEEDED = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  columns: { id: 'uuid', externalId: 'text?', by: 'text', currencyCode: 'text' },
  sql: `
    SELECT c.id, c.external_credit_id AS "externalId", to_char((-c.amount_value - spent.amount) / 100.0, 'FM9999999999999990.00') AS by, c.currency_code AS "currencyCode"
    FROM credits c CROSS JOIN LATERAL (SELECT coalesce(sum(l.amount_value), 0)AS amount FROM line_items l
      WHERE l.organization_id = c.organization_id AND l.item_type = 'CREDIT' AND l.item_id IN (c.id::text, c.external_credit_id)
        AND l.currency_code = c.currency_code AND l.released_at IS NULL) spent
    WHERE c.organization_id = $1 AND (c.id = ANY ($2) OR c.external_credit_id = ANY ($3)) AND c.amount_value + spent.amount < 0
  `,
});

/**
 * Warnings about the credits of which more was spent than their amount, by their ids and external ids.
 *
 * @param names ids or external ids
 */
export async function exceededCredits(
  { manager, organizationId }: Organization,
  names: readonly string[],
): Promise<Map<string, Warning>> {
  if (names.length === 0) return new Map();
  const given = [organizationId, names.filter(isId), [...new Set(names)]] as const;
  await LOCK.run(manager, given);
  const exceeded = await EXCEEDED.rows(manager, given);
  return new Map(
    exceeded.flatMap(({ id, externalId, by, currencyCode }) => {
      const warning: Warning = {
        path: 'amount.value',
        code: 'CREDIT_EXCEEDED',
        message: `More was spent of credit ${externalId ?? id} than its amount, by ${by} ${currencyCode}. Check the line items that name it.`,
      };
      return [id, ...(externalId === null ? [] : [externalId])].map((name) => [name, warning] as const);
    }),
  );
}
