import { type ListDeclaration } from '#platform/queries';
import { AddOnAllocation } from './add-ons.dto';

export const ADD_ON_ALLOCATIONS_OF_BOOKING: ListDeclaration = {
  name: 'addOnAllocationsOfBooking',
  schemaName: 'PagedAddOnAllocations',
  of: {
    schema: AddOnAllocation,
    from: 'add_on_allocations t',
    joins: `
      JOIN add_ons a ON a.organization_id = t.organization_id AND a.id = t.add_on_id
      LEFT JOIN add_on_variants v ON v.organization_id = t.organization_id AND v.id = t.variant_id`,
    select: `
      t.id AS "id",
      t.external_allocation_id AS "externalAllocationId",
      t.participant_id AS "participantId",
      t.purchase_line_item_id AS "purchaseLineItemId",
      a.id AS "addOn.id",
      a.title AS "addOn.title",
      v.id AS "variant?.id",
      v.title AS "variant?.title",
      t.quantity AS "quantity",
      t.operational_status AS "operationalStatus",
      t.financial_status AS "financialStatus",
      t.created_at AS "createdAt",
      t.updated_at AS "updatedAt"`,
  },
  within: { column: 't.booking_id', parent: 'bookings' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
