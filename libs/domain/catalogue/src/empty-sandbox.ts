import type { DataSource, EntityMetadata } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { Organization, statement } from '#platform/database';
import { addIdentityFields, OrganizationRefused } from './organizations';

/** What stays: who may use the organization, where its webhooks go, and who did what. */
const KEPT = new Set([
  'organizations',
  'organization_surfaces',
  'organization_versions',
  'api_keys',
  'staff_members',
  'staff_links',
  'staff_sessions',
  'webhook_endpoints',
  'change_event_feeds',
  'audit_log',
  'request_log',
]);
/** Triggers write to them while others are emptied. */
const LAST = ['change_events', 'webhook_deliveries', 'webhook_attempts', 'pending_refreshes', 'tallies'];
/** Lists by change wait for the longest transaction, so none is long. */
const ROWS = 2_000;

/** Only members of a partner have its role, so removed ones get another, which nobody reads. */
const END_PARTNER_MEMBERS = statement({
  parameters: ['uuid'],
  sql: `
    WITH members AS (
      SELECT id FROM staff_members WHERE organization_id = $1 AND partner_id IS NOT NULL
    ), sessions AS (
      DELETE FROM staff_sessions WHERE organization_id = $1 AND member_id IN (SELECT id FROM members)
    ), links AS (
      DELETE FROM staff_links WHERE organization_id = $1 AND member_id IN (SELECT id FROM members)
    )
    UPDATE staff_members SET removed_at = coalesce(removed_at, clock_timestamp()), role = 'VIEWER', partner_id = NULL
    WHERE organization_id = $1 AND id IN (SELECT id FROM members)
  `,
});

/**
 * Deletes the events, people, imports and messages of a sandbox, in short transactions. Keys, staff, webhook endpoints and the
 * audit log stay; members and keys of its partners end with them. It must be closed meanwhile, so that nothing writes. Can be
 * interrupted and repeated.
 *
 * @returns the number of deleted rows by table
 * @throws OrganizationRefused if the organization is no sandbox, or is open
 */
export async function emptySandbox(
  dataSource: DataSource,
  organizationId: string,
  by: Actor,
): Promise<Record<string, number>> {
  const { manager } = dataSource;
  const { sandbox, slug, deletedAt } = await manager.findOneByOrFail(Organization, { id: organizationId });
  if (!sandbox) throw new OrganizationRefused(`${slug} is no sandbox. Only a sandbox can be emptied.`);
  if (!deletedAt) throw new OrganizationRefused(`${slug} is open.`);
  await END_PARTNER_MEMBERS.run(manager, [organizationId]);
  const deleted: Record<string, number> = {};
  for (const table of childrenFirst(dataSource.entityMetadatas)) {
    for (let rows = ROWS; rows === ROWS; ) {
      rows = await deleteSome(dataSource, table, organizationId);
      if (rows > 0) deleted[table.tableName] = (deleted[table.tableName] ?? 0) + rows;
    }
  }
  await dataSource.transaction(async (transaction) => {
    await addIdentityFields(transaction, organizationId);
    await audit(transaction, by, {
      ...{
        organizationId,
        action: 'organization.empty',
        objectType: 'organization',
        objectId: organizationId,
      },
      details: { deleted },
    });
  });
  return deleted;
}

async function deleteSome(
  dataSource: DataSource,
  { tableName, target, propertiesMap }: EntityMetadata,
  organizationId: string,
): Promise<number> {
  // Of rows of one table that refer to each other, the newer ones refer to the older ones.
  const newestFirst = 'id' in propertiesMap ? 'ORDER BY id DESC' : '';
  const { affected } = await dataSource.manager
    .createQueryBuilder()
    .delete()
    .from(target)
    .where(
      `organization_id = :organizationId AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${tableName} WHERE organization_id = :organizationId ${newestFirst} LIMIT ${ROWS}))`,
      { organizationId },
    )
    .execute();
  return affected ?? 0;
}

/** The tables of an organization, each before the tables that it refers to. */
function childrenFirst(tables: EntityMetadata[]): EntityMetadata[] {
  const left = tables.filter(
    ({ tableName, propertiesMap }) => 'organizationId' in propertiesMap && !KEPT.has(tableName),
  );
  left.sort((a, b) => LAST.indexOf(a.tableName) - LAST.indexOf(b.tableName));
  const ordered: EntityMetadata[] = [];
  while (left.length > 0) {
    const isFree = (table: EntityMetadata) =>
      !left.some(
        (other) =>
          other !== table &&
          other.foreignKeys.some(({ referencedTablePath }) => referencedTablePath === table.tablePath),
      );
    const free = left.findIndex(isFree);
    ordered.push(...left.splice(Math.max(free, 0), 1));
  }
  return ordered;
}
