import { Select } from '@mantine/core';
import { isBlank, nameOfField, type Sheet, type SheetField, textOf } from '../api';
import { Table } from '../pieces';
import { useLanguage, useTexts } from '../texts';

const SAMPLES = 3;

interface ColumnTableProps {
  sheet: Sheet;
  fields: Pick<SheetField, 'path' | 'required' | 'label'>[];
  chosen: Record<string, string | null>;
  onChange(column: string, field: string | null): void;
}

/** The columns of a file, each with some of its values and its field. */
export function ColumnTable({ sheet: { columns, rows }, fields, chosen, onChange }: ColumnTableProps) {
  const { upload } = useTexts();
  const { language } = useLanguage();
  const taken = new Set(Object.values(chosen));
  return (
    <Table
      caption={upload.mapping}
      columns={[
        { title: upload.column, main: true, cell: ({ column }) => <strong>{column}</strong> },
        { title: upload.sample, cell: ({ at }) => <span className="dim">{sampleOf(rows, at)}</span> },
        {
          title: upload.field,
          width: 'wide',
          cell: ({ column }) => (
            <Select
              aria-label={upload.fieldOf(column)}
              placeholder={upload.ignore}
              searchable
              clearable
              data={fields
                .filter(({ path }) => !taken.has(path) || chosen[column] === path)
                .map(({ path: value, required, label }) => ({
                  value,
                  label: `${nameOfField(value, language, label)}${required ? ' *' : ''}`,
                }))}
              value={chosen[column] ?? null}
              onChange={(field) => onChange(column, field)}
            />
          ),
        },
      ]}
      rows={columns.map((column, at) => ({ column, at }))}
      keyOf={({ column }) => column}
    />
  );
}

const sampleOf = (rows: Sheet['rows'], at: number): string =>
  rows
    .map(({ cells }) => cells[at])
    .filter((cell) => !isBlank(cell))
    .slice(0, SAMPLES)
    .map((cell) => textOf(cell).trim())
    .join(' · ')
    .slice(0, 90);
