import { statement } from '#platform/database';

/** A statement of its own, so that other callers do not depend on `partners`. */
export const PARTNER = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid', parentId: 'uuid?' },
  sql: `SELECT id, parent_partner_id AS "parentId" FROM partners WHERE organization_id = $1 AND id = $2`,
  prepared: true,
});
