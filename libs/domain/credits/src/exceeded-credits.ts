import { isId, statement } from '#platform/database';
import type { ImportContext, Warning } from '#platform/import-rows';

/** In the order of ids, as everywhere, so that of two jobs that spend one credit the later sees both amounts. */
const LOCK = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  columns: { id: 'uuid', externalId: 'text?', currencyCode: 'text' },
  sql: `
    SELECT id, external_credit_id AS "externalId", currency_code AS "currencyCode" FROM credits
    WHERE organization_id = $1 AND (id = ANY ($2) OR external_credit_id = ANY ($3))
    ORDER BY id FOR NO KEY UPDATE
  `,
});

/** In a statement of its own after the lock. */
const EXCEEDED = statement({
  parameters: ['uuid', 'uuid[]', 'bigint[]'],
  columns: { id: 'uuid', externalId: 'text?', by: 'text', currencyCode: 'text' },
  sql: `
    SELECT c.id, c.external_credit_id AS "externalId", to_char((-c.amount_value - spent.amount) / 100.0, 'FM9999999999999990.00') AS by, c.currency_code AS "currencyCode"
    FROM unnest($2::uuid[], $3::bigint[]) before (id, amount) JOIN credits c ON c.organization_id = $1 AND c.id = before.id
    CROSS JOIN LATERAL (SELECT before.amount + coalesce(sum(l.amount_value), 0) AS amount FROM line_items l
      WHERE l.organization_id = c.organization_id AND l.item_type = 'CREDIT' AND l.item_id IN (c.id::text, c.external_credit_id)
        AND l.currency_code = c.currency_code AND l.released_at IS NULL) spent
    WHERE c.amount_value + spent.amount < 0
  `,
});

/** What a line item adds to what was spent of the credit that it names, by its id or external id. */
export interface Spent {
  name: string;
  currencyCode: string;
  value: number;
}

/**
 * Warnings about the credits of which more was spent than their amount, by their ids and external ids.
 *
 * @param names of the credits to warn about, which are ids or external ids
 * @param spent by the rows of the chunk, for the next chunks of a dry run
 */
export async function exceededCredits(
  { manager, organizationId, carried }: ImportContext,
  names: readonly string[],
  spent: readonly Spent[],
): Promise<Map<string, Warning>> {
  if (names.length === 0 && spent.length === 0) return new Map();
  const credits = await LOCK.rows(manager, [organizationId, names.filter(isId), [...new Set(names)]]);
  const keyOf = ({ currencyCode }: { currencyCode: string }, name: string | null) =>
    `${currencyCode}/${name}`;
  const keysOf = (credit: (typeof credits)[number]) =>
    [credit.id, credit.externalId].map((name) => keyOf(credit, name));
  const keys = [...credits.flatMap(keysOf), ...spent.map((each) => keyOf(each, each.name))];
  const before = await carried?.get<number>('spent', keys);
  for (const each of spent) carried?.add('spent', keyOf(each, each.name), each.value);
  const earlier = credits.map((credit) =>
    keysOf(credit).reduce((sum, key) => sum + (before?.get(key) ?? 0), 0),
  );
  const exceeded = await EXCEEDED.rows(manager, [organizationId, credits.map(({ id }) => id), earlier]);
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
