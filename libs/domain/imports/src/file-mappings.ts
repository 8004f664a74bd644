import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { mappingIn, WrongMapping } from '#libs/sheets';
import { statement } from '#platform/database';
import { errors, trimmed } from '#platform/validation';
import type { FileMappingSaved } from './file-mappings.dto';

/** The most mappings of an organization. */
const MOST = 200;

const SAVE = statement({
  parameters: ['uuid', 'text', 'text', 'text', 'jsonb', 'uuid', 'bigint'],
  columns: { id: 'uuid' },
  sql: `
    INSERT INTO file_mappings AS t (organization_id, id, surface, name, fingerprint, mapping, member_id)
    SELECT $1, uuid_v7(), $2, $3, $4, $5, $6
    WHERE (SELECT count(*) FROM file_mappings WHERE organization_id = $1) < $7
      OR EXISTS (SELECT FROM file_mappings WHERE organization_id = $1 AND surface = $2 AND name = $3)
    ON CONFLICT (organization_id, surface, name) DO UPDATE SET fingerprint = excluded.fingerprint, mapping = excluded.mapping,
      member_id = excluded.member_id, saved_at = clock_timestamp()
    RETURNING t.id
  `,
});

const DELETE = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid' },
  sql: 'DELETE FROM file_mappings WHERE organization_id = $1 AND id = $2 RETURNING id',
});

/** @returns the id. @throws ApiError 400 if it is no mapping, or if there are too many */
export async function saveFileMapping(
  manager: EntityManager,
  { organizationId, memberId }: { organizationId: string; memberId: string },
  { surface, name, mapping }: FileMappingSaved,
): Promise<string> {
  const columns = columnsOf(mapping);
  const fingerprint = createHash('sha256').update(columns.sort().join('\n')).digest('hex');
  const saved = await SAVE.first(manager, [
    organizationId,
    surface,
    trimmed(name),
    fingerprint,
    JSON.stringify(mapping),
    memberId,
    MOST,
  ]);
  if (!saved) throw errors.invalid(`There are at most ${MOST} mappings. Delete one that is not used.`);
  return saved.id;
}

/** @throws ApiError 404 */
export async function deleteFileMapping(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<void> {
  if (!(await DELETE.first(manager, [organizationId, id]))) throw errors.notFound();
}

/** The names of the columns. @throws ApiError 400 if it is not a mapping */
function columnsOf(given: Record<string, unknown>): string[] {
  if (!given.columns) throw errors.invalid('mapping must have `columns`.');
  try {
    return Object.keys(mappingIn(given).columns);
  } catch (error) {
    throw error instanceof WrongMapping ? errors.invalid(error.message) : error;
  }
}
