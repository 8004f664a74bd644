import type { EntityManager } from 'typeorm';
import { PartnerExternalId, statement } from '#platform/database';
import type { ExternalIdType } from './partners.dto';
import { partnerErrors } from './partners.errors';

const INSERT = statement({
  parameters: ['uuid', 'uuid', 'text[]', 'text[]'],
  columns: { type: 'text' },
  sql: `
    INSERT INTO partner_external_ids (organization_id, partner_id, type, external_id)
    SELECT $1, $2, type, external_id FROM unnest($3::text[], $4::text[]) given (type, external_id)
    ORDER BY type
    ON CONFLICT (organization_id, type, external_id) DO NOTHING
    RETURNING type
  `,
});

const DELETE = statement({
  parameters: ['uuid', 'uuid', 'text[]'],
  sql: 'DELETE FROM partner_external_ids WHERE organization_id = $1 AND partner_id = $2 AND type = ANY($3)',
});

/**
 * Merges external ids into those of a partner; `null` removes one.
 *
 * @throws ApiError 400 if another partner has one of the ids
 */
export async function writeExternalIds(
  manager: EntityManager,
  { organizationId, id }: { organizationId: string; id: string },
  given: Partial<Record<ExternalIdType, string | null>>,
): Promise<void> {
  const partner = { organizationId, partnerId: id };
  const present = await manager.findBy(PartnerExternalId, partner);
  const presentOf = (type: string) => present.find((one) => one.type === type)?.externalId ?? null;
  const changed = Object.entries(given).filter(([type, externalId]) => externalId !== presentOf(type));
  if (changed.length === 0) return;

  const types = changed.map(([type]) => type);
  await DELETE.run(manager, [organizationId, id, types]);
  const wanted = changed.filter((change): change is [string, string] => change[1] !== null);
  const written = await INSERT.rows(manager, [
    organizationId,
    id,
    wanted.map(([type]) => type),
    wanted.map(([, externalId]) => externalId),
  ]);
  const taken = wanted.find(([type]) => !written.some((row) => row.type === type));
  if (taken) throw partnerErrors.externalIdTaken(...taken);
}
