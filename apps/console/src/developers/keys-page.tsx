import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiKeyItem } from '../api';
import { Badge, type Column, Empty, List, Page, Time } from '../pieces';
import { useGet } from '../session';
import { useTexts } from '../texts';
import { CreateKey } from './create-key';

const OFTEN_MS = 5_000;

/** All keys of the organization; a key has no operation of its own that reads it. */
export function useKeys() {
  return useGet(['keys'], '/console/v1/keys', undefined, { refetchInterval: OFTEN_MS });
}

export function KeysPage() {
  const { developers, participants } = useTexts();
  const [creating, setCreating] = useState(false);
  const list = useKeys();
  const columns: Column<ApiKeyItem>[] = [
    {
      title: participants.name,
      main: true,
      cell: ({ id, name }) => (
        <Link className="row-link" to={`/developers/keys/${id}`}>
          {name}
        </Link>
      ),
    },
    { title: developers.kind, cell: ({ kind }) => developers.kinds[kind] },
    { title: developers.token, cell: ({ last4 }) => <code>…{last4}</code> },
    { title: developers.limits, cell: (key) => <KeyLimits apiKey={key} /> },
    { title: developers.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { title: participants.status, cell: (key) => <KeyState apiKey={key} /> },
  ];
  const create = <Button onClick={() => setCreating(true)}>{developers.createKey}</Button>;
  return (
    <Page section="developers" actions={create}>
      <List
        of={list}
        caption={developers.keys}
        columns={columns}
        empty={
          <Empty title={developers.noKeys} action={create}>
            {developers.noKeysAdvice}
          </Empty>
        }
      />
      {creating && <CreateKey onClose={() => setCreating(false)} />}
    </Page>
  );
}

function KeyLimits({ apiKey }: { apiKey: ApiKeyItem }) {
  const { developers } = useTexts();
  const { readOnly, reads, permissions, eventOccurrenceIds, endpoints, partnerId } = apiKey;
  const limits = [
    partnerId && developers.ofPartner,
    readOnly && developers.readOnly,
    permissions && developers.permissionCount(permissions.length),
    reads !== null && reads.length > 0 && developers.readsCount(reads.length),
    endpoints && developers.registrationOnly,
    eventOccurrenceIds && developers.occurrences(eventOccurrenceIds.length),
  ].filter(Boolean);
  return limits.length > 0 ? limits.join(' · ') : <span className="dim">{developers.unlimited}</span>;
}

export const hasExpired = ({ expiresAt }: ApiKeyItem): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

export function KeyState({ apiKey }: { apiKey: ApiKeyItem }) {
  const { developers } = useTexts();
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt) return <Badge tone="bad">{developers.revoked}</Badge>;
  if (!expiresAt) return <Badge tone="good">{developers.inForce}</Badge>;
  if (hasExpired(apiKey)) return <Badge tone="bad">{developers.expired}</Badge>;
  return (
    <>
      <Badge tone="warn">{developers.expires}</Badge> <Time at={expiresAt} />
    </>
  );
}
