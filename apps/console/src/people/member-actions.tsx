import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { StaffMemberItem } from '../api';
import { type Column, Confirm, Dialog, Secret, Time } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';

interface Asked {
  action: 'reset' | 'remove';
  member: StaffMemberItem;
}

/** The last columns of a list of members, and the dialogs that their buttons open. */
export function useMemberActions(): { columns: Column<StaffMemberItem>[]; dialog: ReactNode } {
  const { people } = useTexts();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const columns: Column<StaffMemberItem>[] = [
    { title: people.lastSignedIn, cell: ({ lastSignedInAt }) => <Time at={lastSignedInAt} /> },
    {
      title: people.actions,
      number: true,
      cell: (member) => (
        <Group gap={6} justify="flex-end">
          <Button variant="default" size="xs" onClick={() => setAsked({ action: 'reset', member })}>
            {people.reset}
          </Button>
          <Button variant="default" size="xs" onClick={() => setAsked({ action: 'remove', member })}>
            {people.remove}
          </Button>
        </Group>
      ),
    },
  ];
  const dialog =
    asked &&
    (asked.action === 'reset' ? (
      <Reset member={asked.member} onClose={close} />
    ) : (
      <Remove member={asked.member} onClose={close} />
    ));
  return { columns, dialog };
}

/** The link is shown once, to copy; Startline sends no email. */
export function LinkMade({ link, onClose }: { link: string; onClose(): void }) {
  const { people, done } = useTexts();
  return (
    <Dialog title={people.linkMade} done={done} onClose={onClose}>
      <p>{people.linkHelp}</p>
      <Secret text={location.origin + link} label={people.linkMade} />
    </Dialog>
  );
}

function Reset({ member, onClose }: { member: StaffMemberItem; onClose(): void }) {
  const { people } = useTexts();
  const { api } = useSession();
  const reset = useChange(
    () => api.post('/console/v1/staff/{id}/reset', { params: { path: { id: member.id } } }),
    ['staff'],
  );
  if (reset.data) return <LinkMade link={reset.data.link} onClose={onClose} />;
  return (
    <Confirm
      title={`${people.reset}: ${member.email}`}
      action={people.reset}
      change={reset}
      onClose={onClose}
    >
      <p>{people.resetText}</p>
    </Confirm>
  );
}

function Remove({ member, onClose }: { member: StaffMemberItem; onClose(): void }) {
  const { people } = useTexts();
  const { api } = useSession();
  const remove = useChange(
    () => api.delete('/console/v1/staff/{id}', { params: { path: { id: member.id } } }),
    ['staff'],
    onClose,
  );
  return (
    <Confirm
      title={`${people.remove}: ${member.email}`}
      action={people.remove}
      danger
      change={remove}
      onClose={onClose}
    >
      <p>{people.removeText}</p>
    </Confirm>
  );
}
