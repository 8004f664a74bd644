import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { StaffOccurrence } from '../api';
import { type Column, Empty, List, Page, SearchField, useDay, useFilters } from '../pieces';
import { useList, useSession } from '../session';
import { useTexts } from '../texts';
import { StateBadge, stateOf } from './state';

export function EventsPage() {
  const { events, newEvent, participants } = useTexts();
  const { may } = useSession();
  const { filters, cursor, set } = useFilters(['search'] as const);
  const written = useDay();
  const query = { ...filters, ...cursor, 'page[size]': 50 };
  const list = useList(['occurrences', query], '/console/v1/event-occurrences', { query });
  const columns: Column<StaffOccurrence>[] = [
    {
      title: participants.event,
      main: true,
      cell: ({ id, title }) => (
        <Link className="row-link" to={`/events/${id}`}>
          {title}
        </Link>
      ),
    },
    {
      title: events.date,
      cell: ({ startDate }) =>
        startDate ? written(startDate) : <span className="dim">{events.undated}</span>,
    },
    { title: events.status, cell: (occurrence) => <StateBadge state={stateOf(occurrence)} /> },
    { title: events.place, cell: ({ city }) => city },
  ];
  const actions = may('OWNER', 'MANAGER') && (
    <Button renderRoot={(props) => <Link {...props} to="/events/new" />}>{newEvent.title}</Button>
  );
  return (
    <Page title={events.title} actions={actions}>
      <search className="filters">
        <SearchField label={events.search} value={filters.search} set={set} />
      </search>
      <List
        of={list}
        caption={events.title}
        columns={columns}
        expected={10}
        go={set}
        empty={
          <Empty title={filters.search ? events.noneFound : events.none} action={!filters.search && actions}>
            {filters.search ? events.noneFoundAdvice : events.noneAdvice}
          </Empty>
        }
      />
    </Page>
  );
}
