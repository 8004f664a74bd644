import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type ImportShape, type Mapping, matchColumns } from '../api';
import { Card } from '../pieces/page';
import { useTexts } from '../texts';
import { FixedValues } from './fixed-values';
import type { CsvFile } from './read-csv';
import { buildRows } from './rows';
import { savedMapping } from './saved-mappings';
import { SendRows } from './send-rows';
import type { ImportPath } from './upload-page';
import { useTickets } from './use-occurrences';

const SAMPLES = 3;

interface MapColumnsProps {
  path: ImportPath;
  surface: string;
  shape: ImportShape;
  file: CsvFile;
}

export function MapColumns({ path, surface, shape, file }: MapColumnsProps) {
  const { upload } = useTexts();
  const { columns, rows } = file;
  const { fields } = shape;
  const [mapping, setMapping] = useState<Mapping>(
    () => savedMapping(surface, columns) ?? matchColumns(columns, fields),
  );
  const [fixed, setFixed] = useState<Record<string, string>>({});
  const tickets = useTickets(fixed.eventOccurrenceId);
  const built = useMemo(
    () => buildRows(rows, fields, mapping, { fixed, tickets: tickets.byTitle }),
    [rows, fields, mapping, fixed, tickets.byTitle],
  );
  const taken = new Set(Object.values(mapping));
  const choose = (column: string, field: string | null) =>
    setMapping(({ [column]: _, ...others }) => (field ? { ...others, [column]: field } : others));
  return (
    <>
      <Card title={upload.mapping}>
        <p className="dim">{upload.mappingHelp}</p>
        <div className="table-frame">
          <table className="table mapping">
            <thead>
              <tr>
                <th scope="col">{upload.column}</th>
                <th scope="col">{upload.sample}</th>
                <th scope="col">{upload.field}</th>
              </tr>
            </thead>
            <tbody>
              {columns.map((column) => (
                <tr key={column}>
                  <td data-main>
                    <strong>{column}</strong>
                  </td>
                  <td data-title={upload.sample} className="dim">
                    {sampleOf(rows, column)}
                  </td>
                  <td>
                    <Select
                      aria-label={upload.fieldOf(column)}
                      placeholder={upload.ignore}
                      searchable
                      clearable
                      data={fields
                        .filter((field) => !taken.has(field.path) || mapping[column] === field.path)
                        .map(({ path: value, required }) => ({
                          value,
                          label: required ? `${value} *` : value,
                        }))}
                      value={mapping[column] ?? null}
                      onChange={(field) => choose(column, field)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <FixedValues
        fields={fields}
        taken={taken}
        fixed={fixed}
        tickets={tickets.list}
        onChange={(field, value) =>
          setFixed(({ [field]: _, ...others }) => (value ? { ...others, [field]: value } : others))
        }
      />
      <SendRows
        path={path}
        shape={shape}
        surface={surface}
        columns={columns}
        mapping={mapping}
        built={built}
      />
    </>
  );
}

const sampleOf = (rows: CsvFile['rows'], column: string): string =>
  rows
    .map(({ values }) => values[column]?.trim())
    .filter(Boolean)
    .slice(0, SAMPLES)
    .join(' · ')
    .slice(0, 90);
