import { Checkbox, MultiSelect, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import { PartnerSelect } from '../../partners/partner-select';
import { countriesIn, englishNameOf } from '../../pieces';
import { useTexts } from '../../texts';
import type { Row } from '../write-catalogue';
import { AmountField, DiscountField } from './amounts';
import { isWithin, useEditing, wordsOf } from './editing';
import { HtmlField } from './html-field';
import { localOf, timeOf } from './local-time';
import { at, below } from './paths';
import type { Field } from './shapes';
import { timeZonesWith } from './time-zones';
import { TitlesField } from './titles-field';
import { type InputProps, useTyped } from './use-typed';

/** One property of a row, by its description. */
export const FormField = memo(function FormField({
  field,
  row,
  path,
}: {
  field: Field;
  row: Row;
  path: string;
}) {
  const { eventForm: words } = useTexts();
  const { set, wrong } = useEditing();
  const own = below(path, field.path);
  // By what is stored, not by what is being typed.
  const [disabled] = useState(() => field.fixed?.(row));
  const problems = wrong.filter((each) => isWithin(each.path, own));
  const help = words.help[field.name as keyof typeof words.help];
  const props: InputProps = {
    label: words.fields[field.name],
    description: help,
    required: field.required,
    disabled,
    error: problems.length > 0 ? problems.map((each) => wordsOf(each, field, words)).join(' ') : undefined,
  };
  const stored = at(row, field.path);
  const value = stored ?? field.default;
  const change = (next: unknown) => set(own, next === field.default || next === '' ? undefined : next);
  return (
    <div className={field.wide ? 'form-wide' : undefined} data-path={own}>
      <InputOf field={field} props={props} row={row} value={value} path={own} change={change} />
    </div>
  );
});

interface InputOfProps {
  field: Field;
  props: InputProps;
  row: Row;
  value: unknown;
  path: string;
  change(value: unknown): void;
}

function InputOf({ field: { input, required }, props, row, value, path, change }: InputOfProps) {
  const { eventForm: words } = useTexts();
  const { zone, currency, names, set } = useEditing();
  const text = typeof value === 'string' ? value : '';
  const typed = {
    ...{ ...props, value: text },
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  switch (input.kind) {
    case 'text':
    case 'slug':
    case 'url':
      return <TextInput {...typed} type={input.kind === 'url' ? 'url' : 'text'} maxLength={input.most} />;
    case 'long':
      return <Textarea {...typed} rows={3} maxLength={input.most} />;
    case 'html':
      return <HtmlField {...props} most={input.most} value={text} onChange={change} />;
    case 'date':
      return <TextInput {...typed} type="date" />;
    case 'time':
      return (
        <TextInput
          {...props}
          type="time"
          value={text.replace(/:00$/, '')}
          onChange={({ target }) =>
            change(target.value && (target.value.length === 5 ? `${target.value}:00` : target.value))
          }
        />
      );
    case 'instant':
      return <InstantField {...props} zone={zone} value={text} onChange={change} />;
    case 'flag':
      return (
        <Checkbox
          label={props.label}
          description={props.description}
          error={props.error}
          checked={value === true}
          onChange={({ target }) => change(target.checked)}
        />
      );
    case 'count':
    case 'decimal':
      return <NumberField {...props} whole={input.kind === 'count'} value={value} onChange={change} />;
    case 'price':
      return <AmountField {...props} currency={currency} value={value} onChange={change} />;
    case 'discount':
      return <DiscountField {...props} currency={currency} value={value} onChange={change} />;
    case 'titles':
      return <TitlesField {...props} value={value} onChange={change} />;
    case 'zone':
      return (
        <Select
          {...props}
          searchable
          limit={60}
          data={timeZonesWith(text)}
          value={text || null}
          onChange={change}
        />
      );
    case 'country':
      return (
        <CountryField
          {...props}
          value={text}
          onChange={(code, name) => {
            change(code);
            set(path.replace(/Code$/, 'Name'), name);
          }}
        />
      );
    case 'partner':
      return (
        <PartnerSelect
          {...props}
          clearable={!required}
          value={(row.subPartner as string | undefined) || text || null}
          onChange={(next) => {
            change(next ?? undefined);
            set(path.replace(/partner$/, 'subPartner'), undefined);
          }}
        />
      );
    case 'choice':
      return (
        <Select
          {...props}
          data={Object.entries(words.choices[input.of]).map(([key, label]) => ({ value: key, label }))}
          searchable={Object.keys(words.choices[input.of]).length > 8}
          clearable={!required}
          value={text || null}
          onChange={(next) => change(next ?? undefined)}
        />
      );
    case 'name':
      return (
        <Select
          {...props}
          searchable
          clearable={!required}
          data={withMissing(names[input.of], text ? [text] : [])}
          nothingFoundMessage={words.nothingToChoose}
          value={text || null}
          onChange={(next) => change(next ?? undefined)}
        />
      );
    case 'names': {
      const chosen = Array.isArray(value) ? (value as string[]) : [];
      return (
        <MultiSelect
          {...props}
          searchable
          hidePickedOptions
          maxValues={input.most}
          data={withMissing(names[input.of], chosen)}
          nothingFoundMessage={words.nothingToChoose}
          value={chosen}
          onChange={(next) => change(next.length > 0 ? next : undefined)}
        />
      );
    }
    case 'words':
      return (
        <TagsInput
          {...props}
          maxTags={input.most}
          value={Array.isArray(value) ? (value as string[]) : []}
          onChange={(next) => change(next.length > 0 ? next : undefined)}
        />
      );
    case 'addresses':
      return <LinesField {...props} value={value} onChange={change} />;
  }
}

/** Names that are stored, and that no record has that is shown here. */
const withMissing = (known: { value: string; label: string }[], chosen: string[]) => [
  ...known,
  ...chosen
    .filter((value) => !known.some((each) => each.value === value))
    .map((value) => ({ value, label: value })),
];

type Of<Value> = InputProps & { value: Value; onChange(value: unknown): void };

/** A number in the notation of any language. A distance such as `42.195` has no sign for thousands; a whole number neither. */
const readNumber = (whole: boolean) => (text: string) =>
  (whole ? /^\d+$/ : /^-?\d+(?:[.,]\d{1,6})?$/).test(text) ? Number(text.replace(',', '.')) : text;

export function NumberField({ value, whole, onChange, ...props }: Of<unknown> & { whole: boolean }) {
  const { locale } = useTexts();
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 15, useGrouping: false });
  const field = useTyped(
    value,
    (stored) => (typeof stored === 'number' ? format.format(stored) : ''),
    whole ? readNumber(true) : readNumber(false),
    onChange,
  );
  return <TextInput {...props} {...field} inputMode={whole ? 'numeric' : 'decimal'} maxLength={20} />;
}

