import { Button, Select, UnstyledButton } from '@mantine/core';
import type { AuditEntryItem } from '../api';
import { FilterHistory, periodOf } from '../history/filter-history';
import { Changes, useSentences, useWho } from '../history/sentences';
import { type Column, Empty, List, Page, Time, useFilters } from '../pieces';
import { LIVE_MS } from '../queries';
import { useList } from '../session';
import { useTexts } from '../texts';

/** Actions that only the history of a record has. */
const OF_HISTORIES = /^(participant\.import$|race_day\.)/;

/** The audit log: who did what, when and from where. */
export function LogPage() {
  const { log, history } = useTexts();
  const { filters, cursor, set } = useFilters(['action', 'actorId', 'objectId', 'from', 'until'] as const);
  const who = useWho();
  const sentence = useSentences();
  const { action, actorId, objectId, from = '', until = '' } = filters;
  const period = periodOf({ from, until });
  const query = { action, actorId, objectId, ...period, ...cursor, 'page[size]': 50 };
  const list = useList(
    ['audit-log', query],
    '/console/v1/audit-log',
    { query },
    { refetchInterval: LIVE_MS * 2 },
  );
  const columns: Column<AuditEntryItem>[] = [
    { title: log.at, width: 'narrow', cell: ({ at }) => <Time at={at} seconds /> },
    {
      title: log.what,
      main: true,
      cell: (item) => (
        <>
          <strong>{who(item)}</strong> {sentence(item, true)} <Changes item={item} />
          {item.objectId && !objectId && (
            <UnstyledButton className="disclose dim" onClick={() => set({ objectId: item.objectId })}>
              {log.only}
            </UnstyledButton>
          )}
        </>
      ),
    },
    { title: log.origin, cell: ({ origin }) => origin },
  ];
  return (
    <Page title={log.title}>
      <div className="filters">
        <Select
          className="filters-search"
          aria-label={log.action}
          placeholder={log.anyAction}
          searchable
          clearable
          data={Object.entries(history.actions)
            .filter(([value]) => !OF_HISTORIES.test(value))
            .map(([value, label]) => ({ value, label: label ?? value }))}
          value={action ?? null}
          onChange={(chosen) => set({ action: chosen })}
        />
        {objectId && (
          <Button variant="light" radius="xl" size="xs" onClick={() => set({ objectId: null })}>
            {log.onlyThis(objectId.slice(-12))} ×
          </Button>
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
        expected={12}
        go={set}
        empty={<Empty title={log.none}>{log.noneAdvice}</Empty>}
      />
    </Page>
  );
}
