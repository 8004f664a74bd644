import type { RunsOn } from '#platform/database';
import type { ImportContext } from './import-handler';

export type Organization = Pick<ImportContext, 'manager' | 'organizationId'>;

/** A statement that reads rows of an organization by their ids. */
interface ReadsById<Row> {
  rows(on: RunsOn, values: readonly [organizationId: string, ids: readonly string[]]): Promise<Row[]>;
}

/** Rows by id. Ids of other organizations, and unknown ids, are not in the map. */
export async function byId<Row extends { id: string }>(
  { manager, organizationId }: Organization,
  statement: ReadsById<Row>,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Row>> {
  const wanted = [...new Set([...ids].filter((id): id is string => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const rows = await statement.rows(manager, [organizationId, wanted]);
  return new Map(rows.map((row) => [row.id, row]));
}
