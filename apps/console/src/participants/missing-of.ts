import type { BookingFormField, Participant } from '../api';

/** What is shown of a question. */
export type Question = Pick<BookingFormField, 'id' | 'key' | 'label' | 'type' | 'options' | 'helpText'>;

export const isAnswered = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The required questions without an answer, and a missing email. */
export function missingOf({ fields }: Participant, questions: readonly BookingFormField[]): Question[] {
  const answers = new Map(fields.map(({ id, value }) => [id, value]));
  const asked = questions.filter(({ key, required }) => required && key !== 'email');
  const open = asked.filter(({ id, type }) =>
    // A waiver is accepted or not; "no" answers other questions.
    type === 'WAIVER' ? answers.get(id) !== true : !isAnswered(answers.get(id)),
  );
  const email = fields
    .filter(({ key, value }) => key === 'email' && !isAnswered(value))
    .map((answer): Question => ({ ...answer, type: 'EMAIL', options: [], helpText: null }));
  return [...email, ...open];
}
