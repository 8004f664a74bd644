import { brokenZero, defineImport, exactlyOne } from '#platform/import-rows';
import { type LineItemImportRow, LineItemsImport } from './line-item-row.dto';

export const lineItemsImport = defineImport<'lineItemsImport', LineItemImportRow>({
  surface: 'lineItemsImport',
  what: 'line items',
  description: "Amounts of bookings. The booking's total is the sum of its line items.",
  path: 'bookings/line-items/import',
  collection: 'lineItems',
  body: LineItemsImport,
  replaces: true,
  row: 'LineItemImportRow',
  externalId: 'externalLineItemId',
  identity: { externalLineItemId: 'exact' },
  broken: (row) => [
    ...exactlyOne(row, 'bookingId', 'externalBookingId'),
    ...brokenZero('amount', row.amount),
  ],
  ids: { lineItemId: 'line_items.id' },
  handler: () => (require('./import-line-items') as typeof import('./import-line-items')).importLineItems,
  undo: {
    permission: 'lineItems:import',
    handler: () => (require('./undo-line-items') as typeof import('./undo-line-items')).undoLineItems,
  },
});
