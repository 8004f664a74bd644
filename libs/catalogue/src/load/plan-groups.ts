import { statement } from '#libs/database';
import type { RecordOf } from '../format/records';
import type { Planning } from './draft';
import { Identities, type Stored } from './identities';
import type { RaceIdentities } from './plan-races';
import type { PlannedOccurrence } from './planned-occurrence';

type Group = NonNullable<RecordOf<'occurrence'>['reservedEntryGroups']>[number];

const REFERRAL_PROGRAMS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid' },
  sql: `
    SELECT id, title AS name, event_occurrence_id AS owner FROM referral_programs
    WHERE organization_id = $1 AND event_occurrence_id = ANY($2) ORDER BY id
  `,
});

export const storedPrograms = async (
  occurrenceIds: string[],
  { manager, organizationId }: Planning,
): Promise<Identities<Stored>> =>
  new Identities('referral program', await REFERRAL_PROGRAMS.rows(manager, [organizationId, occurrenceIds]));

export function planPrograms(
  { draft, id: occurrenceId, eventId }: PlannedOccurrence,
  programs: Identities<Stored>,
): void {
  for (const [at, { id, title }] of (draft.record.referralPrograms ?? []).entries()) {
    const given = { id, name: title, owner: occurrenceId };
    const identity = draft.resolve(programs, given, `referralPrograms[${at}].`, 'title');
    if (!identity) continue;
    draft.rows.add('referralPrograms', {
      id: identity.id,
      event_id: eventId,
      event_occurrence_id: occurrenceId,
      title,
    });
  }
}

export interface GroupIdentities {
  groups: Identities<Stored>;
  partners: Map<string, string>;
}

const RESERVED_GROUPS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid' },
  sql: `
    SELECT id, code AS name, event_occurrence_id AS owner FROM reserved_entry_groups
    WHERE organization_id = $1 AND event_occurrence_id = ANY($2) ORDER BY id
  `,
});

export const storedGroups = async (
  planned: PlannedOccurrence[],
  occurrenceIds: string[],
  { manager, organizationId, known }: Planning,
): Promise<GroupIdentities> => ({
  groups: new Identities(
    'reserved entry group',
    await RESERVED_GROUPS.rows(manager, [organizationId, occurrenceIds]),
  ),
  partners: await known.idsOf(
    'partner',
    planned.flatMap(({ draft }) =>
      (draft.record.reservedEntryGroups ?? []).flatMap(({ partner }) => partner ?? []),
    ),
  ),
});

/** @param ticketIds of the record's tickets, by slug */
export function planGroups(
  { draft, id: occurrenceId, eventId }: PlannedOccurrence,
  stored: GroupIdentities,
  ticketIds: Map<string, string>,
  { tickets }: RaceIdentities,
): void {
  for (const [place, group] of (draft.record.reservedEntryGroups ?? []).entries()) {
    const at = `reservedEntryGroups[${place}].`;
    const given = { id: group.id, name: group.code, owner: occurrenceId };
    const identity = draft.resolve(stored.groups, given, at, 'code');
    if (!identity) continue;
    const partnerId = group.partner ? stored.partners.get(group.partner) : null;
    if (partnerId === undefined) draft.refuse(`${at}partner`, `is not a partner: "${group.partner}"`);
    draft.rows.add('reservedEntryGroups', {
      ...groupRow(group),
      id: identity.id,
      event_id: eventId,
      event_occurrence_id: occurrenceId,
      partner_id: partnerId,
    });
    for (const [position, ticket] of (group.tickets ?? []).entries()) {
      const slug = ticket.ticketSlug;
      const ticketId = ticketIds.get(slug) ?? tickets.named(slug, occurrenceId)?.id;
      if (!ticketId) draft.refuse(`${at}tickets[${position}].ticketSlug`, `is not a ticket: "${slug}"`);
      draft.rows.add('reservedEntryGroupTickets', {
        reserved_entry_group_id: identity.id,
        ticket_id: ticketId,
        position,
        max_capacity: ticket.maxCapacity,
        discount: ticket.discount,
        start_date_time: ticket.startDateTime,
      });
    }
  }
}

const groupRow = (group: Group) => ({
  name: group.name,
  description: group.description,
  code: group.code,
  url: group.url,
  type: group.type ?? 'MULTI_USE',
  max_capacity: group.maxCapacity,
  can_partner_cancel: group.settings?.canPartnerCancel ?? false,
  reserve_capacity: group.settings?.reserveCapacity ?? 'RESERVE_CAPACITY',
  reallocate_on_cancel: group.settings?.reallocateOnCancel ?? false,
  domain_restriction: group.settings?.domainRestriction,
});
