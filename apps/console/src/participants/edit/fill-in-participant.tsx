import { Fragment, useState } from 'react';
import type { Participant } from '../../api';
import { FormDialog } from '../../pieces';
import { useChange, useSession } from '../../session';
import { useTexts } from '../../texts';
import { isAnswered, type Unanswered } from '../unanswered-of';
import { useWords } from '../use-words';
import { AnswerField } from './answer-field';
import { type Answer, PERSON_PATHS } from './person-fields';
import { useMeanwhile } from './use-meanwhile';
import { useRefusals } from './use-refusals';

interface FillInProps {
  entry: Participant;
  unanswered: Unanswered[];
  /** The only domain of emails, of the place's group. */
  domain?: string | null;
  onClose(): void;
}

const ofPerson = (key: string) => PERSON_PATHS.find((each) => each === key);

/** Adds answers where there are none, as many as are known. What others have added meanwhile is theirs, and is not asked any more. */
export function FillInParticipant({ entry, unanswered, domain, onClose }: FillInProps) {
  const { partner, save } = useTexts();
  const words = useWords();
  const { api } = useSession();
  const { known, check, notice } = useMeanwhile(entry);
  const [asked] = useState(unanswered);
  const [typed, setTyped] = useState<Record<string, unknown>>({});
  const stored: Record<string, unknown> = { ...known.person, ...known.person.answers };
  const open = asked.filter(({ key }) => !isAnswered(stored[key]));
  const given = open.flatMap(({ key }) => {
    const value = typeof typed[key] === 'string' ? typed[key].trim() : typed[key];
    return isAnswered(value) ? [{ key, value: value as Answer }] : [];
  });
  const fields = given.filter(({ key }) => !ofPerson(key));
  const fill = useChange(
    async () => {
      if (await check()) return undefined;
      const person = given.filter(({ key }) => ofPerson(key)).map(({ key, value }) => [key, value]);
      const body = { ...Object.fromEntries(person), ...(fields.length > 0 && { fields }) };
      return api.patch('/v0/participants/{id}', { params: { path: { id: entry.id } }, body });
    },
    [],
    (filled) => filled && onClose(),
  );
  const refusals = useRefusals(
    fill.error,
    PERSON_PATHS,
    fields.map(({ key }) => key),
  );
  const fieldOf = (question: Unanswered) => {
    const { key } = question;
    const helpText = key === 'email' && domain ? partner.domain(domain.replace(/^@/, '')) : question.helpText;
    return (
      <AnswerField
        key={key}
        question={{ ...question, helpText }}
        value={typed[key]}
        error={refusals.of(key)}
        onChange={(value) => setTyped((now) => ({ ...now, [key]: value }))}
      />
    );
  };
  return (
    <FormDialog
      wide
      title={words.editTitle}
      action={save}
      pending={fill.isPending}
      disabled={given.length === 0}
      error={refusals.rest}
      onSubmit={() => fill.mutate()}
      onClose={onClose}
    >
      <p className="dim">{partner.fillInHelp}</p>
      {[true, false].map((needed) => {
        const questions = open.filter((question) => question.needed === needed);
        return (
          questions.length > 0 && (
            <Fragment key={String(needed)}>
              <h3>{needed ? partner.needed : partner.optional}</h3>
              <div className="tiles">{questions.map(fieldOf)}</div>
            </Fragment>
          )
        );
      })}
      {notice}
    </FormDialog>
  );
}
