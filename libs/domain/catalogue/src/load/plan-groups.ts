import { isId, statement } from '#platform/database';
import { compared, MAXIMA } from '#platform/validation';
import type { RecordOf } from '../format/records';
import type { Planning } from './draft';
import { byOwner, Identities, type Stored } from './identities';
import type { Known } from './known';
import { PARTNERS } from './plan-partners';
import type { RaceIdentities } from './plan-races';
import type { PlannedOccurrence } from './planned-occurrence';
import { keepPlaces } from './write';

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
  new Identities(
    'referral program',
    await REFERRAL_PROGRAMS.rows(manager, [organizationId, occurrenceIds]),
    false,
    MAXIMA.referralPrograms,
  );

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
  known: Known;
  groups: Identities<Stored>;
  /** By group. */
  ticketsOf: Map<string | undefined, StoredTicket[]>;
  /** By occurrence. */
  ticketsIn: Map<string | undefined, StoredTicket[]>;
  partners: Map<string, string>;
  /** Of the sub-partners that are given by id. */
  parents: Map<string, string | null>;
}

const RESERVED_GROUPS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid', name: 'text', owner: 'uuid' },
  sql: `
    SELECT id, compared(code) AS name, event_occurrence_id AS owner FROM reserved_entry_groups
    WHERE organization_id = $1 AND event_occurrence_id = ANY($2) ORDER BY id
  `,
});

/** A ticket in a group. */
interface StoredTicket {
  occurrenceId: string;
  groupId: string;
  ticketId: string;
  /** The code of the group. */
  name: string;
  position: number;
  /** Of its own price, if it has one. */
  currencyCode: string | null;
}

const GROUP_TICKETS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: {
    occurrenceId: 'uuid',
    groupId: 'uuid',
    ticketId: 'uuid',
    name: 'text',
    position: 'int',
    currencyCode: 'text?',
  },
  sql: `
    SELECT g.event_occurrence_id AS "occurrenceId", g.id AS "groupId", t.ticket_id AS "ticketId", g.code AS name,
      t.position, t.discount #>> '{price,currencyCode}' AS "currencyCode"
    FROM reserved_entry_groups g
    JOIN reserved_entry_group_tickets t ON t.organization_id = g.organization_id AND t.reserved_entry_group_id = g.id
    WHERE g.organization_id = $1 AND g.event_occurrence_id = ANY($2)
  `,
});

const GROUPS_OF_EVENTS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { eventId: 'uuid', count: 'int' },
  sql: `
    SELECT event_id AS "eventId", count(*)::int AS count FROM reserved_entry_groups
    WHERE organization_id = $1 AND event_id = ANY($2) GROUP BY event_id
  `,
});

export async function storedGroups(
  planned: PlannedOccurrence[],
  occurrenceIds: string[],
  { manager, organizationId, known }: Planning,
): Promise<GroupIdentities> {
  const eventIds = planned.map(({ eventId }) => eventId);
  const counts = await GROUPS_OF_EVENTS.rows(manager, [organizationId, eventIds]);
  for (const { eventId, count } of counts) known.counted(eventId, count);
  const given = planned.flatMap(({ draft }) => draft.record.reservedEntryGroups ?? []);
  const byId = given.flatMap(({ subPartner }) => (isId(subPartner) ? [subPartner] : []));
  const subPartners = await PARTNERS.rows(manager, [organizationId, [], byId]);
  const tickets = await GROUP_TICKETS.rows(manager, [organizationId, occurrenceIds]);
  return {
    known,
    groups: new Identities(
      'reserved entry group',
      await RESERVED_GROUPS.rows(manager, [organizationId, occurrenceIds]),
    ),
    ticketsOf: byOwner(tickets, ({ groupId }) => groupId),
    ticketsIn: byOwner(tickets, ({ occurrenceId }) => occurrenceId),
    partners: await partnersOf(given, known),
    parents: new Map(subPartners.map(({ id, parentId }) => [id, parentId])),
  };
}

type Named = { partner?: string | null; subPartner?: string | null };

