import type { FieldAnswer, Participant } from '../api';
import { countriesIn } from '../pieces/countries';
import { Facts } from '../pieces/page';
import { useDay } from '../pieces/time';
import { useTexts } from '../texts';
import { useQuestionsOf } from './edit/use-questions';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The answers of a participant, in words: labels of options, names of countries, local dates. */
export function Answers({ entry: { ticketId, fields } }: { entry: Participant }) {
  const { participants, locale } = useTexts();
  const day = useDay();
  const questions = useQuestionsOf([ticketId]).of.get(ticketId) ?? [];
  const wordsOf = ({ id, type }: FieldAnswer, value: unknown): string | undefined => {
    if (value === null || value === undefined || value === '') return undefined;
    if (typeof value === 'boolean') return value ? participants.yes : participants.no;
    if (type === 'DATE' && DAY.test(String(value))) return day(String(value));
    const question = questions.find((each) => each.id === id);
    const choices = type === 'COUNTRY' ? countriesIn(locale) : question?.options;
    return choices?.find((each) => each.value === value)?.label ?? String(value);
  };
  const shown = (answer: FieldAnswer) =>
    Array.isArray(answer.value)
      ? answer.value.map((each) => wordsOf(answer, each)).join(', ')
      : wordsOf(answer, answer.value);
  return <Facts facts={fields.map((answer) => [answer.label, shown(answer)] as const)} />;
}
