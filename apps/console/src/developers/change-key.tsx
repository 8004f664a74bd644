import { Select } from '@mantine/core';
import { useState } from 'react';
import type { ApiKeyItem } from '../api';
import { Confirm, FormDialog } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';
import { IssuedToken } from './create-key';
import { changedLimits, ExpiryField, endOfDay, isLimited, LimitFields, limitsOf } from './key-limits';
import { onlyReads, PermissionTable, permissionsOf } from './permissions';

/** How long a replaced key can keep working, in hours. */
const OVERLAPS = [0, 1, 24, 168, 720];
const USUAL_OVERLAP = 24;

interface ChangeKeyProps {
  apiKey: ApiKeyItem;
  onClose(): void;
}

export function RestrictKey({ apiKey: now, onClose }: ChangeKeyProps) {
  const { developers, save } = useTexts();
  const { api } = useSession();
  // The page reads the key again meanwhile, and what was not changed here may have been changed elsewhere.
  const [apiKey] = useState(now);
  const [before] = useState(() => limitsOf(apiKey));
  const [limits, setLimits] = useState(before);
  const isRestricted = isLimited(before);
  const all = permissionsOf(apiKey.kind, apiKey.partnerId);
  const among = apiKey.permissions ?? (apiKey.readOnly ? onlyReads(all) : all);
  const [permissions, setPermissions] = useState(among);
  const restrict = useChange(
    () =>
      api.patch('/console/v1/keys/{id}', {
        params: { path: { id: apiKey.id } },
        body: {
          ...changedLimits(before, limits),
          ...(permissions.length < among.length && { permissions }),
        } as never,
      }),
    ['keys'],
    onClose,
  );
  return (
    <FormDialog
      title={`${developers.restrict}: ${apiKey.name}`}
      action={save}
      change={restrict}
      disabled={permissions.length === 0 || (isRestricted && !isLimited(limits))}
      onClose={onClose}
    >
      <p>{developers.restrictText}</p>
      {isRestricted && <LimitFields kind={apiKey.kind} limits={limits} onChange={setLimits} />}
      <PermissionTable among={among} chosen={permissions} onChange={setPermissions} />
    </FormDialog>
  );
}

export function RotateKey({ apiKey, onClose }: ChangeKeyProps) {
  const { developers } = useTexts();
  const { api } = useSession();
  const [overlapHours, setOverlapHours] = useState(USUAL_OVERLAP);
  const [expires, setExpires] = useState('');
  const rotate = useChange(
    () =>
      api.post('/console/v1/keys/{id}/rotate', {
        params: { path: { id: apiKey.id } },
        body: { overlapHours, expiresAt: endOfDay(expires) },
      }),
    ['keys'],
  );
  if (rotate.data) return <IssuedToken token={rotate.data.token} onClose={onClose} />;
  return (
    <FormDialog
      title={`${developers.rotate}: ${apiKey.name}`}
      action={developers.rotate}
      change={rotate}
      onClose={onClose}
    >
      <p>{developers.rotateText}</p>
      <Select
        label={developers.overlap}
        data={OVERLAPS.map((hours) => ({ value: String(hours), label: developers.overlaps(hours) }))}
        value={String(overlapHours)}
        onChange={(value) => setOverlapHours(Number(value))}
      />
      <ExpiryField label={developers.newExpiresOn} day={expires} onChange={setExpires} />
    </FormDialog>
  );
}

export function RevokeKey({ apiKey, onClose }: ChangeKeyProps) {
  const { developers } = useTexts();
  const { api } = useSession();
  const revoke = useChange(
    () => api.post('/console/v1/keys/{id}/revoke', { params: { path: { id: apiKey.id } } }),
    ['keys'],
    onClose,
  );
  return (
    <Confirm
      title={`${developers.revoke}: ${apiKey.name}`}
      action={developers.revoke}
      danger
      change={revoke}
      onClose={onClose}
    >
      <p>{developers.revokeText}</p>
    </Confirm>
  );
}
