import type { DataSource, DeepPartial } from 'typeorm';
import {
  Partner,
  PartnerExternalId,
  ReservedEntryGroup,
  ReservedEntryGroupTicket,
  Ticket,
} from '#platform/database';
import { type Given, insert, ticket } from './catalogue';
import { next } from './organizations';

/** @param externalIds by type */
export async function partner(
  dataSource: DataSource,
  {
    externalIds = {},
    ...given
  }: Given<Partner> & { externalIds?: Partial<Record<PartnerExternalId['type'], string>> },
): Promise<Partner> {
  const n = next();
  const row = await insert(dataSource, Partner, {
    name: `Partner ${n}`,
    type: 'CHARITY',
    contacts: [{ firstName: 'Grace', lastName: 'Hopper', email: `partner-${n}@example.com` }],
    ...given,
  } as DeepPartial<Partner>);
  for (const [type, externalId] of Object.entries(externalIds)) {
    await dataSource.getRepository(PartnerExternalId).insert({
      organizationId: row.organizationId,
      partnerId: row.id,
      type: type as PartnerExternalId['type'],
      externalId,
    });
  }
  return row;
}

/** A group with places on one ticket; by default a new ticket and a new partner. */
export async function reservedEntryGroup(
  dataSource: DataSource,
  { ticketId, ...given }: Given<ReservedEntryGroup> & { ticketId?: string },
): Promise<ReservedEntryGroup & { ticketId: string }> {
  const n = next();
  const { organizationId } = given;
  const of = ticketId
    ? await dataSource.getRepository(Ticket).findOneByOrFail({ organizationId, id: ticketId })
    : await ticket(dataSource, { organizationId });
  const row = await insert(dataSource, ReservedEntryGroup, {
    eventId: of.eventId,
    eventOccurrenceId: of.eventOccurrenceId,
    partnerId: given.partnerId ?? (await partner(dataSource, { organizationId })).id,
    name: `Group ${n}`,
    code: `GROUP-${n}`,
    maxCapacity: 10,
    ...given,
  } as DeepPartial<ReservedEntryGroup>);
  await dataSource
    .getRepository(ReservedEntryGroupTicket)
    .insert({ organizationId, reservedEntryGroupId: row.id, ticketId: of.id });
  return Object.assign(row, { ticketId: of.id });
}
