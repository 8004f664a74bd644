import { Button, Group, Select, TextInput } from '@mantine/core';
import { createContext, memo, useContext, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ListedParticipant as Row } from '../api';
import {
  Badge,
  CopiedId,
  Empty,
  type Order,
  Page,
  Pager,
  Problem,
  RowBox,
  readOrder,
  SearchField,
  Table,
  Time,
  useColumns,
  useDay,
  useFilters,
  writtenOrder,
} from '../pieces';
import { useList, useSession } from '../session';
import { useTexts } from '../texts';
import { type Choice, useOccurrences, useTickets } from '../upload/use-occurrences';
import { AddParticipant } from './edit/add-participant';
import { ExportMenu, ExportProblem, useExport } from './export-participants';
import { ChangeProgress } from './several/change-progress';
import { ChangeSeveral } from './several/change-several';
import { type Change, SelectionBar } from './several/selection-bar';
import { type Selection, useSelection } from './several/use-selection';

const SHORTEST = 2;
const FILTERS = ['q', 'eventOccurrenceId', 'raceId', 'ticketId', 'status', 'tag', 'job', 'sort'] as const;
const STATUSES = ['CONFIRMED', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];

export function ParticipantsPage() {
  const { participants, persons, desk } = useTexts();
  const day = useDay();
  const { may } = useSession();
  const { filters, cursor, set } = useFilters(FILTERS);
  const { q: search = '', eventOccurrenceId, raceId, ticketId, status, tag, job, sort } = filters;
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Change>();
  const occurrences = useOccurrences();
  const titles = new Map(occurrences.map(({ value, title }) => [value, title]));
  const { tickets, races } = useTickets(eventOccurrenceId);
  const ofRace = useMemo(
    () => tickets.filter((each) => !raceId || each.raceId === raceId),
    [tickets, raceId],
  );
  const statuses = useMemo(
    () => STATUSES.map((value) => ({ value, label: participants.statuses[value] })),
    [participants],
  );
  const searching = search.length >= SHORTEST;
  const chosen = { eventOccurrenceId, raceId, ticketId, status: status as Status | undefined, tag };
  const listFilters = { ...chosen, ...(tag && { features: 'tags' }) } as object;

  const ofEvent = Boolean(eventOccurrenceId || raceId);
  const order = orderOf(sort, ofEvent);
  const query = {
    ...(searching && { search }),
    ...chosen,
    ...cursor,
    [`sort[${order.by}]`]: order.up ? '1' : '-1',
  };
  const { data, error, isPlaceholderData, refetch } = useList(
    ['participants', 'list', query],
    '/console/v1/participants',
    { query },
  );
  const rows = data?.data;
  const writes = may('OWNER', 'MANAGER');
  const matching = searching ? undefined : data?.page.totalResults;
  const selection = useSelection(JSON.stringify([search, chosen]));
  const exporting = useExport(
    listFilters,
    selection.all || selection.ids.size === 0 ? undefined : [...selection.ids],
  );
  const selected = selection.all ? (matching ?? 0) : selection.ids.size;
  const chosenEvents = new Set(
    (rows ?? []).filter(({ id }) => selection.ids.has(id)).map((each) => each.eventOccurrenceId),
  );
  // The time by which the list is sorted, or else that of the registration.
  const time = order.by === 'updatedAt' ? 'updatedAt' : 'createdAt';
  const by = (name: SortName, title: string) => ({ sorts: [{ by: name, title }] });
  const { shown, choose } = useColumns<Row>('participants', [
    {
      key: 'name',
      title: participants.name,
      ...by('name', participants.name),
      main: true,
      cell: (person) => (
        <Group gap={10} wrap="nowrap">
          {writes && <SelectBox person={person} />}
          <Link className="row-link" to={`/participants/${person.id}`}>
            <PersonName person={person} />
          </Link>
        </Group>
      ),
    },
    {
      key: 'bib',
      title: participants.bib,
      ...by('bib', participants.bib),
      width: 'narrow',
      cell: ({ bibNumber }) => bibNumber,
    },
    { key: 'email', title: participants.email, cell: ({ email }) => email },
    {
      key: 'dateOfBirth',
      title: participants.fields.dateOfBirth,
      shown: false,
      width: 'narrow',
      cell: ({ dateOfBirth }) => dateOfBirth && day(dateOfBirth),
    },
    {
      key: 'event',
      title: participants.event,
      shown: !ofEvent,
      cell: ({ eventOccurrenceId: id, eventTitle }) => titles.get(id) ?? eventTitle,
    },
    {
      key: 'ticket',
      title: participants.ticket,
      cell: ({ raceTitle, ticketTitle }) => `${raceTitle}: ${ticketTitle}`,
    },
    {
      key: 'wave',
      title: participants.wave,
      shown: ofEvent,
      ...(ofEvent && by('wave', participants.wave)),
      width: 'narrow',
      cell: ({ waveTitle }) => waveTitle,
    },
    {
      key: 'status',
      title: participants.status,
      width: 'narrow',
      cell: (person) => <PersonStatus person={person} />,
    },
    {
      key: 'checkIn',
      title: participants.checkIn,
      shown: false,
      width: 'narrow',
      cell: ({ checkIn }) => checkIn === true && <Badge tone="good">{participants.checkIn}</Badge>,
    },
    {
      key: 'parcel',
      title: desk.parcel,
      shown: false,
      width: 'narrow',
      cell: ({ shippingStatus }) => shippingStatus && desk.parcelStates[shippingStatus],
    },
    {
      key: 'tracking',
      title: desk.trackingNumber,
      shown: false,
      cell: ({ trackingNumber }) => trackingNumber,
    },
    {
      key: 'time',
      title: participants[time],
      width: 'wide',
      sorts: TIMES.map((by) => ({ by, title: participants[by], down: true })),
      cell: ({ [time]: at }) => <Time at={at} />,
    },
    {
      key: 'id',
      title: participants.id,
      shown: false,
      width: 'narrow',
      cell: ({ id }) => <CopiedId id={id} />,
    },
  ]);
  const filter = (name: keyof typeof NARROWER) => ({ name, value: filters[name], set });
  const none = rows?.length === 0;
  const filtered = searching || Boolean(eventOccurrenceId || raceId || ticketId || status || tag);
  return (
    <Page
      title={participants.title}
      beside={
        <span className="dim" role="status">
          {data && participants.count(data.page.totalResults)}
        </span>
      }
      actions={
        writes && (
          <>
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/participants/person" />}>
              {persons.link}
            </Button>
            <ExportMenu
              exporting={exporting}
              disabled={searching && selection.ids.size === 0}
              count={selection.ids.size}
            />
            <Button onClick={() => setAdding(true)}>{participants.add}</Button>
          </>
        )
      }
    >
      {changing && selected > 0 && (
        <ChangeSeveral
          change={changing}
          count={selected}
          participantIds={selection.all ? undefined : [...selection.ids]}
          filters={chosen}
          eventOccurrenceId={
            eventOccurrenceId ?? (chosenEvents.size === 1 ? [...chosenEvents][0] : undefined)
          }
          onStarted={(jobId) => {
            selection.clear();
            set({ job: jobId });
          }}
          onClose={() => setChanging(undefined)}
        />
      )}
      {adding && <AddParticipant eventOccurrenceId={eventOccurrenceId} onClose={() => setAdding(false)} />}
      <ExportProblem exporting={exporting} />
      <search className="filters" data-many>
        <SearchField
          label={participants.search}
          placeholder={participants.searchPlaceholder}
          value={search}
          min={SHORTEST}
          autoFocus
          name="q"
          set={set}
        />
        <Filter
          {...filter('eventOccurrenceId')}
          label={participants.event}
          any={participants.anyEvent}
          data={occurrences}
        />
        <Filter
          {...filter('raceId')}
          label={participants.race}
          any={participants.anyRace}
          disabled={!eventOccurrenceId}
          data={races}
        />
        <Filter
          {...filter('ticketId')}
          label={participants.ticket}
          any={participants.anyTicket}
          disabled={!eventOccurrenceId}
          data={ofRace}
        />
        <Filter
          {...filter('status')}
          label={participants.status}
          any={participants.anyStatus}
          data={statuses}
        />
        <TagFilter key={tag ?? ''} tag={tag} onChange={(value) => set({ tag: value })} />
      </search>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {none && !error && (
        <Empty title={filtered ? participants.noneFound : participants.none}>
          {filtered ? participants.noneFoundAdvice : participants.noneAdvice}
        </Empty>
      )}
      {job && writes && <ChangeProgress key={job} jobId={job} show={(next) => set({ job: next })} />}
      {!none && !error && (
        <>
          <Group justify="flex-end" gap="6px 14px">
            {writes && rows && (
              <SelectionBar
                selection={selection}
                page={rows.map(({ id }) => id)}
                matching={matching}
                count={selected}
                onChange={setChanging}
              />
            )}
            {choose}
          </Group>
          <Selected value={selection}>
            <Table
              caption={participants.title}
              columns={shown}
              dense
              rows={rows}
              expected={12}
              order={order}
              onOrder={(next) => set({ sort: writtenOrder(next) })}
            />
          </Selected>
          <Pager page={data?.page} stale={isPlaceholderData} go={set} />
        </>
      )}
    </Page>
  );
}

