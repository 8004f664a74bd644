import { Select, TextInput } from '@mantine/core';
import { nameOfField, type SheetField } from '../api';
import { Card } from '../pieces';
import { useLanguage, useTexts } from '../texts';
import { type Choice, useOccurrences } from './use-occurrences';

const OCCURRENCE = 'eventOccurrenceId';
const TICKET = 'participants[0].ticketId';

interface FixedValuesProps {
  fields: readonly Pick<SheetField, 'path' | 'required' | 'format' | 'values' | 'description'>[];
  taken: Set<string>;
  fixed: Record<string, string>;
  tickets: Choice[];
  /** Paths of currencies that nothing tells. */
  currencies: string[];
  /** The occurrence whose records the file names, if no field has it. */
  occurrence: { value: string | null; onChange(id: string | undefined): void } | undefined;
  onChange(path: string, value: string | null): void;
}

/** Constant values for required fields without a column. */
export function FixedValues({
  fields,
  taken,
  fixed,
  tickets,
  currencies,
  occurrence,
  onChange,
}: FixedValuesProps) {
  const { upload, participants } = useTexts();
  const { language } = useLanguage();
  const occurrences = useOccurrences();
  const shown = fields.filter(
    ({ path, required, format, values }) =>
      currencies.includes(path) ||
      (path.endsWith('.currencyCode') && fixed[path]) ||
      (required && (path === OCCURRENCE || !taken.has(path)) && (format === 'uuid' || values)),
  );
  if (shown.length === 0 && !occurrence) return null;
  return (
    <Card title={upload.fixed}>
      <p className="dim">{upload.fixedHelp}</p>
      <div className="tiles">
        {occurrence && (
          <Select
            label={participants.event}
            data={occurrences}
            limit={100}
            searchable
            clearable
            value={occurrence.value}
            onChange={(id) => occurrence.onChange(id ?? undefined)}
          />
        )}
        {shown.map(({ path, values, description }) => {
          const select = {
            searchable: true,
            clearable: true,
            value: fixed[path] || null,
            onChange: (value: string | null) => onChange(path, value),
          };
          if (path === OCCURRENCE)
            return (
              <Select key={path} label={participants.event} data={occurrences} limit={100} {...select} />
            );
          if (path === TICKET)
            return (
              <Select
                key={path}
                label={participants.ticket}
                data={tickets}
                disabled={!tickets.length}
                {...select}
              />
            );
          if (values)
            return <Select key={path} label={nameOfField(path, language)} data={values} {...select} />;
          return (
            <TextInput
              key={path}
              label={nameOfField(path, language)}
              description={description}
              value={fixed[path] ?? ''}
              onChange={({ target }) => onChange(path, target.value)}
            />
          );
        })}
      </div>
    </Card>
  );
}
