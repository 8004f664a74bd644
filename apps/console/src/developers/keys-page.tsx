import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiKeyItem, KeyKind } from '../api';
import { Confirm, Dialog } from '../pieces/confirm';
import { Badge, Empty, Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { Secret } from '../pieces/secret';
import { type Column, Table } from '../pieces/table';
import { Time } from '../pieces/time';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { DeveloperTabs } from './developer-tabs';

const KINDS: KeyKind[] = ['ORGANIZER', 'MARKETPLACE', 'TIMING'];
const OVERLAP_HOURS = 24;

type Asked = { action: 'create' } | { action: 'rotate' | 'revoke'; key: ApiKeyItem };

export function KeysPage() {
  const { developers } = useTexts();
  const { api, organizationId } = useSession();
  const [asked, setAsked] = useState<Asked>();
  const { data, error } = useQuery({
    queryKey: [organizationId, 'keys'],
    queryFn: ({ signal }) => api.get('/console/v1/keys', { signal }),
    refetchInterval: 5_000,
  });
  const columns: Column<ApiKeyItem>[] = [
    { key: 'name', title: developers.name, main: true, cell: ({ name }) => <strong>{name}</strong> },
    { key: 'kind', title: developers.kind, cell: ({ kind }) => developers.kinds[kind] },
    { key: 'token', title: developers.token, cell: ({ last4 }) => <code>…{last4}</code> },
    {
      key: 'limits',
      title: developers.limits,
      cell: ({ readOnly, eventOccurrenceIds, endpoints }) =>
        [
          readOnly && developers.readOnly,
          eventOccurrenceIds && developers.occurrences(eventOccurrenceIds.length),
          endpoints?.join(', '),
        ]
          .filter(Boolean)
          .join(' · ') || <span className="dim">{developers.unlimited}</span>,
    },
    { key: 'used', title: developers.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { key: 'state', title: developers.state, cell: (key) => <KeyState apiKey={key} /> },
    {
      key: 'actions',
      title: developers.actions,
      number: true,
      cell: (key) =>
        !key.revokedAt && (
          <div className="row-actions">
            <Button variant="default" size="xs" onClick={() => setAsked({ action: 'rotate', key })}>
              {developers.rotate}
            </Button>
            <Button variant="default" size="xs" onClick={() => setAsked({ action: 'revoke', key })}>
              {developers.revoke}
            </Button>
          </div>
        ),
    },
  ];
  const create = <Button onClick={() => setAsked({ action: 'create' })}>{developers.createKey}</Button>;
  return (
    <Page title={developers.title} actions={create}>
      <DeveloperTabs />
      {error && <Problem error={error} />}
      {data?.data.length === 0 ? (
        <Empty title={developers.noKeys} action={create}>
          {developers.noKeysAdvice}
        </Empty>
      ) : (
        !error && (
          <Table caption={developers.keys} columns={columns} rows={data?.data} keyOf={({ id }) => id} />
        )
      )}
      {asked?.action === 'create' && <CreateKey onClose={() => setAsked(undefined)} />}
      {asked?.action === 'rotate' && <RotateKey apiKey={asked.key} onClose={() => setAsked(undefined)} />}
      {asked?.action === 'revoke' && <RevokeKey apiKey={asked.key} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function KeyState({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKeyItem }) {
  const { developers } = useTexts();
  if (revokedAt) return <Badge tone="bad">{developers.revoked}</Badge>;
  if (!expiresAt) return <Badge tone="good">{developers.inForce}</Badge>;
  if (Date.parse(expiresAt) < Date.now()) return <Badge tone="bad">{developers.expired}</Badge>;
  return (
    <>
      <Badge tone="warn">{developers.expires}</Badge> <Time at={expiresAt} />
    </>
  );
}

const useKeysChanged = () => {
  const queries = useQueryClient();
  const { organizationId } = useSession();
  return () => queries.invalidateQueries({ queryKey: [organizationId, 'keys'] });
};

function CreateKey({ onClose }: { onClose(): void }) {
  const { developers, cancel } = useTexts();
  const { api } = useSession();
  const changed = useKeysChanged();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('ORGANIZER');
  const [readOnly, setReadOnly] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      api.post('/console/v1/keys', {
        body: { name, kind, ...(readOnly && kind !== 'TIMING' && { readOnly }) } as never,
      }),
    onSuccess: changed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  if (create.data) return <IssuedToken token={create.data.token} onClose={onClose} />;
  return (
    <Dialog title={developers.createKey} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        {create.error && <Problem error={create.error} />}
        <TextInput
          label={developers.name}
          description={developers.nameHelp}
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Select
          label={developers.kind}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: developers.kinds[value] }))}
          value={kind}
          onChange={(value) => setKind(value as KeyKind)}
        />
        {kind !== 'TIMING' && (
          <Checkbox
            label={developers.readOnly}
            description={developers.readOnlyHelp}
            checked={readOnly}
            onChange={({ target }) => setReadOnly(target.checked)}
          />
        )}
        <footer className="dialog-footer">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {developers.createKey}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function IssuedToken({ token, onClose }: { token: string; onClose(): void }) {
  const { developers, done } = useTexts();
  return (
    <Dialog title={developers.issued} onClose={onClose}>
      <p>{developers.issuedHelp}</p>
      <Secret text={token} label={developers.token} />
      <footer className="dialog-footer">
        <Button onClick={onClose}>{done}</Button>
      </footer>
    </Dialog>
  );
}

function RotateKey({ apiKey, onClose }: { apiKey: ApiKeyItem; onClose(): void }) {
  const { developers } = useTexts();
  const { api } = useSession();
  const changed = useKeysChanged();
  const rotate = useMutation({
    mutationFn: () =>
      api.post('/console/v1/keys/{id}/rotate', {
        params: { path: { id: apiKey.id } },
        body: { overlapHours: OVERLAP_HOURS } as never,
      }),
    onSuccess: changed,
  });
  if (rotate.data) return <IssuedToken token={rotate.data.token} onClose={onClose} />;
  return (
    <Confirm
      title={`${developers.rotate}: ${apiKey.name}`}
      action={developers.rotate}
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>{developers.rotateText(OVERLAP_HOURS)}</p>
    </Confirm>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKeyItem; onClose(): void }) {
  const { developers } = useTexts();
  const { api } = useSession();
  const changed = useKeysChanged();
  const revoke = useMutation({
    mutationFn: () => api.post('/console/v1/keys/{id}/revoke', { params: { path: { id: apiKey.id } } }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <Confirm
      title={`${developers.revoke}: ${apiKey.name}`}
      action={developers.revoke}
      danger
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{developers.revokeText}</p>
    </Confirm>
  );
}
