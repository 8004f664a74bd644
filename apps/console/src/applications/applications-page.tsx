import { Checkbox, Group, Select } from '@mantine/core';
import { createContext, useContext, useState } from 'react';
import { Link } from 'wouter';
import type { StaffEntry } from '../api';
import { PersonName } from '../participants/person';
import { OccurrenceFilter } from '../partners/occurrence-filter';
import { type Column, Empty, List, Page, RowBox, SearchField, useFilters } from '../pieces';
import { useList, useSession } from '../session';
import { useTexts } from '../texts';
import { useTickets } from '../upload/use-occurrences';
import { DecideApplications, type Decided, type Decision, DecisionButtons } from './decide';
import { useEntryColumns } from './entry-columns';

const FILTERS = [
  'search',
  'eventOccurrenceId',
  'ticketId',
  'approvalStatus',
  'applicationResolutionType',
] as const;
const STATES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const;
const RESOLUTIONS = ['MANUAL', 'BALLOT', 'INSTANT'] as const;
const ALL = 'ALL';

/** Rows render late (`Table`); what is selected must show at once. */
const Selection = createContext<{ selected: ReadonlySet<string>; toggle(id: string): void }>({
  selected: new Set(),
  toggle: () => {},
});

function SelectEntry({ entry, disabled }: { entry: StaffEntry; disabled: boolean }) {
  const { applications } = useTexts();
  const { selected, toggle } = useContext(Selection);
  return (
    <RowBox
      label={applications.select(`${entry.firstName ?? ''} ${entry.lastName ?? ''}`.trim())}
      disabled={disabled}
      checked={selected.has(entry.id)}
      onToggle={() => toggle(entry.id)}
    />
  );
}

/** Applications; without a chosen state, those that wait. Selected ones are decided together, or all that match. */
export function ApplicationsPage() {
  const { applications, participants, number } = useTexts();
  const { may } = useSession();
  const { filters, cursor, set } = useFilters(FILTERS);
  const { approvalStatus = 'PENDING', applicationResolutionType, ...others } = filters;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<{ decision: Decision; which: Decided }>();
  const { tickets } = useTickets(filters.eventOccurrenceId);
  const change: typeof set = (changes, options) => {
    setSelected(new Set());
    set(changes, options);
  };
  const matching = {
    ...others,
    applicationResolutionType: applicationResolutionType as
      | StaffEntry['applicationResolutionType']
      | undefined,
  };
  const query = {
    ...matching,
    approvalStatus: approvalStatus === ALL ? undefined : (approvalStatus as StaffEntry['approvalStatus']),
    ...cursor,
    'page[size]': 50,
  };
  const list = useList(['applications', query], '/console/v1/applications', { query });
  const rows = list.data?.data ?? [];
  const writes = may('OWNER', 'MANAGER');
  const decidable = writes ? rows.filter((row) => row.approvalStatus === 'PENDING' && !row.cancelled) : [];
  const toggle = (id: string) =>
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const { name, email, booked, state, created } = useEntryColumns(true);
  const columns: Column<StaffEntry>[] = [
    {
      ...name,
      cell: (entry) => (
        <Group gap={10} wrap="nowrap">
          {writes && <SelectEntry entry={entry} disabled={!decidable.includes(entry)} />}
          <Link className="row-link" to={`/applications/${entry.id}`}>
            <PersonName person={entry} />
          </Link>
        </Group>
      ),
    },
    email,
    booked,
    {
      title: applications.resolution,
      cell: ({ applicationResolutionType: type, ballotDraw }) => (
        <>
          {applications.resolutions[type]}
          {ballotDraw && <span className="dim"> {ballotDraw}</span>}
        </>
      ),
    },
    {
      ...state,
      cell: (entry) => (
        <>
          {state.cell(entry)}
          {entry.reason && <span className="dim reason"> {entry.reason}</span>}
        </>
      ),
    },
    created,
  ];
  const total = list.data?.page.totalResults ?? 0;
  const filtered = Object.values(filters).some(Boolean);
  return (
    <Selection value={{ selected, toggle }}>
      <Page section="applications">
        <search className="filters" data-many>
          <SearchField
            label={applications.search}
            placeholder={participants.searchPlaceholder}
            value={filters.search}
            min={2}
            set={change}
          />
          <OccurrenceFilter
            value={filters.eventOccurrenceId}
            onChange={(eventOccurrenceId) => change({ eventOccurrenceId, ticketId: null })}
          />
          <Select
            aria-label={participants.ticket}
            placeholder={participants.anyTicket}
            searchable
            clearable
            disabled={!filters.eventOccurrenceId}
            data={tickets}
            value={filters.ticketId ?? null}
            onChange={(ticketId) => change({ ticketId })}
          />
          <Select
            aria-label={participants.status}
            data={[
              ...STATES.map((value) => ({ value, label: applications.states[value] })),
              { value: ALL, label: participants.anyStatus },
            ]}
            value={approvalStatus}
            onChange={(value) => change({ approvalStatus: value })}
          />
          <Select
            aria-label={applications.resolution}
            placeholder={applications.anyResolution}
            clearable
            data={RESOLUTIONS.map((value) => ({ value, label: applications.resolutions[value] }))}
            value={applicationResolutionType ?? null}
            onChange={(value) => change({ applicationResolutionType: value })}
          />
        </search>
        {writes && decidable.length > 0 && (
          <Group
            justify="space-between"
            gap="10px 16px"
            mih={32}
            role="toolbar"
            aria-label={applications.selection}
          >
            <Checkbox
              label={selected.size > 0 ? applications.selected(selected.size) : applications.selectPage}
              checked={selected.size > 0 && decidable.every(({ id }) => selected.has(id))}
              indeterminate={selected.size > 0 && !decidable.every(({ id }) => selected.has(id))}
              onChange={({ target }) =>
                setSelected(new Set(target.checked ? decidable.map(({ id }) => id) : []))
              }
            />
            {selected.size > 0 ? (
              <DecisionButtons
                onDecide={(decision) =>
                  setAsked({
                    decision,
                    which: {
                      applicationIds: [...selected],
                      entries: rows.filter(({ id }) => selected.has(id)),
                    },
                  })
                }
              />
            ) : (
              approvalStatus === 'PENDING' &&
              total > 0 && (
                <DecisionButtons
                  of={number(total)}
                  onDecide={(decision) => setAsked({ decision, which: { matching, total } })}
                />
              )
            )}
          </Group>
        )}
        <List
          of={list}
          caption={applications.title}
          columns={columns}
          expected={10}
          go={change}
          empty={
            <Empty title={filtered ? applications.noneFound : applications.none}>
              {filtered ? applications.noneFoundAdvice : applications.noneAdvice}
            </Empty>
          }
        />
        {asked && (
          <DecideApplications
            decision={asked.decision}
            which={asked.which}
            onClose={() => {
              setAsked(undefined);
              setSelected(new Set());
            }}
          />
        )}
      </Page>
    </Selection>
  );
}
