import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Participant } from '../../api';
import { FormDialog } from '../../pieces';
import { useChange, useSession } from '../../session';
import { useTexts } from '../../texts';
import { isAnswered, type Unanswered } from '../missing-of';
import { useWords } from '../use-words';
import { AnswerField } from './answer-field';
import { type Answer, PERSON_PATHS, type Person } from './person-fields';
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
const storedOf = ({ answers, ...person }: Person, key: string): unknown => {
  const own = ofPerson(key);
  return own ? person[own] : answers[key];
};

/** Adds answers where there are none, as many as are known. What others have added meanwhile is theirs, and is not asked any more. */
export function FillInParticipant({ entry, unanswered, domain, onClose }: FillInProps) {
  const { partner, save } = useTexts();
  const words = useWords();
  const { api } = useSession();
  const { known, check, notice } = useMeanwhile(entry);
  const [asked] = useState(unanswered);
  const [typed, setTyped] = useState<Record<string, unknown>>({});
  const open = asked.filter(({ key }) => !isAnswered(storedOf(known.person, key)));
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
      <div className="tiles">
        {open.map((question) => {
          const { key, needed, type } = question;
          const shared = {
            label: needed ? partner.asked(question.label) : question.label,
            value: typed[key],
            error: refusals.of(key),
            onChange: (value: unknown) => setTyped((now) => ({ ...now, [key]: value })),
          };
          if (type === 'BOOLEAN') return <YesOrNo key={key} {...shared} />;
          const { label, ...others } = shared;
          const helpText =
            key === 'email' && domain ? partner.domain(domain.replace(/^@/, '')) : question.helpText;
          return <AnswerField key={key} question={{ ...question, label, helpText }} {...others} />;
        })}
      </div>
      {notice}
    </FormDialog>
  );
}

interface YesOrNoProps {
  label: string;
  value: unknown;
  error?: string;
  onChange(value: boolean | null): void;
}

/** Neither is chosen yet: an empty checkbox would be read as no. */
function YesOrNo({ value, onChange, ...shared }: YesOrNoProps) {
  const { participants } = useTexts();
  return (
    <Select
      {...shared}
      clearable
      data={[
        { value: 'true', label: participants.yes },
        { value: 'false', label: participants.no },
      ]}
      value={typeof value === 'boolean' ? String(value) : null}
      onChange={(chosen) => onChange(chosen === null ? null : chosen === 'true')}
    />
  );
}
