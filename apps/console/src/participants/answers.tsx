import type { FieldAnswer, Participant } from '../api';
import { countriesIn, Facts, useDay } from '../pieces';
import { useTexts } from '../texts';
import { useQuestionsOf } from './edit/use-questions';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Writes values of answers in words: labels of options, names of countries, local dates. */
export function useAnswerWords(ticketId: string) {
  const { participants, locale } = useTexts();
  const day = useDay();
  const questions = useQuestionsOf([ticketId]).of.get(ticketId) ?? [];
  const wordsOf = (answer: FieldAnswer, value: unknown): string | undefined => {
    if (value === null || value === undefined || value === '') return undefined;
    if (Array.isArray(value)) return value.map((each) => wordsOf(answer, each)).join(', ') || undefined;
    if (typeof value === 'boolean') return value ? participants.yes : participants.no;
    if (answer.type === 'DATE' && DAY.test(String(value))) return day(String(value));
    const question = questions.find(({ id }) => id === answer.id);
    const choices = answer.type === 'COUNTRY' ? countriesIn(locale) : question?.options;
    return choices?.find((each) => each.value === value)?.label ?? String(value);
  };
  return wordsOf;
}

export function Answers({
  entry: { ticketId, fields },
}: {
  entry: Pick<Participant, 'ticketId' | 'fields'>;
}) {
  const wordsOf = useAnswerWords(ticketId);
  return <Facts facts={fields.map((answer) => [answer.label, wordsOf(answer, answer.value)] as const)} />;
}
