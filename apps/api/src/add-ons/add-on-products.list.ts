import { AddOnProduct } from '#domain/bookings';
import { type ListDeclaration, priceAs } from '#platform/queries';

/** The add-ons of an occurrence: its own, and those of its event. */
export const ADD_ONS_OF_OCCURRENCE: ListDeclaration = {
  name: 'addOnsOfOccurrence',
  schemaName: 'PagedAddOnProducts',
  of: {
    schema: AddOnProduct,
    from: `(SELECT a.*, o.id AS sold_at FROM add_ons a
      JOIN event_occurrences o ON o.organization_id = a.organization_id AND o.event_id = a.event_id
        AND (a.event_occurrence_id IS NULL OR a.event_occurrence_id = o.id)) t`,
    select: `
      t.id AS "id",
      t.title AS "title",
      ${priceAs('price', 't.price_value', 't.currency_code')},
      (SELECT coalesce(json_agg(json_build_object('id', v.id, 'title', v.title) ORDER BY v.position, v.id), '[]')
        FROM add_on_variants v WHERE v.organization_id = t.organization_id AND v.add_on_id = t.id) AS "variants"`,
  },
  within: { column: 't.sold_at', parent: 'event_occurrences' },
  order: { sql: 't.created_at', type: 'timestamptz' },
};
