import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Icon } from '../pieces/icons';
import { Badge, Empty, Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { type Column, Pager, Table } from '../pieces/table';
import { useFilters } from '../pieces/use-filters';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { useOccurrences, useTickets } from '../upload/use-occurrences';
import { ExportMenu, ExportProblem, useExport } from './export-participants';
import { type ListedParticipant, listed } from './listed';

const SHORTEST = 2;
const TYPING_MS = 150;
const FILTERS = ['q', 'eventOccurrenceId', 'raceId', 'ticketId', 'status', 'tag'] as const;
const STATUSES = ['CONFIRMED', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];

/** With a search, the matching participants; otherwise all, in pages. */
export function ParticipantsPage() {
  const { participants, number } = useTexts();
  const { api, organizationId, may } = useSession();
  const { filters, cursor, set } = useFilters(FILTERS);
  const { q = '', eventOccurrenceId, raceId, ticketId, status, tag } = filters;
  const [typed, setTyped] = useState(q);
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const occurrences = useOccurrences();
  const titles = new Map(occurrences.map(({ value, title }) => [value, title]));
  const tickets = useTickets(eventOccurrenceId);
  const searching = search.length >= SHORTEST;
  const chosen = { eventOccurrenceId, raceId, ticketId, status: status as Status | undefined, tag };
  const listFilters = { ...chosen, ...(tag && { features: 'tags' }) } as object;
  const exporting = useExport(listFilters);

  const found = useQuery({
    queryKey: [organizationId, 'participants', 'search', search, chosen],
    queryFn: ({ signal }) =>
      api.get('/console/v1/participants', { params: { query: { search, ...chosen } }, signal }),
    enabled: searching,
    placeholderData: keepPreviousData,
  });
  const query = { ...listFilters, ...cursor, 'page[size]': 50 };
  const all = useQuery({
    queryKey: [organizationId, 'participants', 'list', query],
    queryFn: ({ signal }) => api.get('/v0/participants', { params: { query }, signal }),
    enabled: !searching,
    placeholderData: keepPreviousData,
  });
  const error = searching ? found.error : all.error;
  const rows = searching ? found.data?.data : all.data?.data.map(listed);
  const columns: Column<ListedParticipant>[] = [
    {
      key: 'name',
      title: participants.name,
      main: true,
      cell: (person) => (
        <Link className="row-link" to={`/participants/${person.id}`}>
          <PersonName person={person} />
        </Link>
      ),
    },
    {
      key: 'bib',
      title: participants.bib,
      cell: ({ bibNumber }) => bibNumber ?? <span className="dim">–</span>,
    },
    { key: 'email', title: participants.email, cell: ({ email }) => email ?? <span className="dim">–</span> },
    {
      key: 'event',
      title: participants.event,
      cell: ({ eventOccurrenceId: id, eventTitle }) => titles.get(id) ?? eventTitle,
    },
    {
      key: 'ticket',
      title: participants.ticket,
      cell: ({ raceTitle, ticketTitle }) => `${raceTitle}: ${ticketTitle}`,
    },
    { key: 'status', title: participants.status, cell: (person) => <PersonStatus person={person} /> },
  ];
  const none = rows?.length === 0;
  const filtered = searching || Boolean(eventOccurrenceId || raceId || ticketId || status || tag);
  return (
    <Page
      title={participants.title}
      actions={may('OWNER', 'MANAGER') && <ExportMenu exporting={exporting} disabled={searching} />}
    >
      <ExportProblem exporting={exporting} />
      <search className="filters" data-many>
        <TextInput
          className="filters-search"
          type="search"
          aria-label={participants.search}
          placeholder={participants.searchPlaceholder}
          leftSection={<Icon name="search" />}
          value={typed}
          autoFocus
          onChange={({ target }) => {
            setTyped(target.value);
            set({ q: target.value }, { replace: true });
          }}
        />
        <Select
          aria-label={participants.event}
          placeholder={participants.anyEvent}
          searchable
          clearable
          data={occurrences}
          value={eventOccurrenceId ?? null}
          onChange={(value) => set({ eventOccurrenceId: value, raceId: null, ticketId: null })}
        />
        <Select
          aria-label={participants.race}
          placeholder={participants.anyRace}
          searchable
          clearable
          disabled={!eventOccurrenceId}
          data={tickets.races}
          value={raceId ?? null}
          onChange={(value) => set({ raceId: value, ticketId: null })}
        />
        <Select
          aria-label={participants.ticket}
          placeholder={participants.anyTicket}
          searchable
          clearable
          disabled={!eventOccurrenceId}
          data={tickets.list.filter((each) => !raceId || each.raceId === raceId)}
          value={ticketId ?? null}
          onChange={(value) => set({ ticketId: value })}
        />
        <Select
          aria-label={participants.status}
          placeholder={participants.anyStatus}
          clearable
          data={STATUSES.map((value) => ({ value, label: participants.statuses[value] }))}
          value={status ?? null}
          onChange={(value) => set({ status: value })}
        />
        <TagFilter key={tag ?? ''} tag={tag} onChange={(value) => set({ tag: value })} />
      </search>
      {error && <Problem error={error} retry={() => void (searching ? found : all).refetch()} />}
      <p className="only-read" role="status">
        {rows && number(rows.length)}
      </p>
      {none && !error && (
        <Empty title={filtered ? participants.noneFound : participants.none}>
          {filtered ? participants.noneFoundAdvice : participants.noneAdvice}
        </Empty>
      )}
      {!none && !error && (
        <>
          <Table
            caption={participants.title}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            expected={12}
          />
          {searching ? (
            found.data?.hasMore && <p className="dim">{participants.more}</p>
          ) : (
            <Pager page={all.data?.page} stale={all.isPlaceholderData} go={set} />
          )}
        </>
      )}
    </Page>
  );
}

interface TagFilterProps {
  tag?: string;
  onChange(tag: string): void;
}

/** Tags match exactly, so the filter applies when the tag is complete: on Enter or when the field loses focus. */
function TagFilter({ tag = '', onChange }: TagFilterProps) {
  const { participants } = useTexts();
  const [typed, setTyped] = useState(tag);
  const apply = () => typed.trim() !== tag && onChange(typed.trim());
  return (
    <TextInput
      aria-label={participants.tag}
      placeholder={participants.anyTag}
      maxLength={255}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

type Person = Pick<ListedParticipant, 'firstName' | 'lastName' | 'cancelled' | 'gdprRedacted'>;

export function PersonName({ person: { firstName, lastName } }: { person: Person }) {
  const { participants } = useTexts();
  return firstName || lastName ? `${firstName ?? ''} ${lastName ?? ''}`.trim() : participants.nameless;
}

export function PersonStatus({ person: { cancelled, gdprRedacted } }: { person: Person }) {
  const { participants } = useTexts();
  if (gdprRedacted) return <Badge>{participants.redacted}</Badge>;
  return cancelled ? (
    <Badge tone="bad">{participants.cancelled}</Badge>
  ) : (
    <Badge tone="good">{participants.active}</Badge>
  );
}
