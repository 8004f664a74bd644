import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { KeyKind } from '../api';
import { Dialog } from '../pieces/confirm';
import { Problem } from '../pieces/problem';
import { Secret } from '../pieces/secret';
import { useSession } from '../session/session';
import { useTexts } from '../texts';
import { ExpiryField, endOfDay, isLimited, LimitFields, NO_LIMITS, sentLimits } from './key-limits';

const KINDS: KeyKind[] = ['ORGANIZER', 'MARKETPLACE', 'TIMING'];

export function useKeysChanged() {
  const queries = useQueryClient();
  const { organizationId } = useSession();
  return () => queries.invalidateQueries({ queryKey: [organizationId, 'keys'] });
}

export function CreateKey({ onClose }: { onClose(): void }) {
  const { developers, cancel } = useTexts();
  const { api } = useSession();
  const changed = useKeysChanged();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('ORGANIZER');
  const [readOnly, setReadOnly] = useState(false);
  const [names, setNames] = useState(false);
  const [limits, setLimits] = useState(NO_LIMITS);
  const [expires, setExpires] = useState('');
  const isTiming = kind === 'TIMING';
  const create = useMutation({
    mutationFn: () =>
      api.post('/console/v1/keys', {
        body: {
          name,
          kind,
          ...(isTiming ? { names } : { readOnly }),
          ...(isLimited(limits) && sentLimits(limits)),
          expiresAt: endOfDay(expires),
        } as never,
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
          description={developers.kindHelp[kind]}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: developers.kinds[value] }))}
          value={kind}
          onChange={(value) => {
            setKind(value as KeyKind);
            setLimits(NO_LIMITS);
          }}
        />
        {isTiming ? (
          <Checkbox
            label={developers.names}
            description={developers.namesHelp}
            checked={names}
            onChange={({ target }) => setNames(target.checked)}
          />
        ) : (
          <Checkbox
            label={developers.readOnly}
            description={developers.readOnlyHelp}
            checked={readOnly}
            onChange={({ target }) => setReadOnly(target.checked)}
          />
        )}
        <LimitFields kind={kind} limits={limits} onChange={setLimits} />
        <ExpiryField label={developers.expiresOn} day={expires} onChange={setExpires} />
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

export function IssuedToken({ token, onClose }: { token: string; onClose(): void }) {
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
