import { useState } from 'react';
import type { Participant } from '../../api';
import { FormDialog } from '../../pieces';
import { useChange, useSession } from '../../session';
import { useTexts } from '../../texts';
import { OtherPlaces } from './other-places';
import { NOBODY, PERSON_PATHS, PersonFields, personOf } from './person-fields';
import { useMeanwhile } from './use-meanwhile';
import { useQuestions } from './use-questions';
import { useRefusals } from './use-refusals';

interface TransferProps {
  entry: Participant;
  /** What a partner's form says, and where its pages of runners are. */
  words?: { title: string; action: string; help: string; pages: string };
  /** A partner need not know all answers yet. */
  later?: boolean;
  emailHelp?: string;
  onClose(): void;
}

/** Gives the place to another person. */
export function TransferParticipant({ entry, words, later, emailHelp, onClose }: TransferProps) {
  const { participants } = useTexts();
  const { api } = useSession();
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
  if (others.length > 0)
    return <OtherPlaces ids={others} pages={words?.pages} onShow={onClose} onClose={onClose} />;
  return (
    <FormDialog
      wide
      title={words?.title ?? participants.transferTitle}
      action={words?.action ?? participants.transfer}
      pending={transfer.isPending}
      disabled={!questions.asked}
      error={refusals.rest ?? questions.error}
      onSubmit={() => transfer.mutate()}
      onClose={onClose}
    >
      <p>{words?.help ?? participants.transferHelp}</p>
      <PersonFields
        person={person}
        questions={questions}
        isNew={!later}
        needsEmail={words !== undefined}
        emailOf={words || isBooker ? null : entry.booker.email}
        later={later}
        emailHelp={emailHelp}
        refusalOf={refusals.of}
        onChange={(changes) => setPerson((now) => ({ ...now, ...changes }))}
      />
      {notice}
    </FormDialog>
  );
}
