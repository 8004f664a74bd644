import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { StaffMemberItem } from '../api';
import { LinkMade, useMemberActions } from '../people/member-actions';
import { Card, type Column, EMAIL_INPUT, FormDialog, List } from '../pieces';
import { useChange, useGet, useSession } from '../session';
import { useTexts } from '../texts';

/** The people who work for a partner. Only owners see and invite them, as with staff. */
export function PartnerMembers({ id, name }: { id: string; name: string }) {
  const { partner, people, participants } = useTexts();
  const { may } = useSession();
  const [inviting, setInviting] = useState(false);
  const actions = useMemberActions();
  const isOwner = may('OWNER');
  const list = useGet(
    ['staff', 'partner', id],
    '/console/v1/partners/{id}/members',
    { path: { id } },
    { enabled: isOwner },
  );
  if (!isOwner) return null;
  const columns: Column<StaffMemberItem>[] = [
    { title: participants.email, main: true, cell: ({ email }) => <strong>{email}</strong> },
    ...actions.columns,
  ];
  const close = () => setInviting(false);
  return (
    <Card
      title={partner.members}
      actions={
        <Button variant="default" size="xs" onClick={() => setInviting(true)}>
          {people.invite}
        </Button>
      }
    >
      <p className="dim">{partner.membersHelp}</p>
      <List
        of={list}
        caption={partner.members}
        columns={columns}
        expected={1}
        empty={<p className="dim">{partner.noMembers}</p>}
      />
      {inviting && <InviteMember id={id} name={name} onClose={close} />}
      {actions.dialog}
    </Card>
  );
}

function InviteMember({ id, name, onClose }: { id: string; name: string; onClose(): void }) {
  const { partner, people, participants } = useTexts();
  const { api } = useSession();
  const [email, setEmail] = useState('');
  const invite = useChange(
    () => api.post('/console/v1/partners/{id}/members', { params: { path: { id } }, body: { email } }),
    ['staff'],
  );
  if (invite.data) return <LinkMade link={invite.data.link} onClose={onClose} />;
  return (
    <FormDialog title={partner.inviteMember(name)} action={people.invite} change={invite} onClose={onClose}>
      <p>{partner.membersHelp}</p>
      <TextInput
        label={participants.email}
        {...EMAIL_INPUT}
        required
        maxLength={255}
        data-autofocus
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
    </FormDialog>
  );
}
