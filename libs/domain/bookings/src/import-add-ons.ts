import {
  AddOnAllocation,
  insertRows,
  LineItem,
  newId,
  type Row,
  statement,
  updateRows,
} from '#platform/database';
import type { ImportContext, ImportHandler } from '#platform/import-rows';
import { Outcomes, type Problem, problem, succeeded, unchanged } from '#platform/import-rows';
import type { AddOnImportRow } from './add-on-row.dto';
import { carriedCurrencies, carryCurrencies, problemOf as problemOfAmount } from './import-line-items';
import { insertLineItems } from './insert-start-list';
import { type KnownBooking, lockBookings, sumLineItems } from './lock-bookings';

const EXISTING = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid', externalId: 'text!', bookingId: 'uuid', lineItemId: 'uuid?' },
  sql: `
    SELECT id, external_allocation_id AS "externalId", booking_id AS "bookingId", purchase_line_item_id AS "lineItemId"
    FROM add_on_allocations WHERE organization_id = $1 AND external_allocation_id = ANY ($2) AND released_at IS NULL ORDER BY id
  `,
});

const PARTICIPANTS = statement({
  parameters: ['uuid', 'uuid[]', 'uuid[]'],
  columns: {
    id: 'uuid',
    bookingId: 'uuid',
    eventId: 'uuid',
    eventOccurrenceId: 'uuid',
    externalParticipantId: 'text?',
  },
  sql: `
    SELECT e.participant_id AS id, e.booking_id AS "bookingId", e.event_id AS "eventId",
      e.event_occurrence_id AS "eventOccurrenceId", e.external_participant_id AS "externalParticipantId"
    FROM start_list_entries e
    WHERE e.organization_id = $1 AND e.approval_status = 'APPROVED' AND (e.participant_id = ANY ($2) OR e.booking_id = ANY ($3))
  `,
});

const ADD_ONS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', title: 'text', eventId: 'uuid', eventOccurrenceId: 'uuid?', variants: 'uuid[]' },
  sql: `
    SELECT a.id, a.title, a.event_id AS "eventId", a.event_occurrence_id AS "eventOccurrenceId",
      array(SELECT v.id FROM add_on_variants v WHERE v.organization_id = a.organization_id AND v.add_on_id = a.id) AS variants
    FROM add_ons a WHERE a.organization_id = $1 AND a.id = ANY ($2)
  `,
});

const BOOKINGS_OF_PARTICIPANTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { bookingId: 'uuid' },
  sql: `
    SELECT DISTINCT booking_id AS "bookingId" FROM start_list_entries WHERE organization_id = $1 AND participant_id = ANY ($2)
  `,
});

type Participant = Row<typeof PARTICIPANTS>;

type AddOn = Row<typeof ADD_ONS>;

type Existing = Row<typeof EXISTING>;

/** Imports add-ons of participants, each with a line item of quantity times unit price. */
export const importAddOns: ImportHandler<AddOnImportRow> = async (context, rows) => {
  const { manager, organizationId, mode } = context;
  const outcomes = new Outcomes(rows);
  const readExisting = (): Promise<Existing[]> =>
    EXISTING.rows(manager, [organizationId, rows.map(({ payload }) => payload.externalAllocationId)]);
  const existing = await readExisting();
  const byExternalId = new Map(existing.map((allocation) => [allocation.externalId, allocation]));
  if (mode === 'CREATE') {
    for (const { row, payload } of outcomes.open) {
      const known = byExternalId.get(payload.externalAllocationId);
      if (known)
        outcomes.settle(succeeded(row, 'ALREADY_IMPORTED', reported(payload, known.id, known.lineItemId)));
    }
  }

  const references = await AddOnReferences.of(
    context,
    outcomes.open.map(({ payload }) => payload),
    existing,
  );
  await unchanged(existing, readExisting);
  outcomes.refuse((payload) => references.problemOf(payload));
  carryCurrencies(context, references.currencies);
  const made = outcomes.open.map(({ row, payload }) => {
    const known = byExternalId.get(payload.externalAllocationId);
    const id = known?.id ?? newId();
    const lineItemId = known?.lineItemId ?? newId();
    outcomes.settle(succeeded(row, known ? 'UPDATED' : 'IMPORTED', reported(payload, id, lineItemId)));
    // An allocation that was not imported may have no line item yet.
    return { isNew: !known, isCharged: !!known?.lineItemId, ...references.rowsOf(payload, id, lineItemId) };
  });
  const [created, replaced] = [made.filter(({ isNew }) => isNew), made.filter(({ isNew }) => !isNew)];
  await insertLineItems(
    context,
    made.filter(({ isCharged }) => !isCharged).map(({ lineItem }) => lineItem),
  );
  await insertRows(
    manager,
    AddOnAllocation,
    created.map(({ allocation }) => ({ ...allocation, organization_id: organizationId })),
  );
  const charged = replaced.map(({ lineItem: { external_line_item_id: _, ...lineItem } }) => lineItem);
  await updateRows(manager, organizationId, LineItem, charged);
  const allocations = replaced.map(({ allocation }) => allocation);
  await updateRows(manager, organizationId, AddOnAllocation, allocations);
  await sumLineItems(context, [
    ...made.map(({ allocation }) => allocation.booking_id),
    ...existing.map(({ bookingId }) => bookingId),
  ]);
  return outcomes.all();
};

