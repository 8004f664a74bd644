import { occurrencesById, ticketsById } from '#domain/catalogue';
import { partnersById } from '#domain/partners';
import { DiscountCode, insertRows, newId, statement } from '#platform/database';
import type { ImportHandler } from '#platform/import-rows';
import { compare, instantIn, Outcomes, problem, problemOfLocalTime, succeeded } from '#platform/import-rows';
import { compared } from '#platform/validation';
import type { DiscountCodeImportRow } from './discount-code-row.dto';

/** By the code as sent: the database decides whether two codes are equal. One look-up a code, never all of the organization. */
const EXISTING = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid', code: 'text' },
  sql: `
    SELECT d.id, given.code FROM unnest($2::text[]) given (code)
    CROSS JOIN LATERAL (
      SELECT id FROM own_discount_codes
      WHERE organization_id = $1 AND compared(code) = compared(given.code) AND deleted_at IS NULL LIMIT 1
    ) d
  `,
});

/** Imports discount codes. */
export const importDiscountCodes: ImportHandler<DiscountCodeImportRow> = async (context, rows) => {
  const { manager, organizationId } = context;
  const outcomes = new Outcomes(rows);
  const existing = await EXISTING.rows(manager, [organizationId, rows.map(({ payload }) => payload.code)]);
  const byCode = new Map(existing.map(({ id, code }) => [code, id]));
  for (const { row, payload } of outcomes.open) {
    const discountCodeId = byCode.get(payload.code);
    if (discountCodeId)
      outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', { code: payload.code, discountCodeId }));
  }

  const open = outcomes.open.map(({ payload }) => payload);
  const occurrences = await occurrencesById(
    context,
    open.flatMap(({ eventOccurrenceIds }) => eventOccurrenceIds ?? []),
  );
  const tickets = await ticketsById(
    context,
    open.flatMap(({ ticketIds }) => ticketIds ?? []),
  );
  const partners = await partnersById(
    context,
    open.map(({ partnerId }) => partnerId),
  );
  /** A code that names several has times with zones. */
  const zoneOf = ({ eventOccurrenceIds }: DiscountCodeImportRow) =>
    occurrences.get(eventOccurrenceIds?.[0] ?? '')?.timeZone;
  outcomes.refuse((row) => {
    const { eventOccurrenceIds, ticketIds, partnerId } = row;
    const occurrence = eventOccurrenceIds?.findIndex((id) => !occurrences.has(id)) ?? -1;
    if (occurrence >= 0) {
      return problem(
        `eventOccurrenceIds[${occurrence}]`,
        'EVENT_OCCURRENCE_NOT_FOUND',
        'is not an event occurrence of your organization',
      );
    }
    const ticket = ticketIds?.findIndex((id) => !tickets.has(id)) ?? -1;
    if (ticket >= 0)
      return problem(`ticketIds[${ticket}]`, 'TICKET_NOT_FOUND', 'is not a ticket of your organization');
    if (partnerId && !partners.has(partnerId))
      return problem('partnerId', 'PARTNER_NOT_FOUND', 'is not a partner of your organization');
    const zone = zoneOf(row);
    return (
      problemOfLocalTime('startDateTime', row.startDateTime, zone) ??
      problemOfLocalTime('endDateTime', row.endDateTime, zone)
    );
  });

  const made = outcomes.open.map(({ row, payload }) => {
    const id = newId();
    outcomes.settle(succeeded(row, 'IMPORTED', { code: payload.code, discountCodeId: id }));
    return {
      organization_id: organizationId,
      id,
      code: payload.code,
      discount: payload.discount,
      applies_per: payload.appliesPer ?? 'TRANSACTION',
      limit_usage: payload.limitUsage ?? null,
      limit_usage_per_transaction: payload.limitUsagePerTransaction ?? null,
      group_name: payload.group ?? null,
      event_occurrence_ids: payload.eventOccurrenceIds ?? null,
      ticket_ids: payload.ticketIds ?? null,
      partner_id: payload.partnerId ?? null,
      start_date_time: payload.startDateTime ? instantIn(zoneOf(payload), payload.startDateTime) : null,
      end_date_time: payload.endDateTime ? instantIn(zoneOf(payload), payload.endDateTime) : null,
    };
  });
  made.sort((a, b) => compare(compared(a.code), compared(b.code)));
  await insertRows(manager, DiscountCode, made);
  return outcomes.all();
};
