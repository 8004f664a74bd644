import { Button, Group, MultiSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint } from '../api';
import { History } from '../history/history';
import {
  Badge,
  type Column,
  Confirm,
  Dialog,
  Empty,
  FormDialog,
  inTone,
  List,
  Page,
  Problem,
  Secret,
  Time,
} from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';
import { EVENT_TYPES } from './event-types';
import { useEndpoints } from './use-endpoints';

export function WebhooksPage() {
  const { developers, history, participants, people } = useTexts();
  const { api, may } = useSession();
  const [creating, setCreating] = useState(false);
  const [followed, setFollowed] = useState<WebhookEndpoint>();
  const [removing, setRemoving] = useState<WebhookEndpoint>();
  const list = useEndpoints();
  const ping = useMutation({
    mutationFn: (id: string) => api.post('/v0/webhook-endpoints/{id}/ping', { params: { path: { id } } }),
  });
  const toggle = useChange(
    ({ id, enabled }: WebhookEndpoint) =>
      api.patch('/v0/webhook-endpoints/{id}', {
        params: { path: { id } },
        body: { enabled: !enabled } as never,
      }),
    ['webhook-endpoints'],
  );
  const writes = may('OWNER', 'MANAGER');
  const button = (text: string, onClick: () => void, disabled = false) => (
    <Button variant="default" size="xs" disabled={disabled} onClick={onClick}>
      {text}
    </Button>
  );
  const columns: Column<WebhookEndpoint>[] = [
    {
      title: developers.url,
      main: true,
      cell: ({ url }) => <code style={{ overflowWrap: 'anywhere' }}>{url}</code>,
    },
    {
      title: developers.types,
      cell: ({ types }) => <span title={types.join('\n')}>{developers.typeCount(types.length)}</span>,
    },
    { title: participants.status, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    { title: developers.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: people.actions,
      number: true,
      cell: (endpoint) =>
        writes && (
          <Group gap={6} justify="flex-end">
            {button(developers.ping, () => ping.mutate(endpoint.id), !endpoint.enabled)}
            {button(endpoint.enabled ? developers.disable : developers.enable, () => toggle.mutate(endpoint))}
            {button(history.title, () => setFollowed(endpoint))}
            {button(developers.remove, () => setRemoving(endpoint))}
          </Group>
        ),
    },
  ];
  const create = writes && <Button onClick={() => setCreating(true)}>{developers.createEndpoint}</Button>;
  const failed = ping.error ?? toggle.error;
  return (
    <Page section="developers" actions={create}>
      {failed && <Problem error={failed} />}
      <div role="status">
        {ping.isSuccess && (
          <p className="notice" style={inTone('good')}>
            {developers.pinged}
          </p>
        )}
      </div>
      <List
        of={list}
        caption={developers.webhooks}
        columns={columns}
        expected={3}
        empty={
          <Empty title={developers.noEndpoints} action={create}>
            {developers.noEndpointsAdvice}
          </Empty>
        }
      />
      {creating && <CreateEndpoint onClose={() => setCreating(false)} />}
      {followed && (
        <Dialog title={followed.url} onClose={() => setFollowed(undefined)}>
          <History subject={followed.id} />
        </Dialog>
      )}
      {removing && <RemoveEndpoint endpoint={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  );
}

function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { developers } = useTexts();
  const { enabled, disabledReason, failingSince } = endpoint;
  if (!enabled)
    return (
      <Badge tone="bad">
        {(disabledReason && developers.disabledReasons[disabledReason]) ?? developers.disabled}
      </Badge>
    );
  if (!failingSince) return <Badge tone="good">{developers.enabled}</Badge>;
  return (
    <>
      <Badge tone="warn">{developers.failingSince}</Badge> <Time at={failingSince} />
    </>
  );
}

function CreateEndpoint({ onClose }: { onClose(): void }) {
  const { developers, done } = useTexts();
  const { api } = useSession();
  const [url, setUrl] = useState('https://');
  const [types, setTypes] = useState<string[]>(['import.finished']);
  const create = useChange(
    () => api.post('/v0/webhook-endpoints', { body: { url, types } as never }),
    ['webhook-endpoints'],
  );
  if (create.data) {
    return (
      <Dialog title={developers.secret} done={done} onClose={onClose}>
        <p>{developers.secretHelp}</p>
        <Secret text={create.data.secret} label={developers.secret} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={developers.createEndpoint}
      action={developers.createEndpoint}
      change={create}
      onClose={onClose}
    >
      <TextInput
        label={developers.url}
        type="url"
        required
        data-autofocus
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <MultiSelect
        label={developers.types}
        required
        searchable
        data={[...EVENT_TYPES]}
        value={types}
        onChange={setTypes}
      />
    </FormDialog>
  );
}

function RemoveEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const { developers } = useTexts();
  const { api } = useSession();
  const remove = useChange(
    () => api.delete('/v0/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } } }),
    ['webhook-endpoints'],
    onClose,
  );
  return (
    <Confirm
      title={developers.removeEndpoint}
      action={developers.remove}
      danger
      change={remove}
      onClose={onClose}
    >
      <p>
        <code>{endpoint.url}</code>
      </p>
      <p>{developers.removeEndpointText}</p>
    </Confirm>
  );
}
