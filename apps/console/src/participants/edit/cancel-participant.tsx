import type { Participant } from '../../api';
import { Confirm } from '../../pieces';
import { useChange, useSession } from '../../session';
import { useTexts } from '../../texts';

/** Cancels one entry; the others of its booking stay. */
export function CancelParticipant({ entry, onClose }: { entry: Participant; onClose(): void }) {
  const { participants } = useTexts();
  const { api } = useSession();
  const cancel = useChange(
    () => api.delete('/v0/participants/{id}', { params: { path: { id: entry.id } } }),
    [],
    onClose,
  );
  return (
    <Confirm
      title={participants.cancelEntryTitle}
      action={participants.cancelEntry}
      keep={participants.cancelEntryKeep}
      danger
      change={cancel}
      onClose={onClose}
    >
      <p>{participants.cancelEntryHelp}</p>
      <p>{participants.cancelEntryFrees}</p>
      <p>{participants.cancelPayment}</p>
    </Confirm>
  );
}
