import { Button, Group } from '@mantine/core';
import { createContext, useContext, useMemo, useState } from 'react';
import { Link } from 'wouter';
import {
  Badge,
  type ChoosableColumn,
  CopiedId,
  Dash,
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
import { useOccurrences, useTickets } from '../upload/use-occurrences';
import { AddParticipant } from './edit/add-participant';
import { ExportMenu, ExportProblem, useExport } from './export-participants';
import { Filter, type FilterName, TagFilter } from './filters';
import type { Listed, ListedByPartner } from './listed';
import { PersonName, PersonStatus } from './person';
import { ChangeProgress } from './several/change-progress';
import { ChangeSeveral } from './several/change-several';
import { type Change, SelectionBar } from './several/selection-bar';
import { type Selection, useSelection } from './several/use-selection';
import { useParticipantsOfPartner } from './use-participants-of-partner';
import { useWords } from './use-words';

const SHORTEST = 2;
const FILTERS = ['q', 'eventOccurrenceId', 'raceId', 'ticketId', 'status', 'tag', 'job', 'sort'] as const;
type Status = 'CONFIRMED' | 'CANCELLED';
type Row = Listed & Partial<ListedByPartner>;

/** Columns that only staff have, and only members of partners. */
const OF_STAFF = ['status', 'checkIn', 'parcel', 'tracking', 'id'];
const OF_PARTNERS = ['group', 'missing'];

export function ParticipantsPage() {
  const { persons, desk, partner } = useTexts();
  const participants = useWords();
  const day = useDay();
  const { may, me } = useSession();
  const ofPartner = me.partner !== null;
  const { filters, cursor, set } = useFilters(FILTERS);
  const { q: search = '', eventOccurrenceId, raceId, ticketId, status, tag, job, sort } = filters;
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Change>();
  const occurrences = useOccurrences();
  const titles = new Map(occurrences.map(({ value, title }) => [value, title]));
  const { tickets, races } = useTickets(ofPartner ? undefined : eventOccurrenceId);
  const ofRace = useMemo(
    () => tickets.filter((each) => !raceId || each.raceId === raceId),
    [tickets, raceId],
  );
  const statuses = useMemo(() => {
    const words = ofPartner ? partner.states : participants.statuses;
    return Object.entries(words).map(([value, label]) => ({ value, label }));
  }, [ofPartner, partner, participants]);
  const searching = search.length >= SHORTEST;
  const chosen = { eventOccurrenceId, raceId, ticketId, status: status as Status | undefined, tag };
  const listFilters = { ...chosen, ...(tag && { features: 'tags' }) } as object;

  const ofEvent = Boolean(eventOccurrenceId || raceId);
  const order = orderOf(sort, ofEvent) ?? (ofPartner ? BY_NAME : NEWEST);
  const query = {
    ...(searching && { search }),
    ...chosen,
    ...cursor,
    [`sort[${order.by}]`]: order.up ? '1' : '-1',
  };
  const list = useList(
    ['participants', 'list', query],
    '/console/v1/participants',
    { query },
    { enabled: !ofPartner },
  );
  const own = useParticipantsOfPartner(filters, order, cursor);
  const { data, error, isPlaceholderData, refetch } = ofPartner ? own : list;
  const rows: Row[] | undefined = data?.data;
  const writes = may('OWNER', 'MANAGER');
  const matching = searching ? undefined : data?.page.totalResults;
  const selection = useSelection(JSON.stringify([search, chosen]));
  const exporting = useExport(
    ofPartner ? { eventOccurrenceId, ...(status === 'cancelled' && { status: 'CANCELLED' }) } : listFilters,
    selection.all || selection.ids.size === 0 ? undefined : [...selection.ids],
  );
  const selected = selection.all ? (matching ?? 0) : selection.ids.size;
  const chosenEvents = new Set(
    (rows ?? []).filter(({ id }) => selection.ids.has(id)).map((each) => each.eventOccurrenceId),
  );
  // The time by which the list is sorted, or else that of the registration.
  const time = order.by === 'updatedAt' ? 'updatedAt' : 'createdAt';
  const by = (name: SortName, title: string) => ({ sorts: [{ by: name, title }] });
  const columns: ChoosableColumn<Row>[] = [
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
      key: 'group',
      title: participants.group,
      cell: (person) => (
        <>
          {person.group}
          {person.partner !== me.partner?.name && <span className="dim"> {person.partner}</span>}
        </>
      ),
    },
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
    { key: 'missing', title: partner.missing, cell: (person) => <Missing person={person} /> },
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
      shown: !ofPartner,
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
  ];
  const { shown, choose } = useColumns(
    'participants',
    columns.filter(({ key }) => !(ofPartner ? OF_STAFF : OF_PARTNERS).includes(key)),
  );
  const filter = (name: FilterName) => ({ name, value: filters[name], set });
  const none = rows?.length === 0;
  const filtered = Boolean(search || eventOccurrenceId || raceId || ticketId || status || tag);
  return (
    <Page
      title={participants.title}
      beside={
        <>
          <span className="dim" role="status">
            {data && participants.count(data.page.totalResults)}
          </span>
          {own.open > 0 && <Badge tone="warn">{partner.incomplete(own.open)}</Badge>}
        </>
      }
      actions={
        <>
          {writes && (
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/participants/person" />}>
              {persons.link}
            </Button>
          )}
          {(writes || ofPartner) && (
            <ExportMenu
              exporting={exporting}
              disabled={
                ofPartner
                  ? search !== '' || (status !== undefined && status !== 'cancelled')
                  : searching && selection.ids.size === 0
              }
              count={selection.ids.size}
            />
          )}
          {writes && <Button onClick={() => setAdding(true)}>{participants.add}</Button>}
        </>
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
      <search className="filters" data-many={!ofPartner || undefined}>
        <SearchField
          label={participants.search}
          placeholder={participants.searchPlaceholder}
          value={search}
          min={ofPartner ? 1 : SHORTEST}
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
        {!ofPartner && (
          <>
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
          </>
        )}
        <Filter
          {...filter('status')}
          label={participants.status}
          any={participants.anyStatus}
          data={statuses}
        />
        {!ofPartner && <TagFilter key={tag ?? ''} tag={tag} onChange={(value) => set({ tag: value })} />}
      </search>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {own.total > own.read && <p className="notice">{partner.tooMany(own.read, own.total)}</p>}
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
              dense={!ofPartner}
              rows={rows}
              stale={isPlaceholderData}
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

type SortOrder = Order & { by: SortName };
const NEWEST: SortOrder = { by: 'createdAt', up: false };
const BY_NAME: SortOrder = { by: 'name', up: true };

/** The order in the address, if the list can have it. Only participants of an event are sorted by wave. */
const orderOf = (sort: string | undefined, ofEvent: boolean): SortOrder | undefined => {
  const { by: name, up } = readOrder(sort ?? '');
  const by = SORTS.find((each) => each === name && (each !== 'wave' || ofEvent));
  return by && { by, up };
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

const NAMED = 2;

function Missing({ person }: { person: Row }) {
  const { partner } = useTexts();
  const { state, missing = [] } = person;
  if (person.cancelled || person.gdprRedacted) return <PersonStatus person={person} />;
  if (state === undefined) return <Dash />;
  if (missing.length === 0) return <Badge tone="good">{partner.states.complete}</Badge>;
  const named = missing.slice(0, NAMED).join(', ');
  return (
    <span className="missing" title={missing.join('\n')}>
      <Badge tone="warn">{missing.length}</Badge>{' '}
      {missing.length > NAMED ? partner.andMore(named, missing.length - NAMED) : named}
    </span>
  );
}