/** An instant, in the time zone. What is typed back is no change. */
export function InstantField({ value, zone, onChange, ...props }: Of<string> & { zone: string }) {
  const [before] = useState(value);
  const [typing, setTyping] = useState<string>();
  const read = (text: string) => (text === localOf(before, zone) ? before : timeOf(text)) || undefined;
  return (
    <TextInput
      {...props}
      type="datetime-local"
      value={typing ?? localOf(value, zone)}
      onBlur={() => setTyping(undefined)}
      onChange={({ target }) => {
        setTyping(target.value);
        onChange(read(target.value));
      }}
    />
  );
}

function LinesField({ value, onChange, ...props }: Of<unknown>) {
  const [typing, setTyping] = useState<string>();
  return (
    <Textarea
      {...props}
      rows={3}
      value={typing ?? (Array.isArray(value) ? value.join('\n') : '')}
      onBlur={() => setTyping(undefined)}
      onChange={({ target }) => {
        setTyping(target.value);
        const lines = target.value
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean);
        onChange(lines.length > 0 ? lines : undefined);
      }}
    />
  );
}

function CountryField({
  value,
  onChange,
  ...props
}: InputProps & { value: string; onChange(code: string | undefined, name: string | undefined): void }) {
  const { locale } = useTexts();
  return (
    <Select
      {...props}
      searchable
      clearable
      data={countriesIn(locale)}
      value={value || null}
      onChange={(code) => onChange(code ?? undefined, code ? englishNameOf(code) : undefined)}
    />
  );
}
