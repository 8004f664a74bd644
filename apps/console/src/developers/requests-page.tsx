import { Button, Select, UnstyledButton } from '@mantine/core';
import type { RequestItem } from '../api';
import { Badge, type Column, Empty, List, Page, Time, type Tone, useFilters } from '../pieces';
import { LIVE_MS } from '../queries';
import { useList } from '../session';
import { useTexts } from '../texts';

const CLASSES = ['errors', '2xx', '4xx', '5xx'] as const;

const toneOf = (status: number): Tone => {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
};

export function RequestsPage() {
  return (
    <Page section="developers">
      <RequestLog />
    </Page>
  );
}

/** The requests of the last days, live: of one key, or of all. */
export function RequestLog({ keyId }: { keyId?: string }) {
  const { developers, number, events, log } = useTexts();
  const { filters, cursor, set } = useFilters(['keyId', 'statusClass'] as const);
  const chosen = keyId ?? filters.keyId;
  const query = { ...filters, keyId: chosen, ...cursor, 'page[size]': 50 } as object;
  const list = useList(
    ['requests', query],
    '/console/v1/requests',
    { query },
    { refetchInterval: LIVE_MS * 2 },
  );
  const columns: Column<RequestItem>[] = [
    {
      title: developers.operation,
      main: true,
      cell: ({ method, route }) => (
        <code>
          <span className="dim">{method}</span> {route}
        </code>
      ),
    },
    { title: events.status, cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
    ...(keyId
      ? []
      : [
          {
            title: developers.key,
            cell: ({ keyId: id, keyName }: RequestItem) => (
              <UnstyledButton
                className="disclose"
                title={developers.onlyKey}
                onClick={() => set({ keyId: id })}
              >
                {keyName ?? id.slice(-12)}
              </UnstyledButton>
            ),
          },
        ]),
    {
      title: developers.duration,
      number: true,
      cell: ({ durationMs }) =>
        `${number(durationMs < 10 ? Math.round(durationMs * 10) / 10 : Math.round(durationMs))} ms`,
    },
    { title: log.at, cell: ({ at }) => <Time at={at} seconds /> },
    { title: developers.requestId, cell: ({ requestId }) => <span className="mono dim">{requestId}</span> },
  ];
  const filtered = Boolean(filters.statusClass || (!keyId && filters.keyId));
  const chosenName = list.data?.data[0]?.keyName ?? filters.keyId?.slice(-12);
  return (
    <>
      <div className="filters">
        <Select
          aria-label={events.status}
          placeholder={developers.anyStatusCode}
          clearable
          data={CLASSES.map((value) => ({ value, label: developers.statusClasses[value] }))}
          value={filters.statusClass ?? null}
          onChange={(statusClass) => set({ statusClass })}
        />
        {!keyId && filters.keyId && (
          <Button variant="light" radius="xl" size="xs" onClick={() => set({ keyId: null })}>
            {developers.key}: {chosenName} ×
          </Button>
        )}
      </div>
      <List
        of={list}
        caption={developers.requests}
        columns={columns}
        expected={12}
        go={set}
        empty={
          <Empty title={filtered ? developers.noRequestsFiltered : developers.noRequests}>
            {filtered ? developers.noRequestsFilteredAdvice : developers.noRequestsAdvice}
          </Empty>
        }
      />
    </>
  );
}
