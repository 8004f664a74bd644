import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { StaffGroup } from '../api';
import { Capacity } from '../events/capacity';
import { AssignPlace } from '../partner/assign-place';
import { SubPartners } from '../partner/sub-partners';
import { freeOf, isOver, type Places, usePlacesByEvent } from '../partner/use-places';
import { Badge, type Column, Empty, List, Page, SearchField, Time, useDay, useFilters } from '../pieces';
import { useList, useSession } from '../session';
import { useTexts } from '../texts';
import { OccurrenceFilter } from './occurrence-filter';

/** Reserved groups: for staff all, and for members of a partner, whose home it is, theirs. */
export function GroupsPage() {
  const { me } = useSession();
  return me.partner ? <PlacesOfPartner name={me.partner.name} /> : <AllGroups />;
}

function AllGroups() {
  const { partners, applications } = useTexts();
  const { filters, cursor, set } = useFilters(['search', 'eventOccurrenceId', 'partnerId'] as const);
  const query = { ...filters, ...cursor, 'page[size]': 50 };
  const list = useList(['groups', query], '/console/v1/reserved-entry-groups', { query });
  const filtered = Object.values(filters).some(Boolean);
  return (
    <Page section="partners">
      <search className="filters">
        <SearchField label={partners.searchGroups} value={filters.search} set={set} />
        <OccurrenceFilter
          value={filters.eventOccurrenceId}
          onChange={(eventOccurrenceId) => set({ eventOccurrenceId })}
        />
      </search>
      <List
        of={list}
        caption={partners.groups}
        columns={useGroupColumns()}
        go={set}
        empty={
          <Empty title={filtered ? partners.noGroupsFound : partners.noGroups}>
            {filtered ? applications.noneFoundAdvice : partners.noGroupsAdvice}
          </Empty>
        }
      />
    </Page>
  );
}

function PlacesOfPartner({ name }: { name: string }) {
  const { partner, partners } = useTexts();
  const [showsPast, setShowsPast] = useState(false);
  const [assignedId, setAssigned] = useState<string>();
  const { places, pastEvents, error } = usePlacesByEvent(showsPast);
  const assigned = places?.find(({ id }) => id === assignedId);
  return (
    <Page
      title={partners.places}
      beside={<span className="dim">{name}</span>}
      actions={
        <Button component={Link} to="/places/file">
          {partner.assignFile}
        </Button>
      }
    >
      <List
        of={{ data: places && { data: places }, error, isPlaceholderData: false }}
        caption={partners.groups}
        columns={useGroupColumns(setAssigned)}
        expected={2}
        empty={pastEvents === 0 ? <Empty title={partner.noPlaces}>{partner.noPlacesAdvice}</Empty> : null}
      />
      {!showsPast && pastEvents > 0 && (
        <Button mr="auto" variant="subtle" onClick={() => setShowsPast(true)}>
          {partner.pastEvents(pastEvents)}
        </Button>
      )}
      <SubPartners />
      {assigned && (
        <AssignPlace places={places ?? []} chosen={assigned} onClose={() => setAssigned(undefined)} />
      )}
    </Page>
  );
}

/** What only one of them sees is optional. */
type Group = Omit<StaffGroup, 'url' | 'timeZone' | 'createdAt'> & { timeZone?: string } & Partial<
    Pick<Places, 'tickets' | 'startDate'>
  >;

/** The columns of a list of reserved groups. Members of a partner assign their places. */
export function useGroupColumns(onAssign?: (id: string) => void): Column<Group>[] {
  const { partner, partners, events, number, participants } = useTexts();
  const { me } = useSession();
  const day = useDay();
  const columns: (Column<Group> | false)[] = [
    {
      title: events.group,
      main: true,
      cell: ({ id, name, code, partnerId, partnerName }) =>
        onAssign ? (
          <>
            <strong>{name}</strong>
            {partnerId !== me.partner?.id && <div className="dim">{partnerName}</div>}
          </>
        ) : (
          <>
            <Link className="row-link" to={`/partners/groups/${id}`}>
              {name}
            </Link>
            <br />
            <code className="dim">{code}</code>
          </>
        ),
    },
    !onAssign && {
      title: partners.partner,
      cell: ({ partnerId, partnerName }) =>
        partnerId && <Link to={`/partners/${partnerId}`}>{partnerName}</Link>,
    },
    {
      title: participants.event,
      cell: ({ eventTitle, startDate }) => (
        <>
          {eventTitle}
          {startDate && <div className="dim">{day(startDate)}</div>}
        </>
      ),
    },
    onAssign !== undefined && {
      title: participants.ticket,
      cell: ({ tickets }) =>
        tickets?.map(({ id, raceTitle, title }) => <div key={id}>{`${raceTitle}: ${title}`}</div>),
    },
    {
      title: partners.places,
      width: onAssign ? undefined : 'wide',
      cell: (group) => (
        <>
          <Capacity {...group} />
          {onAssign && (
            <Link to={`/participants?eventOccurrenceId=${group.eventOccurrenceId}`}>
              {partner.showParticipants}
            </Link>
          )}
        </>
      ),
    },
    { title: partners.free, number: true, cell: (group) => number(freeOf(group)) },
    {
      title: onAssign ? partner.deadline : partners.deadline,
      cell: (group) =>
        onAssign && isOver(group) ? (
          <Badge>{partner.closed}</Badge>
        ) : (
          <Time at={group.deadline} zone={group.timeZone} />
        ),
    },
    onAssign !== undefined && {
      title: partner.assign,
      number: true,
      cell: (group) => (
        <Button
          size="xs"
          variant="default"
          aria-label={partner.assignIn(group.name)}
          disabled={isOver(group) || freeOf(group) === 0}
          onClick={() => onAssign(group.id)}
        >
          {partner.assign}
        </Button>
      ),
    },
  ];
  return columns.filter((column) => column !== false);
}