/** The name or id of the partner or sub-partner, as `Known` has it. */
function nameOf({ partner, subPartner }: Named, partners: Map<string, string>): string | null {
  if (!subPartner || isId(subPartner)) return subPartner || partner || null;
  return `${partners.get(partner ?? '')}/${subPartner}`;
}

async function partnersOf(groups: readonly Named[], known: Known): Promise<Map<string, string>> {
  const partners = await known.idsOf(
    'partner',
    groups.flatMap(({ partner }) => partner ?? []),
  );
  const named = groups.flatMap((group) => (group.subPartner ? (nameOf(group, partners) ?? []) : []));
  return new Map([...partners, ...(await known.idsOf('partner', named))]);
}

/** @param ticketIds of the record's tickets, by slug */
export function planGroups(
  { draft, id: occurrenceId, eventId }: PlannedOccurrence,
  stored: GroupIdentities,
  ticketIds: Map<string, string>,
  { tickets }: RaceIdentities,
): void {
  let added = 0;
  for (const [place, group] of (draft.record.reservedEntryGroups ?? []).entries()) {
    const at = `reservedEntryGroups[${place}].`;
    const given = { id: group.id, name: compared(group.code), owner: occurrenceId };
    const identity = draft.resolve(stored.groups, given, at, 'code');
    if (!identity) continue;
    if (!identity.stored && !stored.known.hasRoom(eventId, MAXIMA.groups)) {
      draft.refuse(
        at.slice(0, -1),
        `is one too many: an event has at most ${MAXIMA.groups} reserved entry groups`,
      );
      continue;
    }
    const name = nameOf(group, stored.partners);
    const partnerId = name ? stored.partners.get(name) : null;
    if (partnerId === undefined)
      draft.refuse(
        `${at}${group.subPartner ? 'subPartner' : 'partner'}`,
        `is not a partner: "${group.subPartner || group.partner}"`,
      );
    else if (
      group.partner &&
      isId(group.subPartner) &&
      stored.parents.get(group.subPartner) !== stored.partners.get(group.partner)
    )
      draft.refuse(`${at}subPartner`, `is no sub-partner of "${group.partner}"`);
    draft.rows.add('reservedEntryGroups', {
      ...groupRow(group),
      id: identity.id,
      event_id: eventId,
      event_occurrence_id: occurrenceId,
      partner_id: partnerId,
    });
    draft.limit('group', identity.id, `${at}maxCapacity`, group.maxCapacity);
    const permitted = new Set<string>();
    const before = draft.rows.of('reservedEntryGroupTickets').length;
    for (const [position, ticket] of (group.tickets ?? []).entries()) {
      const slug = ticket.ticketSlug;
      const ticketId = ticketIds.get(slug) ?? tickets.named(slug, occurrenceId)?.id;
      if (!ticketId) draft.refuse(`${at}tickets[${position}].ticketSlug`, `is not a ticket: "${slug}"`);
      else draft.once(permitted, ticketId, `${at}tickets[${position}].ticketSlug`, slug);
      draft.limit(
        'groupTicket',
        identity.id,
        `${at}tickets[${position}].maxCapacity`,
        ticket.maxCapacity,
        ticketId,
      );
      draft.rows.add('reservedEntryGroupTickets', {
        reserved_entry_group_id: identity.id,
        ticket_id: ticketId,
        position,
        max_capacity: ticket.maxCapacity,
        discount: ticket.discount,
        start_date_time: ticket.startDateTime,
      });
    }
    const had = stored.ticketsOf.get(identity.id) ?? [];
    const rows = draft.rows.of('reservedEntryGroupTickets').slice(before);
    const places = rows.map((row) => had.find(({ ticketId }) => ticketId === row.ticket_id)?.position);
    keepPlaces(
      rows,
      places,
      had.filter(({ ticketId }) => !permitted.has(ticketId)),
    );
    const news = places.filter((position) => position === undefined).length;
    draft.room(`${at}tickets`, 'tickets', MAXIMA.ticketsOfGroup, { stored: had.length, added: news });
    added += news;
  }
  draft.room('reservedEntryGroups', 'tickets', MAXIMA.ticketsOfGroups, {
    ...{ stored: stored.ticketsIn.get(occurrenceId)?.length ?? 0, added },
  });
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
  deadline: group.settings?.deadline,
});