const reported = (
  { externalAllocationId }: AddOnImportRow,
  allocationId: string,
  lineItemId: string | null,
) => ({
  externalAllocationId,
  allocationId,
  lineItemId,
});

/** What the rows of a chunk may refer to; the bookings are locked. */
class AddOnReferences {
  private readonly byId: Map<string, Participant>;
  private readonly byExternalId: Map<string, Participant>;

  private constructor(
    private readonly bookingOf: Awaited<ReturnType<typeof lockBookings>>,
    participants: Participant[],
    private readonly addOns: Map<string, AddOn>,
    /** By booking: of free bookings, the currency of their first amount. */
    readonly currencies: Map<string, string>,
  ) {
    this.byId = new Map(participants.map((participant) => [participant.id, participant]));
    this.byExternalId = new Map(
      participants.flatMap((participant) => {
        const { bookingId, externalParticipantId } = participant;
        return externalParticipantId === null ? [] : [[`${bookingId}/${externalParticipantId}`, participant]];
      }),
    );
  }

  static async of(
    context: ImportContext,
    payloads: AddOnImportRow[],
    existing: Existing[],
  ): Promise<AddOnReferences> {
    const { manager, organizationId } = context;
    const participantIds = payloads.flatMap(({ participantId }) => participantId ?? []);
    const named = await BOOKINGS_OF_PARTICIPANTS.rows(manager, [organizationId, participantIds]);
    const external = payloads.flatMap(({ externalBookingId }) =>
      externalBookingId ? [{ externalBookingId }] : [],
    );
    const bookingOf = await lockBookings(context, [...named, ...existing, ...external]);
    const bookingIds = external.flatMap((name) => bookingOf(name)?.id ?? []);
    const participants = await PARTICIPANTS.rows(manager, [organizationId, participantIds, bookingIds]);
    const addOns = await ADD_ONS.rows(manager, [organizationId, payloads.map(({ addOnId }) => addOnId)]);
    const currencies = await carriedCurrencies(
      context,
      participants.map(({ bookingId }) => bookingOf({ bookingId })),
    );
    return new AddOnReferences(
      bookingOf,
      participants,
      new Map(addOns.map((addOn) => [addOn.id, addOn])),
      currencies,
    );
  }

  problemOf(payload: AddOnImportRow): Problem | undefined {
    const { externalBookingId, addOnId, variantId, unitPrice, quantity } = payload;
    if (externalBookingId && !this.bookingOf({ externalBookingId })) {
      return problem('externalBookingId', 'BOOKING_NOT_FOUND', 'is not a booking of your organization');
    }
    const participant = this.participantOf(payload);
    if (!participant)
      return problem(
        '',
        'PARTICIPANT_NOT_FOUND',
        'The row does not identify a participant of your organization',
      );
    const addOn = this.addOns.get(addOnId);
    const sold =
      addOn?.eventId === participant.eventId &&
      (addOn.eventOccurrenceId === null || addOn.eventOccurrenceId === participant.eventOccurrenceId);
    if (!addOn || !sold)
      return problem('addOnId', 'ADD_ON_NOT_FOUND', "is not an add-on of the participant's event");
    if (variantId && !addOn.variants.includes(variantId)) {
      return problem('variantId', 'ADD_ON_NOT_FOUND', 'is not a variant of the add-on');
    }
    const amount = { value: unitPrice.value * quantity, currencyCode: unitPrice.currencyCode };
    return problemOfAmount({ amount }, this.bookingOf(participant), new Map(), this.currencies);
  }

  rowsOf(payload: AddOnImportRow, id: string, lineItemId: string) {
    const { quantity, unitPrice, addOnId, variantId } = payload;
    const participant = this.participantOf(payload) as Participant;
    const { id: bookingId } = this.bookingOf(participant) as KnownBooking;
    return {
      allocation: {
        id,
        booking_id: bookingId,
        participant_id: participant.id,
        purchase_line_item_id: lineItemId,
        add_on_id: addOnId,
        variant_id: variantId ?? null,
        quantity,
        unit_price_value: unitPrice.value,
        currency_code: unitPrice.currencyCode,
        operational_status: payload.operationalStatus ?? 'ALLOCATED',
        financial_status: payload.financialStatus ?? 'PAID',
        external_allocation_id: payload.externalAllocationId,
      },
      lineItem: {
        id: lineItemId,
        booking_id: bookingId,
        participant_id: participant.id,
        item_type: 'ADD_ON' as const,
        name: this.addOns.get(addOnId)?.title ?? '',
        item_id: addOnId,
        item_selection_id: variantId ?? null,
        amount_value: unitPrice.value * quantity,
        currency_code: unitPrice.currencyCode,
        external_line_item_id: null,
      },
    };
  }

  private participantOf({ participantId, externalBookingId, externalParticipantId }: AddOnImportRow) {
    if (participantId) return this.byId.get(participantId);
    return this.byExternalId.get(`${this.bookingOf({ externalBookingId })?.id}/${externalParticipantId}`);
  }
}
