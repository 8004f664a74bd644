import type { EntityManager } from 'typeorm';
import type { StartListEntry } from '#libs/database';
import { applyWaiting } from '#libs/race-day';
import { findEntry } from './find-entry';

export type Decision = 'APPROVE' | 'REJECT' | 'WITHDRAW';
type ApprovalStatus = StartListEntry['approvalStatus'];

/** Where a decision leads, by what the application is; nothing where it is none to decide any more. */
const TRANSITIONS: Record<ApprovalStatus, Partial<Record<Decision, ApprovalStatus>>> = {
  PENDING: { APPROVE: 'APPROVED', REJECT: 'REJECTED', WITHDRAW: 'WITHDRAWN' },
  APPROVED: {},
  REJECTED: {},
  WITHDRAWN: {},
};

/** `MISSING`: no such application. `DECIDED`: it isn't pending. `CANCELLED`: its booking is, so nobody may start. */
export type DecisionOutcome =
  | { outcome: 'DONE'; applicationId: string; participantId: string; approvalStatus: ApprovalStatus }
  | { outcome: 'DECIDED' | 'CANCELLED'; approvalStatus: ApprovalStatus }
  | { outcome: 'MISSING' };

const LOCK_BOOKING = /* sql */ `
  SELECT status FROM bookings WHERE organization_id = $1 AND id = $2 FOR UPDATE
`;

const LOCK_RESERVED_GROUP = /* sql */ `
  SELECT FROM reserved_entry_groups WHERE organization_id = $1
    AND id = (SELECT reserved_entry_group_id FROM start_list_entries
      WHERE organization_id = $1 AND id = $2 AND holds_reserved_place)
  FOR NO KEY UPDATE
`;

const LOCK_ENTRY = /* sql */ `
  SELECT approval_status AS "approvalStatus", cancelled_at IS NOT NULL AS cancelled
  FROM start_list_entries WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
`;

/** Whoever isn't approved leaves a reserved place, and neither wears nor claims a bib. */
const DECIDE = /* sql */ `
  UPDATE start_list_entries SET
    approval_status = $3::text,
    status_details = status_details || jsonb_build_object('status', $3::text, 'reason', $4::text,
      'at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
    holds_reserved_place = holds_reserved_place AND $3 = 'APPROVED',
    bib_number = CASE WHEN $3 = 'APPROVED' THEN bib_number END,
    bib_claim = CASE WHEN $3 = 'APPROVED' THEN bib_claim END
  WHERE organization_id = $1 AND id = $2
`;

/**
 * Decides a pending application. Of several decisions at once one counts; the others find it decided. Call it in
 * a transaction; it locks as #libs/bookings says.
 *
 * @param reason shown in `statusDetails`
 */
export async function decideApplication(
  manager: EntityManager,
  applicationId: string,
  decision: Decision,
  reason: string | null = null,
): Promise<DecisionOutcome> {
  const found = await findEntry(manager, applicationId);
  if (found?.id !== applicationId) return { outcome: 'MISSING' };
  const { organizationId, bookingId, participantId } = found;
  const entry = [organizationId, applicationId];
  await manager.query(LOCK_BOOKING, [organizationId, bookingId]);
  await manager.query(LOCK_RESERVED_GROUP, entry);
  const [{ approvalStatus, cancelled }] = (await manager.query(LOCK_ENTRY, entry)) as [
    { approvalStatus: ApprovalStatus; cancelled: boolean },
  ];
  const next = TRANSITIONS[approvalStatus][decision];
  if (!next) return { outcome: 'DECIDED', approvalStatus };
  if (cancelled && next === 'APPROVED') return { outcome: 'CANCELLED', approvalStatus };
  await manager.query(DECIDE, [...entry, next, reason]);
  // Timing messages may have come before the participant; the worker's sweep finds what this makes pending again.
  if (next === 'APPROVED') await applyWaiting(manager, organizationId, [participantId]);
  return { outcome: 'DONE', applicationId, participantId, approvalStatus: next };
}
