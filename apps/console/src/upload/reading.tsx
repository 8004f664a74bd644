import { Button, Group, NumberInput, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ENCODINGS, type Encoding, openNotices, type ReadOptions, type Sheet, textOf } from '../api';
import { Card, Table } from '../pieces';
import { useTexts } from '../texts';
import { Unreadable } from './drop-file';
import { type ChosenFile, readFile } from './read-file';

type SheetRow = Sheet['rows'][number];

const SHOWN = 4;
const DELIMITERS = [',', ';', '\t', '|'];

/** How the file was read, with its first rows. Whatever was recognised can be changed. */
export function Reading({ file, onFile }: { file: ChosenFile; onFile(file: ChosenFile): void }) {
  const { upload } = useTexts();
  const { sheet, options } = file;
  const again = useMutation({
    mutationFn: (changed: ReadOptions) => readFile(file, { ...options, ...changed }),
    onSuccess: onFile,
  });
  const { read } = upload;
  const shared = { size: 'sm' } as const;
  return (
    <Card title={read.title}>
      <div className="tiles">
        {sheet.format === 'xlsx' ? (
          <Select
            {...shared}
            label={read.sheet}
            data={sheet.sheets}
            value={sheet.sheet}
            onChange={(name) => name && again.mutate({ sheet: name, header: undefined })}
          />
        ) : (
          <>
            <Select
              {...shared}
              label={read.encoding}
              data={ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))}
              value={sheet.encoding}
              onChange={(encoding) => encoding && again.mutate({ encoding: encoding as Encoding })}
            />
            <Select
              {...shared}
              label={read.delimiter}
              data={[...new Set([...DELIMITERS, sheet.delimiter ?? ','])].map((value) => ({
                value,
                label: read.delimiters[value] ?? value,
              }))}
              value={sheet.delimiter}
              onChange={(delimiter) => delimiter && again.mutate({ delimiter, header: undefined })}
            />
          </>
        )}
        <NumberInput
          label={read.header}
          size="sm"
          min={1}
          allowDecimal={false}
          value={sheet.header}
          onChange={(line) =>
            Number(line) > 0 && Number(line) !== sheet.header && again.mutate({ header: Number(line) })
          }
        />
      </div>
      {openNotices(sheet).map(({ option, choices }) => (
        <Group component="fieldset" key={option} justify="space-between">
          <legend>{read.open[option]}</legend>
          {choices.map(({ value, words }) => (
            <Button
              key={value}
              variant="default"
              size="sm"
              onClick={() => again.mutate({ [option]: value, header: undefined })}
            >
              {option === 'hidden' ? read.hidden[value] : words}
            </Button>
          ))}
        </Group>
      ))}
      {again.error && <Unreadable error={again.error} />}
      {sheet.above.length > 0 && <p className="dim">{read.above(sheet.above.length)}</p>}
      {sheet.ours && <p className="dim">{read.ours}</p>}
      <div className="preview">
        <Table
          caption={read.title}
          columns={[
            { title: read.line, cell: ({ line }) => <span className="dim">{line}</span> },
            ...sheet.columns.map((column, at) => ({
              title: column,
              cell: ({ cells }: SheetRow) => textOf(cells[at]).slice(0, 60),
            })),
          ]}
          rows={sheet.rows.slice(0, SHOWN)}
          keyOf={({ line }) => String(line)}
        />
      </div>
    </Card>
  );
}
