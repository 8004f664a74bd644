import { useState } from 'react';
import type { Participant } from '../../api';
import { FormDialog } from '../../pieces';
import { useChange, useSession } from '../../session';
import { useWords } from '../use-words';
import { OtherPlaces } from './other-places';
import { NOBODY, PERSON_PATHS, PersonFields, personOf } from './person-fields';
import { useMeanwhile } from './use-meanwhile';
import { useQuestions } from './use-questions';
import { useRefusals } from './use-refusals';

interface TransferProps {
  entry: Participant;
  /** Of the place's group. */
  domain?: string | null;
  onClose(): void;
}

/** Gives the place to another person. */
export function TransferParticipant({ entry, domain, onClose }: TransferProps) {
  const words = useWords();
  const { api, me } = useSession();
  const { check, notice } = useMeanwhile(entry);
  const questions = useQuestions(entry.ticketId);
  const [person, setPerson] = useState(NOBODY);
  const given = personOf(person);
  const isBooker = entry.fields.some(({ key, value }) => key === 'email' && value === entry.booker.email);
  const transfer = useChange(
    async () =>
      (await check())
        ? undefined
        : api.post('/v0/participants/{id}/transfer', {
            params: { path: { id: entry.id } },
            body: given,
          }),
    [],
    (transferred) => {
      if (transferred && !transferred.duplicateOf?.length) onClose();
    },
  );
  const refusals = useRefusals(
    transfer.error,
    PERSON_PATHS,
    given.fields.map(({ key }) => key),
  );
  const others = transfer.data?.duplicateOf ?? [];
  if (others.length > 0) return <OtherPlaces ids={others} onShow={onClose} onClose={onClose} />;
  return (
    <FormDialog
      wide
      title={words.transferTitle}
      action={words.transfer}
      pending={transfer.isPending}
      disabled={!questions.asked}
      error={refusals.rest ?? questions.error}
      onSubmit={() => transfer.mutate()}
      onClose={onClose}
    >
      <p>{words.transferHelp}</p>
      <PersonFields
        person={person}
        questions={questions}
        isNew
        needsEmail={me.partner !== null}
        emailOf={me.partner || isBooker ? null : entry.booker.email}
        domain={domain}
        refusalOf={refusals.of}
        onChange={(changes) => setPerson((now) => ({ ...now, ...changes }))}
      />
      {notice}
    </FormDialog>
  );
}