const TIMES = ['createdAt', 'updatedAt'] as const;
const SORTS = ['name', 'bib', 'wave', ...TIMES] as const;
type SortName = (typeof SORTS)[number];

/** The order in the address, if the list can have it: the newest first by default. Only participants of an event are sorted by wave. */
const orderOf = (sort: string | undefined, ofEvent: boolean): Order & { by: SortName } => {
  const { by: name, up } = readOrder(sort ?? '');
  const by = SORTS.find((each) => each === name && (each !== 'wave' || ofEvent));
  return by ? { by, up } : { by: 'createdAt', up: false };
};

/** Rows render late (`Table`); what is selected must show at once. */
const Selected = createContext<Selection | undefined>(undefined);

function SelectBox({ person: { id, firstName, lastName } }: { person: Row }) {
  const { participants } = useTexts();
  const selection = useContext(Selected);
  return (
    <RowBox
      label={participants.several.select([firstName, lastName].filter(Boolean).join(' ') || id)}
      checked={Boolean(selection?.all || selection?.ids.has(id))}
      disabled={selection?.all}
      onToggle={() => selection?.toggle(id)}
    />
  );
}

/** What no longer fits when a filter changes. */
const NARROWER = {
  eventOccurrenceId: { raceId: null, ticketId: null },
  raceId: { ticketId: null },
  ticketId: {},
  status: {},
} as const;

interface FilterProps {
  name: keyof typeof NARROWER;
  label: string;
  /** What it says while nothing is chosen. */
  any: string;
  data: Choice[];
  value: string | undefined;
  disabled?: boolean;
  set(changes: Partial<Record<keyof typeof NARROWER, string | null>>): void;
}

/** Renders only if it changes itself: a choice in one of them is shown before the list is. */
const Filter = memo(function Filter({ name, label, any, data, value, disabled, set }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      searchable={name !== 'status'}
      clearable
      disabled={disabled}
      data={data}
      limit={100}
      value={value ?? null}
      onChange={(chosen) => set({ ...NARROWER[name], [name]: chosen })}
    />
  );
});

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

type Person = Pick<Row, 'firstName' | 'lastName' | 'cancelled' | 'gdprRedacted'>;

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
