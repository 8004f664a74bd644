import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import { countriesIn } from '../../pieces/countries';
import { useTexts } from '../../texts';
import type { Question } from './use-questions';

interface AnswerFieldProps {
  question: Question;
  value: unknown;
  error?: string;
  /** Whether an answer must be given. */
  required?: boolean;
  onChange(value: unknown): void;
}

const INPUT_TYPES: Record<string, string> = { EMAIL: 'email', PHONE: 'tel', DATE: 'date', NUMBER: 'number' };

/** The field for an answer, by the type of the question. Empty is no answer. */
export function AnswerField({ question, value, error, required, onChange }: AnswerFieldProps) {
  const { locale } = useTexts();
  const { type, label, options, helpText } = question;
  const shared = { label, error, required, description: helpText ?? undefined };
  if (type === 'BOOLEAN' || type === 'WAIVER')
    return (
      <Checkbox {...shared} checked={value === true} onChange={({ target }) => onChange(target.checked)} />
    );
  if (type === 'MULTI_SELECT')
    return (
      <MultiSelect
        {...shared}
        data={options}
        value={Array.isArray(value) ? (value as string[]) : []}
        onChange={(chosen) => onChange(chosen.length > 0 ? chosen : null)}
      />
    );
  if (type === 'SELECT' || type === 'COUNTRY')
    return (
      <Select
        {...shared}
        searchable
        clearable
        data={type === 'SELECT' ? options : countriesWith(locale, value)}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      {...shared}
      type={INPUT_TYPES[type] ?? 'text'}
      step={type === 'NUMBER' ? 'any' : undefined}
      value={value === null || value === undefined ? '' : String(value)}
      onChange={({ target }) => onChange(type === 'NUMBER' ? numberIn(target) : target.value || null)}
    />
  );
}

const numberIn = ({ valueAsNumber }: HTMLInputElement) =>
  Number.isNaN(valueAsNumber) ? null : valueAsNumber;

/** Also what is answered already, if it is no country. */
function countriesWith(locale: string, value: unknown) {
  const known = countriesIn(locale);
  if (typeof value !== 'string' || !value || known.some((each) => each.value === value)) return known;
  return [...known, { value, label: value }];
}
