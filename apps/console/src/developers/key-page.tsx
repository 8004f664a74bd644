import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ApiKeyItem } from '../api';
import { History } from '../history/history';
import { usePartner } from '../partners/partner-page';
import { Card, Facts, Missing, Page, Time } from '../pieces';
import { useTexts } from '../texts';
import { useOccurrences } from '../upload/use-occurrences';
import { RestrictKey, RevokeKey, RotateKey } from './change-key';
import { hasExpired, KeyState, useKeys } from './keys-page';
import { PermissionList } from './permissions';
import { RequestLog } from './requests-page';

const CHANGES = { restrict: RestrictKey, rotate: RotateKey, revoke: RevokeKey };
type Change = keyof typeof CHANGES;

/** One key: what it may do, and what can be changed about it. */
export function KeyPage({ id }: { id: string }) {
  const { developers } = useTexts();
  const [asked, setAsked] = useState<Change>();
  const { data, error } = useKeys();
  const key = data?.data.find((each) => each.id === id);
  const up = { to: '/developers/keys', text: developers.keys };
  if (data && !key) return <Missing />;
  if (!key) return <Page title={developers.key} up={up} error={error} />;
  const works = !key.revokedAt && !hasExpired(key);
  const changes: Change[] = works ? ['restrict', 'rotate', 'revoke'] : [];
  const Asked = asked && CHANGES[asked];
  return (
    <Page
      title={key.name}
      beside={<KeyState apiKey={key} />}
      up={up}
      actions={changes.map((change) => (
        <Button key={change} variant="default" onClick={() => setAsked(change)}>
          {developers[change]}
        </Button>
      ))}
    >
      <Card>
        <KeyFacts apiKey={key} />
      </Card>
      <Card title={developers.requests}>
        <RequestLog keyId={key.id} />
      </Card>
      <History subject={key.id} />
      {Asked && <Asked apiKey={key} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKeyItem }) {
  const { developers, partners, participants, events } = useTexts();
  const { kind, last4, readOnly, reads, permissions, eventOccurrenceIds, endpoints, partnerId } = apiKey;
  const { data: partner } = usePartner(partnerId);
  const occurrences = new Map(useOccurrences().map(({ value, title }) => [value, title]));
  const titles = eventOccurrenceIds?.map((id) => occurrences.get(id) ?? id).join(', ');
  const readable: Record<string, string> = developers.readable;
  const timing = reads?.length
    ? `${developers.reads}: ${reads.map((read) => readable[read] ?? read).join(', ')}`
    : developers.sendsOnly;
  const others = readOnly ? developers.readOnly : developers.readsAndWrites;
  return (
    <Facts
      facts={[
        [developers.kind, developers.kinds[kind]],
        [developers.token, <code key="token">…{last4}</code>],
        [developers.rights, kind === 'TIMING' ? timing : others],
        partnerId !== null && [partners.partner, partner?.name ?? <code key="partner">{partnerId}</code>],
        permissions !== null && [
          developers.permissions,
          <PermissionList key="permissions" permissions={permissions} />,
        ],
        kind === 'ORGANIZER' && [
          developers.operations,
          endpoints ? developers.registrationOnly : developers.allOperations,
        ],
        kind !== 'MARKETPLACE' && [events.title, titles ?? participants.anyEvent],
        [developers.created, <Time key="created" at={apiKey.createdAt} />],
        [developers.lastUsed, <Time key="used" at={apiKey.lastUsedAt} />],
        apiKey.revokedAt
          ? [developers.revoked, <Time key="revoked" at={apiKey.revokedAt} />]
          : [
              developers.expires,
              apiKey.expiresAt ? <Time key="expires" at={apiKey.expiresAt} /> : developers.never,
            ],
      ]}
    />
  );
}
