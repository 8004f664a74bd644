import { type FileMapping, type Plan, planOf, type Sheet, type StoredValues, similarTo } from '#libs/sheets';
import { type Source, type SourceProblem, UnreadableFile } from '../source';
import { Occurrences, type StoredOccurrence } from './occurrences';
import { startListColumns } from './other-files';
import type { WaveDay } from './races';
import { RowReader } from './row-records';
import { CALENDAR } from './targets';

export interface CalendarOptions {
  /** Today, as YYYY-MM-DD. */
  today: string;
  waveDay?: WaveDay;
  /** What is stored, which is not asked again. */
  values?: StoredValues;
  occurrences?: readonly StoredOccurrence[];
}

/** The plan of a race calendar, whose matches also have the time zones and moved occurrences that are open. */
export interface CalendarPlan extends Plan {
  records(): Source;
}

/** Reads a race calendar with one race per row. Rows of an event can be anywhere in the file. */
export function planCalendar(sheet: Sheet, mapping: FileMapping, options: CalendarOptions): CalendarPlan {
  const { today, waveDay, values, occurrences: stored = [] } = options;
  const plan = planOf(sheet, CALENDAR, mapping, { today, stored: values });
  refuseStartList(sheet, plan);
  const reader = new RowReader(sheet, mapping);
  // Of rows with open values, nothing more can be said.
  const isOpen = plan.questions.some(({ kind }) => kind !== 'outside');
  const read = (isOpen ? [] : plan.items).map((item) => reader.read(item));
  const rows = read.flatMap(({ record }) => record ?? []);
  const answers = mapping.matches?.occurrence ?? {};
  const occurrences = new Occurrences(rows, stored, answers, isOfFailedRows(sheet));
  const { zones } = reader;
  const filled = [...Object.values(mapping.columns), ...Object.keys(mapping.values ?? {})].filter(
    (path) => path !== null,
  );
  const findings: SourceProblem[] = [
    ...plan.unused.map((field) => ({ warning: true, problem: notLoaded(sheet, field) })),
    ...plan.failed.flatMap(({ row, mistakes }) =>
      mistakes.map(({ column = '', message }) => ({
        problem: { row: row.line, field: column, message: withoutColumn(message, column) },
      })),
    ),
    ...read.flatMap(({ problems }) => problems.map((problem) => ({ problem }))),
    ...read.flatMap(({ warnings }) => warnings.map((problem) => ({ problem, warning: true }))),
  ];
  return {
    ...plan,
    matches: {
      ...plan.matches,
      timeZone: [...zones.matches.values()],
      occurrence: [...occurrences.matches.values()],
    },
    candidates: {
      ...plan.candidates,
      timeZone: [...zones.candidates.values()],
      occurrence: occurrences.candidates,
    },
    records: async function* () {
      yield* findings;
      yield* occurrences.records({ reader, columns: filled, ...(waveDay && { waveDay }) });
    },
  };
}

/** Whether a file has the rows that failed of another one. */
export const isOfFailedRows = ({ ours, columns }: Sheet): boolean => ours && columns.includes('importRow');

function refuseStartList({ columns }: Sheet, { unused, questions }: Plan): void {
  const isCalendar = questions.every(({ kind }) => kind !== 'field');
  const found = startListColumns(unused, [...columns], isCalendar);
  if (found.length > 0)
    throw new UnreadableFile(
      `The file looks like a start list, with one participant per row: it has the columns ${found.map((name) => `"${name}"`).join(', ')}. ` +
        'A race calendar has one race per row. Load a start list with "start-list load" (docs/start-list-files.md).',
    );
}

const notLoaded = ({ header: row }: Sheet, field: string) => ({
  row,
  field,
  message: `is not loaded: no field has this name${similarTo(field, CALENDAR.fields)}`,
});

/** A problem names its column beside its message. */
const withoutColumn = (message: string, column: string): string =>
  message.replace(`Column "${column}": `, '').replace(`Column "${column}" `, '').replace(/\.$/, '');
