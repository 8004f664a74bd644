import type { ReactNode } from 'react';
import type { Participant } from '../api';
import { TransferParticipant } from '../participants/edit/transfer-participant';
import { Confirm } from '../pieces';
import { useChange, useSession } from '../session';
import { useTexts } from '../texts';

interface ReplaceRunnerProps {
  runner: Participant;
  domain: string | null;
  onClose(): void;
}

/** Gives the place to another person. Bib and ticket stay. */
export function ReplaceRunner({ runner, domain, onClose }: ReplaceRunnerProps) {
  const { partner, participants } = useTexts();
  return (
    <TransferParticipant
      entry={runner}
      words={{
        title: participants.transferTitle,
        action: partner.replace,
        help: partner.replaceText,
        pages: '/runners',
      }}
      later
      emailHelp={domain ? partner.domain(domain.replace(/^@/, '')) : undefined}
      onClose={onClose}
    />
  );
}

export function GiveBack({
  runner,
  name,
  onClose,
}: {
  runner: Participant;
  name: ReactNode;
  onClose(): void;
}) {
  const { partner } = useTexts();
  const { api } = useSession();
  const cancel = useChange(
    () => api.delete('/v0/participants/{id}', { params: { path: { id: runner.id } } }),
    ['partner'],
    onClose,
  );
  return (
    <Confirm
      title={partner.giveBackTitle}
      action={partner.giveBack}
      keep={partner.keep}
      danger
      change={cancel}
      onClose={onClose}
    >
      <p>
        <strong>{name}</strong>
      </p>
      <p>{partner.giveBackText}</p>
    </Confirm>
  );
}
