import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StaffMemberItem, StaffRole } from '../api';
import { type Column, EMAIL_INPUT, FormDialog, List, Page, Problem } from '../pieces';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';
import { LinkMade, useMemberActions } from './member-actions';

type OrganizerRole = Exclude<StaffRole, 'PARTNER'>;
const ROLES: OrganizerRole[] = ['OWNER', 'MANAGER', 'VIEWER', 'RACE_DAY'];

export function PeoplePage() {
  const { people, roles, participants, account } = useTexts();
  const { api, me } = useSession();
  const [inviting, setInviting] = useState(false);
  const actions = useMemberActions();
  const list = useGet(['staff'], '/console/v1/staff', undefined, { refetchInterval: 5_000 });
  const changeRole = useChange(
    ({ id, role }: { id: string; role: OrganizerRole }) =>
      api.patch('/console/v1/staff/{id}', { params: { path: { id } }, body: { role } }),
    ['staff'],
  );
  const columns: Column<StaffMemberItem>[] = [
    {
      title: participants.email,
      main: true,
      cell: ({ id, email }) => (
        <>
          <strong>{email}</strong> {id === me.id && <span className="dim">{people.you}</span>}
        </>
      ),
    },
    {
      title: people.role,
      cell: ({ id, email, role }) =>
        role === 'PARTNER' ? (
          roles[role]
        ) : (
          <Select
            size="xs"
            aria-label={people.roleOf(email)}
            data={ROLES.map((value) => ({ value, label: roles[value] }))}
            value={role}
            onChange={(value) => value && changeRole.mutate({ id, role: value as OrganizerRole })}
          />
        ),
    },
    {
      title: account.password,
      cell: ({ hasPassword }) =>
        hasPassword ? people.hasPassword : <span className="dim">{people.noPassword}</span>,
    },
    ...actions.columns,
  ];
  const close = () => setInviting(false);
  return (
    <Page title={people.title} actions={<Button onClick={() => setInviting(true)}>{people.invite}</Button>}>
      {changeRole.error && <Problem error={changeRole.error} />}
      <List of={list} caption={people.title} columns={columns} expected={3} />
      <dl className="tiles">
        {ROLES.map((role) => (
          <div key={role}>
            <dt>{roles[role]}</dt>
            <dd>{people.roleHelp[role]}</dd>
          </div>
        ))}
      </dl>
      {inviting && <Invite onClose={close} />}
      {actions.dialog}
    </Page>
  );
}

function Invite({ onClose }: { onClose(): void }) {
  const { people, roles, participants } = useTexts();
  const { api } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OrganizerRole>('MANAGER');
  const invite = useChange(() => api.post('/console/v1/staff', { body: { email, role } }), ['staff']);
  if (invite.data) return <LinkMade link={invite.data.link} onClose={onClose} />;
  return (
    <FormDialog title={people.invite} action={people.invite} change={invite} onClose={onClose}>
      <TextInput
        label={participants.email}
        {...EMAIL_INPUT}
        required
        data-autofocus
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Select
        label={people.role}
        description={people.roleHelp[role]}
        data={ROLES.map((value) => ({ value, label: roles[value] }))}
        value={role}
        onChange={(value) => setRole(value as OrganizerRole)}
      />
    </FormDialog>
  );
}
