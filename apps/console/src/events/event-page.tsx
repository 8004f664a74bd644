import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { TakenGroup, TakenPlaces, TakenTicket } from '../api';
import { History } from '../history/history';
import { Card, type Column, CopiedId, Page, Table, useDay } from '../pieces';
import { useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { Capacity } from './capacity';
import { EntriesChart } from './chart/entries-chart';
import { DiscountCodes } from './discount-codes';
import { Money } from './money';
import { ReferralPrograms } from './referral-programs';
import { ChangeState, StateBadge, stateOf } from './state';

const OFTEN_MS = 10_000;

/** One occurrence: the capacity of its races, tickets and reserved groups, and its entries by day. */
export function EventPage({ id: occurrenceId }: { id: string }) {
  const { events, participants, partners } = useTexts();
  const { may } = useSession();
  const written = useDay();
  const { data, error } = useGet(
    ['occurrence', occurrenceId],
    '/console/v1/event-occurrences/{id}',
    { path: { id: occurrenceId } },
    { refetchInterval: OFTEN_MS },
  );
  const up = { to: '/events', text: events.title };
  if (!data) return <Page title={participants.event} up={up} error={error} />;
  const capacity = { key: 'capacity', title: events.capacity, width: 'wide' } as const;
  const id = {
    ...({ key: 'id', title: participants.id, width: 'narrow' } as const),
    cell: (row: { id: string }) => <CopiedId id={row.id} />,
  };
  const places = (title: string): Column<TakenPlaces>[] => [
    { title, main: true, cell: (row) => row.title },
    { ...capacity, cell: (row) => <Capacity {...row} /> },
    id,
  ];
  const tickets: Column<TakenTicket>[] = [
    {
      title: participants.ticket,
      main: true,
      cell: (ticket) => (
        <Link
          className="row-link"
          to={`/participants?eventOccurrenceId=${occurrenceId}&ticketId=${ticket.id}`}
        >
          {ticket.title}
        </Link>
      ),
    },
    { title: participants.race, cell: ({ raceTitle }) => raceTitle },
    { title: events.price, number: true, cell: ({ price }) => <Money price={price} /> },
    { ...capacity, cell: (ticket) => <Capacity {...ticket} /> },
    id,
  ];
  const groups: Column<TakenGroup>[] = [
    {
      title: events.group,
      main: true,
      cell: (group) => (
        <Link className="row-link" to={`/partners/groups/${group.id}`}>
          {group.title}
        </Link>
      ),
    },
    { title: partners.partner, cell: ({ partnerName }) => partnerName },
    { ...capacity, cell: (row) => <Capacity {...row} /> },
    id,
  ];
  const { races, reservedGroups, startDate, timeZone } = data;
  const currency = data.tickets.find(({ price }) => price.currencyCode !== 'ZERO')?.price.currencyCode;
  const more = (count: number, { length }: unknown[]) =>
    count > length && <p className="dim">{events.more(count - length)}</p>;
  return (
    <Page
      title={data.title}
      beside={
        <>
          <StateBadge state={stateOf(data)} />
          <span className="dim">{startDate ? written(startDate) : events.undated}</span>
          <CopiedId id={occurrenceId} named />
        </>
      }
      actions={
        may('OWNER', 'MANAGER') && (
          <>
            <ChangeState of={data} />
            <Button renderRoot={(props) => <Link {...props} to={`/events/${occurrenceId}/edit`} />}>
              {participants.edit}
            </Button>
          </>
        )
      }
      up={up}
    >
      <Card title={events.sales}>
        <EntriesChart id={occurrenceId} zone={timeZone} />
      </Card>
      <Card title={events.races}>
        <Table caption={events.races} columns={places(participants.race)} rows={races} />
        {more(data.raceCount, races)}
      </Card>
      <Card title={events.tickets}>
        <Table caption={events.tickets} columns={tickets} rows={data.tickets} />
        {more(data.ticketCount, data.tickets)}
      </Card>
      {reservedGroups.length > 0 && (
        <Card title={partners.groups}>
          <Table caption={partners.groups} columns={groups} rows={reservedGroups} />
          {more(data.reservedGroupCount, reservedGroups)}
        </Card>
      )}
      <DiscountCodes id={occurrenceId} zone={timeZone} currency={currency} />
      <ReferralPrograms id={occurrenceId} />
      <History subject={occurrenceId} zone={timeZone} />
    </Page>
  );
}
