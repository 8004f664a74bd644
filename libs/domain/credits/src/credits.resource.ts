import { emailFilter, textFilter } from '#domain/participants';
import { type ListDeclaration, ofId, priceAs, type Resource } from '#platform/queries';
import { Credit } from './credits.dto';

/**
 * Spending does not change the row of the credit: the balance is computed, so that it always agrees with the line
 * items.
 */
const BALANCE = `
  CROSS JOIN LATERAL (
    SELECT CASE WHEN t.expires_at <= now() THEN 0 ELSE t.amount_value + coalesce(sum(l.amount_value), 0) END AS balance
    FROM line_items l
    WHERE l.organization_id = t.organization_id AND l.item_type = 'CREDIT'
      AND l.item_id IN (t.id::text, t.external_credit_id)
      AND l.currency_code = t.currency_code AND l.released_at IS NULL) spent`;

export const CREDIT: Resource = {
  schema: Credit,
  from: 'credits t',
  where: `t.kind = 'CREDIT'`,
  joins: BALANCE,
  select: `
    t.id AS "id",
    t.external_credit_id AS "externalCreditId",
    nullif(t.email, '') AS "email",
    ${priceAs('amount', 't.amount_value', 't.currency_code')},
    ${priceAs('balance', 'spent.balance', 't.currency_code')},
    t.reason AS "reason",
    t.expires_at AS "expiresAt",
    t.event_id AS "eventId",
    t.created_at AS "createdAt"`,
};

export const CREDITS: ListDeclaration = {
  name: 'credits',
  schemaName: 'PagedCredits',
  of: CREDIT,
  order: { sql: 't.created_at', type: 'timestamptz' },
  moment: 'createdAt',
  filters: {
    email: {
      parameter: emailFilter('Only credits of this email. Case and surrounding white space are ignored.'),
      where: (value) => `t.email_normalized = ${value}`,
    },
    externalCreditId: {
      parameter: textFilter('Only the credit that was imported with this `externalCreditId`.'),
      external: true,
      where: (value) => `t.external_credit_id = ${value}`,
    },
    eventId: ofId('event_id', 'Only credits that are limited to this event.'),
  },
};
