import type { BookingFormField, FieldAnswer, Participant } from '../api';

export interface Unanswered
  extends Pick<BookingFormField, 'id' | 'key' | 'label' | 'type' | 'options' | 'helpText'> {
  /** Whether the start needs the answer: a required question, or the email. */
  needed: boolean;
}

/** Questions about the person, which an entry has also if no form asks them. */
const OF_PERSON: Record<string, Unanswered['type'] | undefined> = {
  firstName: 'TEXT',
  lastName: 'TEXT',
  email: 'EMAIL',
  dateOfBirth: 'DATE',
};

export const isAnswered = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The questions without an answer, first those that the start needs. */
export function unansweredOf({ fields }: Participant, questions: readonly BookingFormField[]): Unanswered[] {
  const answers = new Map(fields.map(({ id, value }) => [id, value]));
  const isAsked = (field: FieldAnswer) => questions.some(({ id }) => id === field.id);
  const ofPerson = fields.flatMap((field) => {
    const type = OF_PERSON[field.key];
    return type && !isAsked(field) ? [{ ...field, type, options: [], helpText: null, required: false }] : [];
  });
  const open = [...ofPerson, ...questions]
    // A waiver is accepted or not; "no" answers other questions.
    .filter(({ id, type }) => (type === 'WAIVER' ? answers.get(id) !== true : !isAnswered(answers.get(id))))
    .map((question) => ({ ...question, needed: question.required || question.key === 'email' }));
  return open.sort((one, other) => Number(other.needed) - Number(one.needed));
}
