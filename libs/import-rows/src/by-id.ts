import type { ImportContext } from './import-handler';

export type Organization = Pick<ImportContext, 'manager' | 'organizationId'>;

/** Rows by id. Ids of other organizations, and unknown ids, are not in the map. */
export async function byId<Row extends { id: string }>(
  { manager, organizationId }: Organization,
  sql: string,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Row>> {
  const wanted = [...new Set([...ids].filter((id): id is string => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const rows: Row[] = await manager.query(sql, [organizationId, wanted]);
  return new Map(rows.map((row) => [row.id, row]));
}
