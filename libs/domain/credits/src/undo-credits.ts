import { statement } from '#platform/database';
import { failed, type ImportHandler, Outcomes, problem, succeeded } from '#platform/import-rows';

/** A row of a job that undoes an import. */
export interface UndoCreditRow {
  creditId: string;
}

/** The line items that spend credit `c`; those of cancelled bookings gave it back. */
const SPENT = `EXISTS (SELECT FROM line_items l WHERE l.organization_id = c.organization_id AND l.item_type = 'CREDIT'
    AND l.item_id IN (c.id::text, c.external_credit_id) AND l.released_at IS NULL)`;

/** A SELECT of the credit with an id, for statements of imports. A credit that is gone is not found. */
export const creditsToUndo = (organizationId: string, id: string) => /* sql */ `
  SELECT c.id, CASE WHEN ${SPENT} THEN 'SPENT' END AS final, '{}'::text[] AS changes
  FROM credits c WHERE c.organization_id = ${organizationId} AND c.id = ${id}`;

const LOCK = statement({
  parameters: ['uuid', 'uuid[]'],
  sql: 'SELECT FROM credits WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE',
});

/** In a statement of its own after the lock. */
const DELETE = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `DELETE FROM credits c WHERE c.organization_id = $1 AND c.id = ANY ($2) AND NOT ${SPENT} RETURNING c.id`,
});

const LEFT = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: 'SELECT id FROM credits WHERE organization_id = $1 AND id = ANY ($2)',
});

/** Deletes the credits of an import that nobody has spent. */
export const undoCredits: ImportHandler<UndoCreditRow> = async ({ manager, organizationId }, rows) => {
  const outcomes = new Outcomes(rows);
  const credits = [organizationId, rows.map(({ payload }) => payload.creditId)] as const;
  await LOCK.run(manager, credits);
  const deleted = new Set((await DELETE.rows(manager, credits)).map(({ id }) => id));
  const left = new Set((await LEFT.rows(manager, credits)).map(({ id }) => id));
  for (const { row, payload } of outcomes.open) {
    const { creditId } = payload;
    if (left.has(creditId))
      outcomes.settle(failed(row, problem('', 'CHANGED_SINCE_IMPORT', 'The credit has been spent.')));
    else outcomes.settle(succeeded(row, deleted.has(creditId) ? 'CANCELLED' : 'UNCHANGED', { creditId }));
  }
  return outcomes.all();
};
