import { statement } from '#platform/database';
import { failed, type ImportHandler, Outcomes, problem, succeeded } from '#platform/import-rows';

/** A row of a job that undoes an import. */
export interface UndoDiscountCodeRow {
  discountCodeId: string;
}

/** A SELECT of the discount code with an id, for statements of imports. */
export const discountCodesToUndo = (organizationId: string, id: string) => /* sql */ `
  SELECT d.id, CASE WHEN d.deleted_at IS NOT NULL THEN 'ALREADY_CANCELLED' WHEN d.usage_count > 0 THEN 'USED' END AS final,
    '{}'::text[] AS changes
  FROM discount_codes d WHERE d.organization_id = ${organizationId} AND d.id = ${id}`;

const LOCK = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: 'SELECT FROM discount_codes WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
});

/** In a statement of its own after the lock. */
const DELETE = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE discount_codes SET deleted_at = clock_timestamp()
    WHERE organization_id = $1 AND id = ANY ($2) AND usage_count = 0 AND deleted_at IS NULL RETURNING id
  `,
});

const USED = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM discount_codes WHERE organization_id = $1 AND id = ANY ($2) AND deleted_at IS NULL',
});

/** Deletes the discount codes of an import that nobody has used. */
export const undoDiscountCodes: ImportHandler<UndoDiscountCodeRow> = async (
  { manager, organizationId },
  rows,
) => {
  const outcomes = new Outcomes(rows);
  const codes = [organizationId, rows.map(({ payload }) => payload.discountCodeId)] as const;
  await LOCK.run(manager, codes);
  const deleted = new Set((await DELETE.rows(manager, codes)).map(({ id }) => id));
  const used = new Set((await USED.rows(manager, codes)).map(({ id }) => id));
  for (const { row, payload } of outcomes.open) {
    const { discountCodeId } = payload;
    if (used.has(discountCodeId))
      outcomes.settle(failed(row, problem('', 'CHANGED_SINCE_IMPORT', 'The discount code has been used.')));
    else
      outcomes.settle(
        succeeded(row, deleted.has(discountCodeId) ? 'CANCELLED' : 'UNCHANGED', { discountCodeId }),
      );
  }
  return outcomes.all();
};
