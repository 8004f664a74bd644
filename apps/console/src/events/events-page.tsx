import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Icon } from '../pieces/icons';
import { List } from '../pieces/list';
import { Empty, Page } from '../pieces/page';
import type { Column } from '../pieces/table';
import { useDay } from '../pieces/time';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

interface Occurrence {
  id: string;
  title: string;
  startDate?: string | null;
  location?: { address?: { city?: string | null } | null } | null;
}

export function EventsPage() {
  const { events } = useTexts();
  const { api, organizationId } = useSession();
  const [typed, setTyped] = useState('');
  const written = useDay();
  const list = useQuery({
    queryKey: [organizationId, 'occurrences'],
    queryFn: ({ signal }) =>
      api.get('/v0/event-occurrences', { params: { query: { 'page[size]': 100 } }, signal }),
    placeholderData: keepPreviousData,
  });
  const words = typed.trim().toLowerCase();
  const rows = (list.data?.data as Occurrence[] | undefined)
    ?.filter(({ title }) => title.toLowerCase().includes(words))
    .sort((a, b) => (b.startDate ?? '').localeCompare(a.startDate ?? ''));
  const columns: Column<Occurrence>[] = [
    {
      key: 'title',
      title: events.event,
      main: true,
      cell: ({ id, title }) => (
        <Link className="row-link" to={`/events/${id}`}>
          {title}
        </Link>
      ),
    },
    {
      key: 'date',
      title: events.date,
      cell: ({ startDate }) =>
        startDate ? written(startDate) : <span className="dim">{events.undated}</span>,
    },
    {
      key: 'city',
      title: events.place,
      cell: ({ location }) => location?.address?.city ?? <span className="dim">–</span>,
    },
  ];
  return (
    <Page title={events.title}>
      <div className="filters">
        <TextInput
          className="filters-search"
          type="search"
          aria-label={events.search}
          placeholder={events.search}
          leftSection={<Icon name="search" />}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <List
        of={{ ...list, data: rows && { data: rows } }}
        caption={events.title}
        columns={columns}
        keyOf={({ id }) => id}
        expected={10}
        empty={
          <Empty title={words ? events.noneFound : events.none}>
            {words ? events.noneFoundAdvice : events.noneAdvice}
          </Empty>
        }
      />
    </Page>
  );
}
