import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntryItem } from '../api';
import { FilterHistory, periodOf } from '../history/filter-history';
import { Changes, useSentences, useWho } from '../history/sentences';
import { List } from '../pieces/list';
import { Empty, Page } from '../pieces/page';
import type { Column } from '../pieces/table';
import { Time } from '../pieces/time';
import { useFilters } from '../pieces/use-filters';
import { LIVE_MS } from '../queries';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

const TYPING_MS = 250;

/** The audit log: who did what, when and from where. */
export function LogPage() {
  const { log } = useTexts();
  const { api, organizationId } = useSession();
  const { filters, cursor, set } = useFilters(['action', 'actorId', 'objectId', 'from', 'until'] as const);
  const [typed, setTyped] = useState(filters.action ?? '');
  const [action] = useDebouncedValue(typed.trim(), TYPING_MS);
  const who = useWho();
  const sentence = useSentences();
  const { actorId, objectId, from = '', until = '' } = filters;
  const period = periodOf({ from, until });
  const query = { action: action || undefined, actorId, objectId, ...period, ...cursor, 'page[size]': 50 };
  const list = useQuery({
    queryKey: [organizationId, 'audit-log', query],
    queryFn: ({ signal }) => api.get('/console/v1/audit-log', { params: { query }, signal }),
    refetchInterval: LIVE_MS * 2,
    placeholderData: keepPreviousData,
  });
  const columns: Column<AuditEntryItem>[] = [
    { key: 'at', title: log.at, width: 'narrow', cell: ({ at }) => <Time at={at} seconds /> },
    {
      key: 'said',
      title: log.what,
      main: true,
      cell: (item) => (
        <>
          <strong>{who(item)}</strong> {sentence(item, true)}
          <Changes item={item} />
        </>
      ),
    },
    { key: 'origin', title: log.origin, cell: ({ origin }) => origin ?? <span className="dim">–</span> },
    {
      key: 'object',
      title: log.object,
      cell: ({ objectType, objectId: id }) =>
        id ? (
          <button type="button" className="disclose" title={log.only} onClick={() => set({ objectId: id })}>
            {objectType} …{id.slice(-12)}
          </button>
        ) : (
          objectType
        ),
    },
    {
      key: 'details',
      title: log.details,
      cell: ({ action: name, details }) => <Details of={{ action: name, ...details }} />,
    },
  ];
  return (
    <Page title={log.title}>
      <div className="filters">
        <TextInput
          className="filters-search"
          aria-label={log.action}
          placeholder={log.actionPlaceholder}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            set({ action: target.value }, { replace: true });
          }}
        />
        {objectId && (
          <button type="button" className="chip" onClick={() => set({ objectId: null })}>
            {log.onlyThis(objectId.slice(-12))} ×
          </button>
        )}
      </div>
      <FilterHistory
        filter={{ actorId: actorId ?? null, from, until }}
        onChange={(filter) => set({ ...filter })}
        items={list.data?.data ?? []}
      />
      <List
        of={list}
        caption={log.title}
        columns={columns}
        keyOf={({ id }) => id}
        expected={12}
        go={set}
        empty={<Empty title={log.none}>{log.noneAdvice}</Empty>}
      />
    </Page>
  );
}

/** Ids, counts and settings. The names of changed fields are in the sentence. */
function Details({ of: { changed: _, name: __, ...details } }: { of: Record<string, unknown> }) {
  return (
    <ul className="details">
      {Object.entries(details).map(([name, value]) => (
        <li key={name}>
          <span className="dim">{name}</span> {typeof value === 'string' ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  );
}
