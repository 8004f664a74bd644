import { equals, freeText, instant, type ListDeclaration, type Resource } from '#platform/queries';
import { AuditEntryItem } from './audit-log.dto';

/** The name of a staff member or key. */
export const ACTOR_NAME = `CASE
      WHEN t.actor_type = 'STAFF' THEN (SELECT m.email FROM staff_members m
        WHERE m.organization_id = t.organization_id AND m.id::text = t.actor_id)
      WHEN t.actor_type = 'KEY' THEN (SELECT k.name FROM api_keys k
        WHERE k.organization_id = t.organization_id AND k.id::text = t.actor_id) END`;

const AUDIT_ENTRY: Resource = {
  schema: AuditEntryItem,
  from: 'audit_log t',
  select: `
    t.id AS "id",
    ${instant('t.at')} AS "at",
    t.actor_type AS "actorType",
    t.actor_id AS "actorId",
    ${ACTOR_NAME} AS "actorName",
    t.origin AS "origin",
    t.action AS "action",
    t.object_type AS "objectType",
    t.object_id AS "objectId",
    t.details AS "details",
    t.changes AS "changes"`,
};

export const AUDIT_LOG: ListDeclaration = {
  name: 'auditLog',
  schemaName: 'PagedAuditEntries',
  of: AUDIT_ENTRY,
  order: { sql: 't.at', type: 'timestamptz' },
  newestFirst: true,
  moment: 'at',
  filters: {
    action: {
      parameter: freeText('Only this action, such as `key.revoke`; `key` selects every action on keys.', {
        max: 100,
      }),
      where: (value) => `(t.action = ${value} OR split_part(t.action, '.', 1) = ${value})`,
    },
    actorId: {
      parameter: freeText('Only actions of this staff member, key or operating system user.', { max: 255 }),
      where: (value) => `t.actor_id = ${value}`,
    },
    objectId: equals('object_id', freeText('Only actions on this object.', { max: 255 })),
  },
};
