import { Link } from 'wouter';
import type { StaffGroup } from '../api';
import { Capacity } from '../events/capacity';
import { type Column, Empty, List, Page, SearchField, Tabs, Time, useFilters } from '../pieces';
import { useList } from '../session';
import { useTexts } from '../texts';
import { OccurrenceFilter } from './occurrence-filter';

export function GroupsPage() {
  const { partners, applications } = useTexts();
  const { filters, cursor, set } = useFilters(['search', 'eventOccurrenceId', 'partnerId'] as const);
  const query = { ...filters, ...cursor, 'page[size]': 50 };
  const list = useList(['groups', query], '/console/v1/reserved-entry-groups', { query });
  const filtered = Object.values(filters).some(Boolean);
  return (
    <Page title={partners.groups}>
      <Tabs of="partners" />
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

/** The columns of a list of reserved groups. */
export function useGroupColumns(): Column<StaffGroup>[] {
  const { partners, events, number, participants } = useTexts();
  return [
    {
      title: events.group,
      main: true,
      cell: ({ id, name, code }) => (
        <>
          <Link className="row-link" to={`/partners/groups/${id}`}>
            {name}
          </Link>
          <br />
          <code className="dim">{code}</code>
        </>
      ),
    },
    {
      title: partners.partner,
      cell: ({ partnerId, partnerName }) =>
        partnerId && <Link to={`/partners/${partnerId}`}>{partnerName}</Link>,
    },
    { title: participants.event, cell: ({ eventTitle }) => eventTitle },
    { title: partners.places, width: 'wide', cell: (group) => <Capacity {...group} /> },
    {
      title: partners.free,
      number: true,
      cell: ({ maxCapacity, usedCapacity }) => number(Math.max(0, maxCapacity - usedCapacity)),
    },
    { title: partners.deadline, cell: ({ deadline, timeZone }) => <Time at={deadline} zone={timeZone} /> },
  ];
}
