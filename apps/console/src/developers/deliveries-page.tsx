import { Box, Button, Group, Select, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { WebhookDelivery } from '../api';
import { Badge, type Column, Empty, Icon, List, Page, Problem, Time, type Tone, useFilters } from '../pieces';
import { LIVE_MS } from '../queries';
import { useChange, useList, useSession } from '../session';
import { useTexts } from '../texts';
import { useEndpoints } from './use-endpoints';

const STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
const TONES: Record<(typeof STATES)[number], Tone> = { PENDING: 'busy', DELIVERED: 'good', FAILED: 'bad' };

export function DeliveriesPage() {
  const { developers, participants, people } = useTexts();
  const { api, may } = useSession();
  const { filters, cursor, set } = useFilters(['state', 'endpointId'] as const);
  const [opened, setOpened] = useState<string>();
  const named = useEndpoints();
  const endpoints = new Map(named.data?.data.map(({ id, url }) => [id, url.replace(/^https?:\/\//, '')]));
  const query = { ...filters, ...cursor, 'page[size]': 25 } as object;
  const list = useList(
    ['webhook-deliveries', query],
    '/v0/webhook-deliveries',
    { query },
    { refetchInterval: LIVE_MS },
  );
  const retry = useChange(
    (id: string) => api.post('/v0/webhook-deliveries/{id}/retry', { params: { path: { id } } }),
    ['webhook-deliveries'],
  );
  const columns: Column<WebhookDelivery>[] = [
    {
      title: developers.type,
      main: true,
      cell: ({ id, type, endpointId }) => (
        <>
          <UnstyledButton
            className="disclose"
            aria-expanded={opened === id}
            onClick={() => setOpened(opened === id ? undefined : id)}
          >
            <Icon name={opened === id ? 'down' : 'right'} />
            <code>{type}</code>
          </UnstyledButton>
          <div className="dim">{endpoints.get(endpointId) ?? developers.removed}</div>
        </>
      ),
    },
    {
      title: participants.status,
      cell: ({ state }) => <Badge tone={TONES[state]}>{developers.deliveryStates[state]}</Badge>,
    },
    { title: developers.attempts, number: true, cell: ({ attemptCount }) => attemptCount },
    { title: developers.created, cell: ({ createdAt }) => <Time at={createdAt} seconds /> },
    { title: developers.nextAttempt, cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} seconds /> },
    {
      title: people.actions,
      number: true,
      cell: ({ id }) =>
        may('OWNER', 'MANAGER') && (
          <Group gap={6} justify="flex-end">
            <Button variant="default" size="xs" onClick={() => retry.mutate(id)}>
              {developers.sendAgain}
            </Button>
          </Group>
        ),
    },
  ];
  return (
    <Page section="developers">
      <div className="filters">
        <Select
          aria-label={participants.status}
          placeholder={participants.anyStatus}
          clearable
          data={STATES.map((value) => ({ value, label: developers.deliveryStates[value] }))}
          value={filters.state ?? null}
          onChange={(state) => set({ state })}
        />
        <Select
          aria-label={developers.endpoint}
          placeholder={developers.anyEndpoint}
          clearable
          data={[...endpoints].map(([value, label]) => ({ value, label }))}
          value={filters.endpointId ?? null}
          onChange={(endpointId) => set({ endpointId })}
        />
      </div>
      {(retry.error ?? named.error) && <Problem error={(retry.error ?? named.error) as Error} />}
      <List
        of={list}
        caption={developers.deliveries}
        columns={columns}
        below={(delivery) => opened === delivery.id && <Attempts delivery={delivery} />}
        go={set}
        empty={<Empty title={developers.noDeliveries}>{developers.noDeliveriesAdvice}</Empty>}
      />
    </Page>
  );
}

function Attempts({ delivery: { attempts, eventId } }: { delivery: WebhookDelivery }) {
  const { developers } = useTexts();
  return (
    <Box style={{ overflow: 'auto' }} mah={420} p="12px 14px" bdrs={8} bg="var(--rail)" lh={1.5}>
      <p className="dim">
        {developers.eventId} <code>{eventId}</code>
      </p>
      {attempts.length === 0 && <p>{developers.noAttempts}</p>}
      <ol className="timeline">
        {attempts.map(({ attemptedAt, durationMs, status, error, response }) => (
          <li key={attemptedAt}>
            <Group gap="4px 10px">
              <strong>{status ?? error}</strong>
              <span className="dim">{durationMs} ms</span>
              <Time at={attemptedAt} seconds />
            </Group>
            {response && <pre>{response}</pre>}
          </li>
        ))}
      </ol>
    </Box>
  );
}
