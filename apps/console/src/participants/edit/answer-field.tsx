import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core';
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
        data={type === 'SELECT' ? options : countriesIn(locale, value)}
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

type Country = { value: string; label: string };
const countries = new Map<string, Country[]>();

/** All codes that the browser knows a name of, found once: a form renders with each key. */
function countriesIn(locale: string, value: unknown): Country[] {
  const known = countries.get(locale) ?? namedIn(locale);
  countries.set(locale, known);
  if (typeof value !== 'string' || !value || known.some((each) => each.value === value)) return known;
  return [...known, { value, label: value }];
}

function namedIn(locale: string): Country[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => !NOT_COUNTRIES.has(code));
  const named = codes.flatMap((value) => {
    const label = names.of(value);
    return label ? { value, label } : [];
  });
  const { compare } = new Intl.Collator(locale);
  return named.sort((a, b) => compare(a.label, b.label));
}

const NOT_COUNTRIES = new Set([
  'EU',
  'EZ',
  'UN',
  'QO',
  'XA',
  'XB',
  'ZZ',
  'AC',
  'CP',
  'DG',
  'EA',
  'IC',
  'TA',
  'CQ',
]);
