import { eventsById, occurrencesById } from '#domain/catalogue';
import { Credit, insertRows, newId, statement } from '#platform/database';
import type { ImportHandler } from '#platform/import-rows';
import { compare, instantIn, Outcomes, problem, problemOfLocalTime, succeeded } from '#platform/import-rows';
import { normalizeEmail } from '#platform/validation';
import type { CreditImportRow } from './credit-row.dto';

const EXISTING = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid', externalId: 'text!' },
  sql: `
    SELECT id, external_credit_id AS "externalId" FROM credits
    WHERE organization_id = $1 AND external_credit_id = ANY ($2)
  `,
});

/** Imports credits. */
export const importCredits: ImportHandler<CreditImportRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  const outcomes = new Outcomes(rows);
  const existing = await EXISTING.rows(manager, [
    organizationId,
    rows.map(({ payload }) => payload.externalCreditId),
  ]);
  const byExternalId = new Map(existing.map(({ id, externalId }) => [externalId, id]));
  for (const { row, payload } of outcomes.open) {
    const creditId = byExternalId.get(payload.externalCreditId);
    const { externalCreditId } = payload;
    if (creditId) outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', { externalCreditId, creditId }));
  }
  const named = outcomes.open.flatMap(({ payload }) => payload.eventId ?? []);
  const events = await eventsById(context, named);
  const others = named.filter((id) => !events.has(id));
  // An occurrence is often taken for its event.
  const occurrences = others.length ? await occurrencesById(context, others) : undefined;
  const zoneOf = (eventId: string | null | undefined) => events.get(eventId ?? '')?.timeZone;
  outcomes.refuse(({ eventId, expiresAt }) => {
    if (!eventId || events.has(eventId)) return problemOfLocalTime('expiresAt', expiresAt, zoneOf(eventId));
    const meant = occurrences?.get(eventId)?.eventId;
    const reason = meant
      ? `is the id of an event occurrence; send the id of its event, ${meant}`
      : 'is not an event of your organization';
    return problem('eventId', 'EVENT_NOT_FOUND', reason);
  });
  const made = outcomes.open.map(({ row, payload }) => {
    const id = newId();
    outcomes.settle(succeeded(row, 'IMPORTED', { externalCreditId: payload.externalCreditId, creditId: id }));
    return {
      organization_id: organizationId,
      id,
      external_credit_id: payload.externalCreditId,
      email: payload.email,
      email_normalized: normalizeEmail(payload.email),
      amount_value: payload.amount.value,
      currency_code: payload.amount.currencyCode,
      reason: payload.reason ?? null,
      expires_at: payload.expiresAt ? instantIn(zoneOf(payload.eventId), payload.expiresAt) : null,
      event_id: payload.eventId ?? null,
    };
  });
  made.sort((a, b) => compare(a.external_credit_id, b.external_credit_id));
  await insertRows(manager, Credit, made);
  return outcomes.all();
};
