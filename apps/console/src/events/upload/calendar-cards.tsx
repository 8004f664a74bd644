import { Group, Select } from '@mantine/core';
import { useMemo } from 'react';
import type { FileMapping, Plan, RecordsOfFile, Sheet } from '../../api';
import { Card, Grid, useDay } from '../../pieces';
import { useTexts } from '../../texts';
import { Choices } from '../../upload/choices';
import { ColumnTable } from '../../upload/column-table';
import { Conversions } from '../../upload/conversions';
import { FixedValues } from '../../upload/fixed-values';
import { MatchValues } from '../../upload/match-values';
import { Missing } from '../../upload/send-rows';

/** How the server reads a race calendar. */
type Calendar = Pick<Plan, 'questions' | 'readings' | 'conversions' | 'unused' | 'matches' | 'candidates'> & {
  columns: Record<string, string | null>;
  fields: { path: string; required: boolean; type: string }[];
};

export interface Said {
  mapping: FileMapping;
  corrections: { line: number; column: string; text: string }[];
  waveDay?: 'same' | 'next';
}

interface CalendarCardsProps {
  sheet: Sheet;
  found: RecordsOfFile;
  said: Said;
  onChange(said: Said): void;
}

/** What is asked about a race calendar: the fields of its columns, what its values leave open, and the rows that can't be read. */
export function CalendarCards({ sheet, found, said, onChange }: CalendarCardsProps) {
  const { upload, uploadEvents: words } = useTexts();
  const calendar = useCalendar(found);
  const { mapping, waveDay } = said;
  const change = (given: Partial<FileMapping>) => onChange({ ...said, mapping: { ...mapping, ...given } });
  const asksWaves = waveDay !== undefined || found.problems.some(({ code }) => code === 'WAVE_BEFORE_RACE');
  return (
    <>
      <Card title={upload.mapping}>
        <p className="dim">{upload.mappingHelp}</p>
        <Missing plan={calendar} />
        <ColumnTable
          sheet={sheet}
          fields={calendar.fields}
          chosen={calendar.columns}
          onChange={(column, field) => change({ columns: { ...mapping.columns, [column]: field } })}
        />
      </Card>
      <FixedValues
        fields={calendar.fields}
        taken={new Set(Object.values(calendar.columns).filter((field) => field !== null))}
        fixed={mapping.values ?? {}}
        occurrence={undefined}
        tickets={[]}
        currencies={calendar.questions.flatMap((each) => (each.kind === 'currency' ? [each.path] : []))}
        onChange={(field, value) => change({ values: { ...mapping.values, [field]: value ?? '' } })}
      />
      <Choices plan={calendar} mapping={mapping} onChange={change} />
      {asksWaves && (
        <Card title={upload.choices.title}>
          <Group justify="space-between">
            <p>{words.waveDay}</p>
            <Select
              aria-label={words.waveDay}
              placeholder={upload.choices.choose}
              data={Object.entries(words.waveDays).map(([value, label]) => ({ value, label }))}
              value={waveDay ?? null}
              onChange={(day) => onChange({ ...said, waveDay: (day ?? undefined) as Said['waveDay'] })}
            />
          </Group>
        </Card>
      )}
      <MatchValues
        kind={calendar}
        plan={calendar}
        matches={mapping.matches ?? {}}
        onChange={(name, key, id) =>
          change({ matches: { ...mapping.matches, [name]: { ...mapping.matches?.[name], [key]: id } } })
        }
      />
      <Conversions plan={calendar} />
      <FailedRows sheet={sheet} found={found} said={said} onChange={onChange} />
    </>
  );
}

/** With the occurrences that may have moved in the language of the reader. */
function useCalendar(found: RecordsOfFile): Calendar {
  const { uploadEvents: words } = useTexts();
  const day = useDay();
  const calendar = found.calendar as unknown as Calendar;
  const occurrence = calendar.candidates.occurrence?.map((each) => ({
    ...each,
    label: each.names[0] ? words.moved(day(each.names[0])) : words.notMoved,
  }));
  return { ...calendar, candidates: { ...calendar.candidates, ...(occurrence && { occurrence }) } };
}

/** The rows that can't be read. What is corrected is read at once. */
function FailedRows({ sheet, found: { problems, problemCount }, said, onChange }: CalendarCardsProps) {
  const { uploadEvents: words, rows: texts, problems: usual } = useTexts();
  const { corrections } = said;
  const rows = useMemo(() => {
    const lines = new Set([...problems.map(({ row }) => row), ...corrections.map(({ line }) => line)]);
    return sheet.rows.filter(({ line }) => lines.has(line));
  }, [sheet, problems, corrections]);
  if (rows.length === 0) return null;
  const at = (row: number, column: string) => {
    const { line = 0, cells = [] } = rows[row] ?? {};
    const corrected = corrections.find((each) => each.line === line && each.column === column);
    const text = corrected?.text ?? String(cells[sheet.columns.indexOf(column)] ?? '');
    const found = problems.filter((each) => each.row === line && each.field === column);
    return {
      line,
      text,
      isChanged: corrected !== undefined,
      message: found.map((each) => each.message).join('. '),
    };
  };
  const title = problemCount > 0 ? words.problems(problemCount) : words.corrected;
  const others = problems.filter(({ field }) => !sheet.columns.includes(field));
  return (
    <Card title={title}>
      {problemCount > 0 && <p className="dim">{words.problemsHelp}</p>}
      <Grid
        label={title}
        head={texts.row}
        columns={sheet.columns.map((column) => ({ key: column, title: column }))}
        count={rows.length}
        keyOf={(row) => at(row, '').line}
        nameOf={(row) => String(at(row, '').line)}
        cell={at}
        textOf={(row, column) => at(row, column).text}
        choicesOf={() => undefined}
        onChange={(changes) => {
          const made = changes.map(({ row, column, text }) => ({ line: at(row, column).line, column, text }));
          const isMade = (line: number, column: string) =>
            made.some((each) => each.line === line && each.column === column);
          const kept = corrections.filter(({ line, column }) => !isMade(line, column));
          onChange({ ...said, corrections: [...kept, ...made] });
        }}
      />
      <ul>
        {others.map(({ row, field, message }) => (
          <li key={`${row} ${field} ${message}`}>
            {usual.row(row)}: {field} {message}
          </li>
        ))}
      </ul>
    </Card>
  );
}
