import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { problem, refusedFor } from '#platform/import-rows';

const LOCK_GROUP = statement({
  parameters: ['uuid', 'uuid'],
  sql: 'SELECT FROM reserved_entry_groups WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
});

const TICKETS = statement({
  parameters: ['uuid', 'uuid'],
  columns: { ticketId: 'uuid', isFull: 'boolean' },
  sql: `
    SELECT ticket_id AS "ticketId", coalesce(used_capacity >= max_capacity, false) AS "isFull"
    FROM reserved_entry_group_tickets WHERE organization_id = $1 AND reserved_entry_group_id = $2
  `,
});

/** Locks a reserved entry group, and reads its tickets: a reserved place stays one of the group. */
export async function lockGroupTicket(manager: EntityManager, organizationId: string, groupId: string) {
  await LOCK_GROUP.run(manager, [organizationId, groupId]);
  const tickets = await TICKETS.rows(manager, [organizationId, groupId]);
  return {
    /** @throws ApiError 400 if the group does not have the ticket, or no place for it */
    refuse(ticketId: string, holdsPlace: boolean): void {
      const wanted = tickets.find((each) => each.ticketId === ticketId);
      if (!wanted)
        throw refusedFor(
          problem('ticketId', 'TICKET_NOT_FOUND', 'is not a ticket of the reserved entry group'),
        );
      if (holdsPlace && wanted.isFull)
        throw refusedFor(
          problem('ticketId', 'NO_CAPACITY_REMAINING', 'has no place left in the reserved entry group'),
        );
    },
  };
}
