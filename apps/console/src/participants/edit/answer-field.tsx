import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
import type { BookingFormField } from '../../api';
import { countriesIn, EMAIL_INPUT } from '../../pieces';
import { useTexts } from '../../texts';

interface AnswerFieldProps {
  question: Pick<BookingFormField, 'type' | 'label' | 'options' | 'helpText'>;
  value: unknown;
  error?: string;
  /** Whether an answer must be given. */
  required?: boolean;
  onChange(value: unknown): void;
}

const INPUT_TYPES: Record<string, string> = { PHONE: 'tel', DATE: 'date', NUMBER: 'number' };

/** The field for an answer, by the type of the question. Empty is no answer. */
export function AnswerField({ question, value, error, required, onChange }: AnswerFieldProps) {
  const { locale, participants } = useTexts();
  const { type, label, options, helpText } = question;
  const shared = { label, error, required, description: helpText ?? undefined };
  if (type === 'WAIVER')
    return (
      <Checkbox {...shared} checked={value === true} onChange={({ target }) => onChange(target.checked)} />
    );
  // A checkbox cannot tell no from no answer.
  if (type === 'BOOLEAN')
    return (
      <Select
        {...shared}
        clearable
        data={[
          { value: 'true', label: participants.yes },
          { value: 'false', label: participants.no },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => onChange(chosen && chosen === 'true')}
      />
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
        data={withStored(type === 'SELECT' ? options : countriesIn(locale), value)}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      {...shared}
      {...(type === 'EMAIL' && EMAIL_INPUT)}
      type={INPUT_TYPES[type] ?? 'text'}
      step={type === 'NUMBER' ? 'any' : undefined}
      value={value === null || value === undefined ? '' : String(value)}
      onChange={({ target }) => onChange(type === 'NUMBER' ? numberIn(target) : target.value || null)}
    />
  );
}

const numberIn = ({ valueAsNumber }: HTMLInputElement) =>
  Number.isNaN(valueAsNumber) ? null : valueAsNumber;

/** Also what is answered already, if it is none of the choices. */
export const withStored = (choices: readonly { value: string; label: string }[], value: unknown) =>
  typeof value !== 'string' || !value || choices.some((each) => each.value === value)
    ? choices
    : [...choices, { value, label: value }];
