import type { Participant } from '../../api';
import { Confirm } from '../../pieces';
import { useChange, useSession } from '../../session';
import { listed } from '../listed';
import { PersonName } from '../person';
import { useWords } from '../use-words';

/** Cancels one entry; the others of its booking stay. */
export function CancelParticipant({ entry, onClose }: { entry: Participant; onClose(): void }) {
  const words = useWords();
  const { api } = useSession();
  const cancel = useChange(
    () => api.delete('/v0/participants/{id}', { params: { path: { id: entry.id } } }),
    [],
    onClose,
  );
  return (
    <Confirm
      title={words.cancelEntryTitle}
      action={words.cancelEntry}
      keep={words.cancelEntryKeep}
      danger
      change={cancel}
      onClose={onClose}
    >
      <p>
        <strong>
          <PersonName person={listed(entry)} />
        </strong>
      </p>
      <p>{words.cancelEntryHelp}</p>
      <p>{words.cancelEntryFrees}</p>
      <p>{words.cancelPayment}</p>
    </Confirm>
  );
}
