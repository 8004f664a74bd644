import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntryItem } from '../api';
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
  const { filters, cursor, set } = useFilters(['action', 'actorId', 'objectId'] as const);
  const [typed, setTyped] = useState(filters.action ?? '');
  const [action] = useDebouncedValue(typed.trim(), TYPING_MS);
  const query = { ...filters, action: action || undefined, ...cursor, 'page[size]': 50 };
  const list = useQuery({
    queryKey: [organizationId, 'audit-log', query],
    queryFn: ({ signal }) => api.get('/console/v1/audit-log', { params: { query }, signal }),
    refetchInterval: LIVE_MS * 2,
    placeholderData: keepPreviousData,
  });
  const only = (name: 'actorId' | 'objectId', id: string | null, text: string) =>
    id ? (
      <button type="button" className="disclose" title={log.only} onClick={() => set({ [name]: id })}>
        {text}
      </button>
    ) : (
      text
    );
  const columns: Column<AuditEntryItem>[] = [
    { key: 'at', title: log.at, width: 'narrow', cell: ({ at }) => <Time at={at} seconds /> },
    { key: 'action', title: log.action, main: true, cell: (entry) => <code>{entry.action}</code> },
    {
      key: 'actor',
      title: log.actor,
      cell: ({ actorType, actorId, actorEmail }) => (
        <>
          <span className="dim">{log.actors[actorType] ?? actorType}</span>{' '}
          {only('actorId', actorId, actorEmail ?? actorId ?? '')}
        </>
      ),
    },
    { key: 'origin', title: log.origin, cell: ({ origin }) => origin ?? <span className="dim">–</span> },
    {
      key: 'object',
      title: log.object,
      cell: ({ objectType, objectId }) => (
        <>
          {objectType} {only('objectId', objectId, objectId?.slice(-12) ?? '')}
        </>
      ),
    },
    {
      key: 'details',
      title: log.details,
      cell: ({ details }) =>
        Object.keys(details).length > 0 ? (
          <ul className="details">
            {Object.entries(details).map(([name, value]) => (
              <li key={name}>
                <span className="dim">{name}</span>{' '}
                {typeof value === 'string' ? value : JSON.stringify(value)}
              </li>
            ))}
          </ul>
        ) : (
          <span className="dim">–</span>
        ),
    },
  ];
  const chosen = filters.actorId ?? filters.objectId;
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
        {chosen && (
          <button type="button" className="chip" onClick={() => set({ actorId: null, objectId: null })}>
            {log.onlyThis(chosen.slice(-12))} ×
          </button>
        )}
      </div>
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
