import { Select, TextInput } from '@mantine/core';
import type { ImportField } from '../api';
import { Card } from '../pieces/page';
import { useTexts } from '../texts';
import { type Choice, useOccurrences } from './use-occurrences';

const OCCURRENCE = 'eventOccurrenceId';
const TICKET = 'participants[0].ticketId';

interface FixedValuesProps {
  fields: ImportField[];
  taken: Set<string>;
  fixed: Record<string, string>;
  tickets: Choice[];
  onChange(path: string, value: string | null): void;
}

/** Constant values for required fields without a column. */
export function FixedValues({ fields, taken, fixed, tickets, onChange }: FixedValuesProps) {
  const { upload } = useTexts();
  const occurrences = useOccurrences();
  const shown = fields.filter(
    ({ path, required, format, values }) =>
      required && (path === OCCURRENCE || !taken.has(path)) && (format === 'uuid' || values),
  );
  if (shown.length === 0) return null;
  return (
    <Card title={upload.fixed}>
      <p className="dim">{upload.fixedHelp}</p>
      <div className="fixed">
        {shown.map(({ path, values, description }) => {
          const select = {
            searchable: true,
            clearable: true,
            value: fixed[path] ?? null,
            onChange: (value: string | null) => onChange(path, value),
          };
          if (path === OCCURRENCE)
            return <Select key={path} label={upload.occurrence} data={occurrences} {...select} />;
          if (path === TICKET)
            return (
              <Select
                key={path}
                label={upload.ticket}
                data={tickets}
                disabled={!tickets.length}
                {...select}
              />
            );
          if (values) return <Select key={path} label={path} data={values} {...select} />;
          return (
            <TextInput
              key={path}
              label={path}
              description={description}
              value={fixed[path] ?? ''}
              onChange={({ target }) => onChange(path, target.value)}
            />
          );
        })}
      </div>
      {taken.has(TICKET) && <p className="dim">{upload.byTitle}</p>}
    </Card>
  );
}
