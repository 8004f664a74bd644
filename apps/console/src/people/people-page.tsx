import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { StaffMemberItem, StaffRole } from '../api';
import { Confirm, Dialog } from '../pieces/confirm';
import { List } from '../pieces/list';
import { Page } from '../pieces/page';
import { Problem } from '../pieces/problem';
import { Secret } from '../pieces/secret';
import type { Column } from '../pieces/table';
import { Time } from '../pieces/time';
import { useSession } from '../session/session';
import { useTexts } from '../texts';

type OrganizerRole = Exclude<StaffRole, 'PARTNER'>;
const ROLES: OrganizerRole[] = ['OWNER', 'MANAGER', 'VIEWER', 'RACE_DAY'];

type Asked = { action: 'invite' } | { action: 'reset' | 'remove'; member: StaffMemberItem };

export function PeoplePage() {
  const { people, roles } = useTexts();
  const { api, organizationId, me } = useSession();
  const [asked, setAsked] = useState<Asked>();
  const changed = usePeopleChanged();
  const list = useQuery({
    queryKey: [organizationId, 'staff'],
    queryFn: ({ signal }) => api.get('/console/v1/staff', { signal }),
    refetchInterval: 5_000,
  });
  const changeRole = useMutation({
    mutationFn: ({ id, role }: { id: string; role: OrganizerRole }) =>
      api.patch('/console/v1/staff/{id}', { params: { path: { id } }, body: { role } }),
    onSuccess: changed,
  });
  const columns: Column<StaffMemberItem>[] = [
    {
      key: 'email',
      title: people.email,
      main: true,
      cell: ({ id, email }) => (
        <>
          <strong>{email}</strong> {id === me.id && <span className="dim">{people.you}</span>}
        </>
      ),
    },
    {
      key: 'role',
      title: people.role,
      cell: ({ id, email, role }) =>
        role === 'PARTNER' ? (
          roles[role]
        ) : (
          <Select
            size="xs"
            aria-label={people.roleOf(email)}
            allowDeselect={false}
            data={ROLES.map((value) => ({ value, label: roles[value] }))}
            value={role}
            onChange={(value) => value && changeRole.mutate({ id, role: value as OrganizerRole })}
          />
        ),
    },
    {
      key: 'password',
      title: people.password,
      cell: ({ hasPassword }) =>
        hasPassword ? people.hasPassword : <span className="dim">{people.noPassword}</span>,
    },
    { key: 'last', title: people.lastSignedIn, cell: ({ lastSignedInAt }) => <Time at={lastSignedInAt} /> },
    {
      key: 'actions',
      title: people.actions,
      number: true,
      cell: (member) => (
        <div className="row-actions">
          <Button variant="default" size="xs" onClick={() => setAsked({ action: 'reset', member })}>
            {people.reset}
          </Button>
          <Button variant="default" size="xs" onClick={() => setAsked({ action: 'remove', member })}>
            {people.remove}
          </Button>
        </div>
      ),
    },
  ];
  const close = () => setAsked(undefined);
  return (
    <Page
      title={people.title}
      actions={<Button onClick={() => setAsked({ action: 'invite' })}>{people.invite}</Button>}
    >
      {changeRole.error && <Problem error={changeRole.error} />}
      <List of={list} caption={people.title} columns={columns} keyOf={({ id }) => id} expected={3} />
      <dl className="role-help">
        {ROLES.map((role) => (
          <div key={role}>
            <dt>{roles[role]}</dt>
            <dd>{people.roleHelp[role]}</dd>
          </div>
        ))}
      </dl>
      {asked?.action === 'invite' && <Invite onClose={close} />}
      {asked?.action === 'reset' && <Reset member={asked.member} onClose={close} />}
      {asked?.action === 'remove' && <Remove member={asked.member} onClose={close} />}
    </Page>
  );
}

function usePeopleChanged() {
  const queries = useQueryClient();
  const { organizationId } = useSession();
  return () => queries.invalidateQueries({ queryKey: [organizationId, 'staff'] });
}

/** The link is shown once, to copy; Startline sends no email. */
export function LinkMade({ link, onClose }: { link: string; onClose(): void }) {
  const { people, done } = useTexts();
  return (
    <Dialog title={people.linkMade} onClose={onClose}>
      <p>{people.linkHelp}</p>
      <Secret text={location.origin + link} label={people.linkMade} />
      <footer className="dialog-footer">
        <Button onClick={onClose}>{done}</Button>
      </footer>
    </Dialog>
  );
}

function Invite({ onClose }: { onClose(): void }) {
  const { people, roles, cancel } = useTexts();
  const { api } = useSession();
  const changed = usePeopleChanged();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OrganizerRole>('MANAGER');
  const invite = useMutation({
    mutationFn: () => api.post('/console/v1/staff', { body: { email, role } }),
    onSuccess: changed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  if (invite.data) return <LinkMade link={invite.data.link} onClose={onClose} />;
  return (
    <Dialog title={people.invite} onClose={onClose}>
      <form className="fields" onSubmit={submit}>
        {invite.error && <Problem error={invite.error} />}
        <TextInput
          label={people.email}
          type="email"
          required
          data-autofocus
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Select
          label={people.role}
          description={people.roleHelp[role]}
          allowDeselect={false}
          data={ROLES.map((value) => ({ value, label: roles[value] }))}
          value={role}
          onChange={(value) => setRole(value as OrganizerRole)}
        />
        <footer className="dialog-footer">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {people.invite}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

export function Reset({ member, onClose }: { member: StaffMemberItem; onClose(): void }) {
  const { people } = useTexts();
  const { api } = useSession();
  const changed = usePeopleChanged();
  const reset = useMutation({
    mutationFn: () => api.post('/console/v1/staff/{id}/reset', { params: { path: { id: member.id } } }),
    onSuccess: changed,
  });
  if (reset.data) return <LinkMade link={reset.data.link} onClose={onClose} />;
  return (
    <Confirm
      title={`${people.reset}: ${member.email}`}
      action={people.reset}
      pending={reset.isPending}
      error={reset.error}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      <p>{people.resetText}</p>
    </Confirm>
  );
}

export function Remove({ member, onClose }: { member: StaffMemberItem; onClose(): void }) {
  const { people } = useTexts();
  const { api } = useSession();
  const changed = usePeopleChanged();
  const remove = useMutation({
    mutationFn: () => api.delete('/console/v1/staff/{id}', { params: { path: { id: member.id } } }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <Confirm
      title={`${people.remove}: ${member.email}`}
      action={people.remove}
      danger
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{people.removeText}</p>
    </Confirm>
  );
}
