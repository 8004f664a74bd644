import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyKind, Permission } from '../api';
import { PartnerSelect } from '../partners/partner-select';
import { Dialog, FormDialog, Secret } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';
import { ExpiryField, endOfDay, isLimited, LimitFields, NO_LIMITS, sentLimits } from './key-limits';
import { onlyReads, PermissionTable, PRESETS, type Preset, permissionsOf } from './permissions';
import { useReadable } from './reads';

/** What the permissions of a new key are made of: nothing, all that read, or a selection, which a preset fills. */
type Purpose = 'everything' | 'chosen' | 'readOnly' | Preset;

const KINDS: KeyKind[] = ['ORGANIZER', 'MARKETPLACE', 'TIMING'];

export function CreateKey({ onClose }: { onClose(): void }) {
  const { developers, participants, partner } = useTexts();
  const { api } = useSession();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('ORGANIZER');
  const [purpose, setPurpose] = useState<Purpose>('everything');
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [reads, setReads] = useState<string[]>([]);
  const [partnerId, setPartnerId] = useState<string | null>(null);
  const [limits, setLimits] = useState(NO_LIMITS);
  const [expires, setExpires] = useState('');
  const isTiming = kind === 'TIMING';
  const readable = useReadable(isTiming);
  const isSelected = purpose !== 'everything' && purpose !== 'readOnly';
  const choose = (value: Purpose) => {
    setPurpose(value);
    if (value in PRESETS) {
      const preset = PRESETS[value as Preset];
      setKind(preset.kind);
      const of = preset.kind === 'ORGANIZER' ? partnerId : null;
      setPermissions(preset.permissions.filter((each) => permissionsOf(preset.kind, of).includes(each)));
      setPartnerId(of);
      // The form of another kind of key may not have them.
      if (preset.kind !== kind) setLimits(NO_LIMITS);
    }
    // A selection begins with what only reads.
    if (value === 'chosen') setPermissions(onlyReads(permissionsOf(kind, partnerId)));
  };
  const create = useChange(
    () =>
      api.post('/console/v1/keys', {
        body: {
          name,
          kind,
          ...(isTiming ? { reads } : { readOnly: purpose === 'readOnly' }),
          ...(isSelected && { permissions }),
          ...(partnerId && { partnerId }),
          ...(isLimited(limits) && sentLimits(limits)),
          expiresAt: endOfDay(expires),
        } as never,
      }),
    ['keys'],
  );
  if (create.data) return <IssuedToken token={create.data.token} onClose={onClose} />;
  return (
    <FormDialog
      title={developers.createKey}
      action={developers.createKey}
      change={create}
      disabled={isSelected && permissions.length === 0}
      onClose={onClose}
    >
      <TextInput
        label={participants.name}
        description={developers.nameHelp}
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Select
        label={developers.kind}
        description={developers.kindHelp[kind]}
        data={KINDS.map((value) => ({ value, label: developers.kinds[value] }))}
        value={kind}
        onChange={(value) => {
          setKind(value as KeyKind);
          setLimits(NO_LIMITS);
          setPurpose('everything');
          setPartnerId(null);
        }}
      />
      {kind === 'ORGANIZER' && (
        <PartnerSelect
          label={partner.ofKey}
          description={partner.ofKeyHelp}
          placeholder={partner.noPartner}
          clearable
          value={partnerId}
          onChange={(id) => {
            setPartnerId(id);
            setPermissions((before) => before.filter((each) => permissionsOf(kind, id).includes(each)));
          }}
        />
      )}
      <Select
        label={developers.permissions}
        description={developers.purposeHelp}
        data={(Object.keys(developers.purposes) as Purpose[])
          .filter((value) => value !== 'readOnly' || !isTiming)
          .map((value) => ({ value, label: developers.purposes[value] }))}
        value={purpose}
        onChange={(value) => choose(value as Purpose)}
      />
      {isSelected && (
        <PermissionTable
          among={permissionsOf(kind, partnerId)}
          chosen={permissions}
          onChange={(chosen) => {
            setPermissions(chosen);
            setPurpose('chosen');
          }}
        />
      )}
      {isTiming && (
        <MultiSelect
          label={developers.reads}
          description={developers.readsHelp}
          data={readable}
          searchable
          value={reads}
          onChange={setReads}
        />
      )}
      <LimitFields kind={kind} limits={limits} onChange={setLimits} />
      <ExpiryField label={developers.expiresOn} day={expires} onChange={setExpires} />
    </FormDialog>
  );
}

export function IssuedToken({ token, onClose }: { token: string; onClose(): void }) {
  const { developers, done } = useTexts();
  return (
    <Dialog title={developers.issued} done={done} onClose={onClose}>
      <p>{developers.issuedHelp}</p>
      <Secret text={token} label={developers.token} />
    </Dialog>
  );
}
