import { type ListDeclaration, priceAs } from '#platform/queries';
import { LineItem } from './line-items.dto';

export const LINE_ITEMS_OF_BOOKING: ListDeclaration = {
  name: 'lineItemsOfBooking',
  schemaName: 'PagedLineItems',
  of: {
    schema: LineItem,
    from: 'line_items t',
    select: `
      t.id AS "id",
      ${priceAs('amount', 't.amount_value', 't.currency_code')},
      t.item_type AS "itemType",
      t.name AS "name",
      t.item_id AS "itemId",
      t.item_selection_id AS "itemSelectionId",
      t.participant_id AS "participantId",
      t.external_line_item_id AS "externalLineItemId"`,
  },
  within: { column: 't.booking_id', parent: 'bookings' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
