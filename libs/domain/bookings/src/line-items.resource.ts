import { equals, id, type ListDeclaration, ofId, oneOf, priceAs, type Resource } from '#platform/queries';
import { LineItem, type LineItemType } from './line-items.dto';

const TYPES: readonly LineItemType[] = [
  'TICKET',
  'ADD_ON',
  'DONATION',
  'BOOKING_FEE',
  'DISCOUNT',
  'CREDIT',
  'REFUND',
];

const LINE_ITEM: Resource = {
  schema: LineItem,
  from: 'line_items t',
  select: `
    t.id AS "id",
    t.booking_id AS "bookingId",
    ${priceAs('amount', 't.amount_value', 't.currency_code')},
    t.item_type AS "itemType",
    t.name AS "name",
    t.item_id AS "itemId",
    t.item_selection_id AS "itemSelectionId",
    t.participant_id AS "participantId",
    t.external_line_item_id AS "externalLineItemId",
    t.created_at AS "createdAt",
    t.updated_at AS "updatedAt"`,
};

export const LINE_ITEMS_OF_BOOKING: ListDeclaration = {
  name: 'lineItemsOfBooking',
  schemaName: 'PagedLineItems',
  of: LINE_ITEM,
  within: { column: 't.booking_id', parent: 'bookings' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};

/** By change only, for polling: an order by creation would need another index. */
export const LINE_ITEMS: ListDeclaration = {
  name: 'lineItems',
  schemaName: 'PagedLineItems',
  of: LINE_ITEM,
  order: { sql: 't.updated_at', type: 'timestamptz', moves: true },
  times: { updatedAt: 't.updated_at' },
  filters: {
    eventOccurrenceId: {
      parameter: id('Only line items of bookings of this event occurrence.'),
      where: (value) => `t.booking_id IN (SELECT b.id FROM bookings b
        WHERE b.organization_id = t.organization_id AND b.event_occurrence_id = ${value}::uuid)`,
    },
    bookingId: ofId('booking_id', 'Only line items of this booking.'),
    itemType: equals('item_type', oneOf('Only line items of this type.', TYPES)),
  },
};
