import { type Row, statement } from '#platform/database';
import { type ImportContext, type Problem, problem } from '#platform/import-rows';
import { defineErrors, errors, normalizeEmail } from '#platform/validation';
import { lockBookingOfEntries } from '../corrections/stored-entries';

/** @param domain `acme.example`, with or without `@`, without subdomains; null: all domains */
export const domainProblem = (email: string, domain: string | null, path: string): Problem | undefined =>
  domain && !normalizeEmail(email).endsWith(`@${normalizeEmail(domain).replace(/^@/, '')}`)
    ? problem(path, 'DOMAIN_NOT_ALLOWED', `must be an address at ${domain}`)
    : undefined;

export const alreadyUsed = (path: string): Problem =>
  problem(path, 'ALREADY_USED', 'has a place of this group, which may be used once');

export const groupErrors = defineErrors({
  deadlinePassed: () => [
    403,
    'The deadline of the reserved entry group has passed. Only the organizer can change its places now.',
  ],
});

/** A partner finds only what came through its groups. It sees the booking if it is entirely its own. */
const FIND = statement({
  parameters: ['uuid', 'uuid', 'uuid?'],
  columns: {
    id: 'uuid',
    bookingId: 'uuid',
    groupId: 'uuid?',
    redacted: 'boolean',
    cancelled: 'boolean',
    ownsBooking: 'boolean',
  },
  sql: `
    SELECT e.id, e.booking_id AS "bookingId", e.reserved_entry_group_id AS "groupId", e.gdpr_redacted AS redacted,
      e.cancelled_at IS NOT NULL AS cancelled, coalesce($3::uuid IS NULL OR $3 IN (b.via_partner_id, b.via_top_partner_id), false) AS "ownsBooking"
    FROM start_list_entries e JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id
    WHERE e.organization_id = $1 AND e.participant_id = $2 AND e.approval_status = 'APPROVED'
      AND ($3::uuid IS NULL OR $3 IN (e.via_partner_id, e.via_top_partner_id))
  `,
});

const LOCK_GROUP = statement({
  parameters: ['uuid', 'uuid'],
  columns: { domainRestriction: 'text?', singleUse: 'boolean', isOver: 'boolean' },
  sql: `
    SELECT domain_restriction AS "domainRestriction", type = 'SINGLE_USE' AS "singleUse",
      coalesce(deadline < clock_timestamp(), false) AS "isOver"
    FROM reserved_entry_groups WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
  `,
});

const IS_USED = statement({
  parameters: ['uuid', 'uuid', 'text', 'uuid'],
  sql: `
    SELECT FROM start_list_entries
    WHERE organization_id = $1 AND reserved_entry_group_id = $2 AND email_normalized = $3 AND id <> $4
      AND cancelled_at IS NULL AND approval_status IN ('APPROVED', 'PENDING') LIMIT 1
  `,
});

type Context = Pick<ImportContext, 'manager' | 'organizationId' | 'partnerId'>;

/**
 * The place of a participant, with its booking, undefined if that is cancelled, and the rules of its group, both locked. The organizer can leave
 * the group out.
 *
 * @throws ApiError 404; 403 to a partner after the deadline of the group
 */
export async function lockPlace(
  { manager, organizationId, partnerId }: Context,
  participantId: string,
  { withRules = partnerId !== null } = {},
) {
  const find = () => FIND.first(manager, [organizationId, participantId, partnerId]);
  const wanted = await find();
  if (!wanted) throw errors.notFound();
  const booking = await lockBookingOfEntries({ manager, organizationId }, wanted.bookingId);
  if (!withRules) return { found: wanted, booking };
  const group = wanted.groupId
    ? await LOCK_GROUP.first(manager, [organizationId, wanted.groupId])
    : undefined;
  // Again, under the locks.
  const found = await find();
  if (!found) throw errors.notFound();
  if (partnerId && group?.isOver) throw groupErrors.deadlinePassed();
  return { found, booking, group };
}

/** @returns why the group does not accept the address for the place */
export async function problemOfAddress(
  { manager, organizationId }: Context,
  { id, groupId }: Row<typeof FIND>,
  group: Row<typeof LOCK_GROUP> | undefined,
  email: string,
): Promise<Problem | undefined> {
  const refused = domainProblem(email, group?.domainRestriction ?? null, 'email');
  if (refused || !group?.singleUse || !groupId) return refused;
  const isUsed = await IS_USED.run(manager, [organizationId, groupId, normalizeEmail(email), id]);
  return isUsed ? alreadyUsed('email') : undefined;
}
