import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { TakenPlaces, TakenTicket } from '../api';
import { Card, Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { type Column, Table } from '../pieces/table';
import { useDay } from '../pieces/time';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { Capacity } from './capacity';
import { DiscountCodes } from './discount-codes';
import { Money } from './money';
import { ReferralPrograms } from './referral-programs';
import { Sales } from './sales';

const OFTEN_MS = 10_000;

/** One occurrence: the capacity of its races, tickets and reserved groups, and its entries by day. */
export function EventPage({ id }: { id: string }) {
  const { events, shell, participants } = useTexts();
  const { api, organizationId } = useSession();
  const written = useDay();
  const { data, error } = useQuery({
    queryKey: [organizationId, 'occurrence', id],
    queryFn: ({ signal }) =>
      api.get('/console/v1/event-occurrences/{id}', { params: { path: { id } }, signal }),
    refetchInterval: OFTEN_MS,
  });
  const up = { to: '/events', text: shell.events };
  if (!data) {
    return (
      <Page title={events.event} up={up}>
        {error && <Problem error={error} />}
      </Page>
    );
  }
  const capacity = { key: 'capacity', title: events.capacity, width: 'wide' } as const;
  const places = (title: string): Column<TakenPlaces>[] => [
    { key: 'title', title, main: true, cell: (row) => row.title },
    { ...capacity, cell: (row) => <Capacity {...row} /> },
  ];
  const tickets: Column<TakenTicket>[] = [
    {
      key: 'title',
      title: participants.ticket,
      main: true,
      cell: (ticket) => (
        <Link className="row-link" to={`/participants?eventOccurrenceId=${id}&ticketId=${ticket.id}`}>
          {ticket.title}
        </Link>
      ),
    },
    { key: 'race', title: participants.race, cell: ({ raceTitle }) => raceTitle },
    { key: 'price', title: events.price, number: true, cell: ({ price }) => <Money price={price} /> },
    { ...capacity, cell: (ticket) => <Capacity {...ticket} /> },
  ];
  const { races, reservedGroups, sales, startDate, timeZone } = data;
  const more = (count: number, { length }: unknown[]) =>
    count > length && <p className="dim">{events.more(count - length)}</p>;
  return (
    <Page
      title={data.title}
      beside={<span className="dim">{startDate ? written(startDate) : events.undated}</span>}
      up={up}
    >
      <Card title={events.sales}>
        <Sales sales={sales} zone={timeZone} />
      </Card>
      <Card title={events.races}>
        <Table
          caption={events.races}
          columns={places(participants.race)}
          rows={races}
          keyOf={(row) => row.id}
        />
        {more(data.raceCount, races)}
      </Card>
      <Card title={events.tickets}>
        <Table caption={events.tickets} columns={tickets} rows={data.tickets} keyOf={(row) => row.id} />
        {more(data.ticketCount, data.tickets)}
      </Card>
      {reservedGroups.length > 0 && (
        <Card title={events.groups}>
          <Table
            caption={events.groups}
            columns={places(events.group)}
            rows={reservedGroups}
            keyOf={(row) => row.id}
          />
          {more(data.reservedGroupCount, reservedGroups)}
        </Card>
      )}
      <DiscountCodes id={id} zone={timeZone} />
      <ReferralPrograms id={id} />
    </Page>
  );
}
