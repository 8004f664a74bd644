import { Select, TextInput } from '@mantine/core';
import { EMAIL_INPUT, Later } from '../../pieces';
import { useSession } from '../../session';
import { useTexts } from '../../texts';
import { AnswerField, withStored } from './answer-field';
import type { Questions } from './use-questions';

export type Answer = string | number | boolean | string[] | null;

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: string;
  gender: string | null;
  /** By the key of the question. */
  answers: Record<string, unknown>;
}

export const NOBODY: Person = {
  firstName: '',
  lastName: '',
  email: '',
  dateOfBirth: '',
  gender: null,
  answers: {},
};

/** Paths of refusals that have a field. */
export const PERSON_PATHS = ['firstName', 'lastName', 'email', 'dateOfBirth', 'gender'] as const;

interface PersonFieldsProps {
  person: Person;
  questions: Questions;
  /**
   * A new person answers what the forms require; a correction can leave it as it is. A partner need not know all answers yet, and a waiver is the
   * participant's own to accept.
   */
  isNew?: boolean;
  needsEmail?: boolean;
  /** The only domain of emails, of a reserved group. */
  domain?: string | null;
  /** Shown where the email is empty. */
  emailOf?: string | null;
  refusalOf(path: string): string | undefined;
  onChange(changes: Partial<Person>): void;
}

/** Who a participant is, and what they answer. */
export function PersonFields({
  person,
  questions: { asked = [], genders, required },
  isNew,
  needsEmail,
  domain,
  emailOf,
  refusalOf,
  onChange,
}: PersonFieldsProps) {
  const { participants, partner } = useTexts();
  const { me } = useSession();
  const mustAnswer = isNew && !me.partner;
  const shown = me.partner
    ? asked
        .filter(({ type }) => type !== 'WAIVER')
        .map((each) => (each.required ? { ...each, label: partner.asked(each.label) } : each))
    : asked;
  const text = (name: 'firstName' | 'lastName' | 'email' | 'dateOfBirth') => ({
    label: participants.fields[name],
    error: refusalOf(name),
    value: person[name],
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
  });
  const gender = { label: participants.fields.gender, error: refusalOf('gender') };
  return (
    <div className="tiles">
      <TextInput {...text('firstName')} required={!person.lastName.trim()} maxLength={255} data-autofocus />
      <TextInput {...text('lastName')} required={!person.firstName.trim()} maxLength={255} />
      <Later>
        <TextInput
          {...text('email')}
          {...EMAIL_INPUT}
          required={needsEmail}
          maxLength={254}
          description={domain ? partner.domain(domain.replace(/^@/, '')) : undefined}
          placeholder={emailOf ?? undefined}
        />
        <TextInput
          {...text('dateOfBirth')}
          type="date"
          required={mustAnswer && required.has('dateOfBirth')}
        />
        {genders ? (
          <Select
            {...gender}
            clearable
            required={mustAnswer && required.has('gender')}
            data={withStored(genders, person.gender)}
            value={person.gender}
            onChange={(value) => onChange({ gender: value })}
          />
        ) : (
          <TextInput
            {...gender}
            maxLength={50}
            value={person.gender ?? ''}
            onChange={({ target }) => onChange({ gender: target.value || null })}
          />
        )}
      </Later>
      {shown.length > 0 && (
        <Later>
          {shown.map((question) => (
            <AnswerField
              key={question.id}
              question={question}
              required={mustAnswer && question.required}
              value={person.answers[question.key]}
              error={refusalOf(question.key)}
              onChange={(value) => onChange({ answers: { ...person.answers, [question.key]: value } })}
            />
          ))}
        </Later>
      )}
    </div>
  );
}

/** The person as requests name them, with the given answers only: of `asked`, if another ticket can have been chosen meanwhile. */
export const personOf = (
  { firstName, lastName, email, dateOfBirth, gender, answers }: Person,
  asked?: Questions['asked'],
) => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim() || null,
  dateOfBirth: dateOfBirth || null,
  gender: gender || null,
  fields: Object.entries(answers)
    .filter(
      ([of, value]) =>
        value !== null && value !== undefined && (!asked || asked.some(({ key }) => key === of)),
    )
    .map(([key, value]) => ({ key, value: value as Answer })),
});
