import type { EntityManager } from 'typeorm';
import { AuditRecord } from '#platform/database';

export interface AuditFilter {
  organizationId: string;
  /** An action such as `key.revoke`, or the part before the dot: every action on such an object. */
  action?: string;
  objectId?: string;
  actorId?: string;
  /** From this time on. */
  since?: Date;
  /** Before this time. */
  until?: Date;
  limit: number;
}

/** The matching records, newest first. */
export async function listAudit(manager: EntityManager, filter: AuditFilter): Promise<AuditRecord[]> {
  const { organizationId, action, objectId, actorId, since, until, limit } = filter;
  const query = manager
    .createQueryBuilder(AuditRecord, 'a')
    .where('a.organizationId = :organizationId', { organizationId });
  if (action) {
    query.andWhere("(a.action = :action OR split_part(a.action, '.', 1) = :action)", { action });
  }
  if (objectId) query.andWhere('a.objectId = :objectId', { objectId });
  if (actorId) query.andWhere('a.actorId = :actorId', { actorId });
  if (since) query.andWhere('a.at >= :since', { since });
  if (until) query.andWhere('a.at < :until', { until });
  return query.orderBy('a.at', 'DESC').addOrderBy('a.id', 'DESC').limit(limit).getMany();
}
