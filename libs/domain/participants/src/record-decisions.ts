import type { EntityManager } from 'typeorm';
import { type Actor, type AuditAction, auditAll } from '#platform/access';
import { type Decided, type Decision, type DecisionRequest, decideApplications } from './decide-applications';

/** Applications of one transaction. */
export const DECISIONS_PER_STEP = 200;

const ACTIONS: Record<Decision, AuditAction> = {
  APPROVE: 'application.approve',
  REJECT: 'application.reject',
  WITHDRAW: 'application.withdraw',
  NOT_DUPLICATE: 'application.not-duplicate',
};

/** Decides applications as `decideApplications` does, and records in the audit log each that was decided. */
export async function recordDecisions(
  manager: EntityManager,
  request: DecisionRequest,
  actor: Actor,
): Promise<Decided> {
  const decided = await decideApplications(manager, request);
  const { organizationId, decision } = request;
  await auditAll(
    manager,
    actor,
    decided.outcomes
      .filter(({ outcome }) => outcome === 'DONE')
      .map(({ applicationId: objectId }) => ({
        organizationId,
        action: ACTIONS[decision],
        objectType: 'application',
        objectId,
      })),
  );
  return decided;
}
