import { useQuery, useQueryClient } from '@tanstack/react-query';
import { changeOccurrence, type OccurrenceRecord, type Row } from '../../events/write-catalogue';
import { pagesOf, useSession } from '../../session';
import { useTexts } from '../../texts';
import { RaiseForm } from './raise-form';
import type { RemedyProps } from './remedy-props';

type Groups = NonNullable<OccurrenceRecord['reservedEntryGroups']>;

/** For each group without places: the capacity that its rows need. A ticket's own limit in the group is raised with it. */
export function RaiseCapacity({ rows, fields }: RemedyProps) {
  const wanted = new Map<string, Map<string, number>>();
  for (const { cells } of rows) {
    const { reservedEntryGroupId: group = '', ticketSlug = '' } = cells;
    const bySlug = wanted.get(group) ?? new Map<string, number>();
    wanted.set(group, bySlug.set(ticketSlug, (bySlug.get(ticketSlug) ?? 0) + 1));
  }
  return [...wanted].map(([id, bySlug]) => {
    const found = fields.lookups.reservedEntryGroupId?.find((each) => each.id === id);
    if (!found?.of) return null;
    return <Raise key={id} id={id} name={found.names[0] ?? id} occurrenceId={found.of} wanted={bySlug} />;
  });
}

interface RaiseProps {
  id: string;
  name: string;
  occurrenceId: string;
  /** Rows by the slug of their ticket. */
  wanted: Map<string, number>;
}

function Raise({ id, name, occurrenceId, wanted }: RaiseProps) {
  const { rows: texts } = useTexts();
  const { api, organizationId } = useSession();
  const queries = useQueryClient();
  const key = [organizationId, 'group-capacity', id];
  const { data: group } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const params = { path: { id: occurrenceId }, query: { 'page[size]': 500 } };
      const path = '/v0/event-occurrences/{id}/reserved-entries';
      for await (const { data } of pagesOf(api, path, params, signal)) {
        const found = data.find((each) => each.id === id);
        if (found) return found;
      }
      // Undefined would be an error of react-query.
      return null;
    },
  });
  if (!group) return null;
  const { usedCapacity, maxCapacity } = group;
  const missing = [...wanted.values()].reduce((sum, count) => sum + count, 0);
  return (
    <RaiseForm
      label={texts.capacityOf(name)}
      description={texts.capacityUsed(usedCapacity, maxCapacity, missing)}
      limit={maxCapacity}
      needed={usedCapacity + missing}
      raise={async (capacity) => {
        await changeOccurrence(api, occurrenceId, (now) => ({
          ...now,
          reservedEntryGroups: now.reservedEntryGroups?.map((each) =>
            each.id === id ? raised(each, capacity, wanted) : each,
          ),
        }));
        await queries.invalidateQueries({ queryKey: key });
      }}
    />
  );
}

/** A ticket with a limit of its own gets as many places more as rows name it. */
function raised(group: Groups[number], maxCapacity: number, wanted: Map<string, number>): Groups[number] {
  const tickets = group.tickets as (Row & { ticketSlug: string; maxCapacity?: number | null })[] | undefined;
  return {
    ...group,
    maxCapacity,
    ...(tickets && {
      tickets: tickets.map((ticket) =>
        ticket.maxCapacity == null
          ? ticket
          : { ...ticket, maxCapacity: ticket.maxCapacity + (wanted.get(ticket.ticketSlug) ?? 0) },
      ),
    }),
  };
}
