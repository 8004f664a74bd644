import { type FormField, lineOf, MARK, type Sheet } from '../api';
import type { Texts } from '../texts/en';
import { workbookWriter } from '../upload/read-file';

type Value = string | number | Date | null;
type Kind = 'text' | 'date' | 'instant' | 'number' | 'flag' | 'country';

/** Participants as people read them, each column with at least one value. Dates are those of UTC. */
export interface PeopleTable {
  columns: { title: string; kind: Kind }[];
  rows: Value[][];
}

const KINDS: Record<string, Kind> = {
  dateOfBirth: 'date',
  createdAt: 'instant',
  originalTicketPrice: 'number',
  cancelled: 'flag',
};
const KIND_OF_TYPE: Partial<Record<string, Kind>> = {
  DATE: 'date',
  NUMBER: 'number',
  BOOLEAN: 'flag',
  COUNTRY: 'country',
};
const ANSWER = 'answer.';
const LIST = '; ';

/**
 * An export without ids, and without cancelled people.
 *
 * @param sheet the CSV of the API
 * @param fields the questions, whose labels and options are shown
 * @param withCancelled whether they were asked for
 */
export function peopleTable(
  { columns: names, rows: read }: Pick<Sheet, 'columns' | 'rows'>,
  fields: readonly FormField[],
  { withCancelled, texts }: { withCancelled: boolean; texts: Texts },
): PeopleTable {
  const { exportColumns } = texts.participants;
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const cancelledAt = names.indexOf('cancelled');
  const rows = withCancelled ? read : read.filter(({ cells }) => cells[cancelledAt] !== 'true');
  const known = Object.entries(exportColumns).filter(([name]) => withCancelled || name !== 'cancelled');
  const columns = [
    ...known.map(([name, title]) => ({
      at: names.indexOf(name),
      title,
      kind: KINDS[name],
      field: byKey.get(name),
    })),
    ...names.flatMap((name, at) => {
      if (!name.startsWith(ANSWER)) return [];
      const key = name.slice(ANSWER.length);
      const field = byKey.get(key);
      return [{ at, title: field?.label ?? key, kind: field && KIND_OF_TYPE[field.type], field }];
    }),
  ].filter(({ at }) => rows.some(({ cells }) => cells[at]));
  const readers = columns.map(({ at, kind = 'text', field }) => {
    const options = new Map(field?.options.map(({ value, label }) => [value, label]));
    return (cells: readonly unknown[]): Value => {
      const text = String(cells[at] ?? '');
      if (text === '') return null;
      return options.size > 0
        ? text
            .split(LIST)
            .map((each) => options.get(each) ?? each)
            .join(LIST)
        : meantBy(kind, text, texts);
    };
  });
  return {
    columns: columns.map(({ title, kind = 'text' }) => ({ title, kind })),
    rows: rows.map(({ cells }) => readers.map((reader) => reader(cells))),
  };
}

/** What can't be read as its kind stays as it is. */
function meantBy(kind: Kind, text: string, { participants, locale }: Texts): Value {
  switch (kind) {
    case 'date':
      return dateOr(text, new Date(`${text}T00:00:00Z`));
    case 'instant': {
      const at = new Date(text);
      return dateOr(text, new Date(at.getTime() - at.getTimezoneOffset() * 60_000));
    }
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'flag':
      return text === 'true' ? participants.yes : text === 'false' ? participants.no : text;
    case 'country':
      return /^[A-Z]{2}$/.test(text)
        ? (new Intl.DisplayNames(locale, { type: 'region' }).of(text) ?? text)
        : text;
    default:
      return text;
  }
}

const dateOr = (text: string, date: Date): Value => (Number.isNaN(date.getTime()) ? text : date);

/** CSV in the language of the reader: dates, numbers, and the separator that its spreadsheets expect. */
export function csvOf({ columns, rows }: PeopleTable, locale: string): string {
  const day = { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' } as const;
  const dates = new Intl.DateTimeFormat(locale, day);
  const times = new Intl.DateTimeFormat(locale, { ...day, hour: '2-digit', minute: '2-digit' });
  const numbers = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15 });
  const delimiter = numbers.format(1.5).includes(',') ? ';' : ',';
  const textOf = (value: Value, kind: Kind | undefined) => {
    if (typeof value === 'number') return numbers.format(value);
    return value instanceof Date ? (kind === 'instant' ? times : dates).format(value) : (value ?? '');
  };
  const lines = rows.map((cells) => cells.map((value, at) => textOf(value, columns[at]?.kind)));
  // Whoever reads the file removes the apostrophes with which `lineOf` protects spreadsheets.
  const marked = [[...columns.map(({ title }) => title), MARK], ...lines.map((cells) => [...cells, ''])];
  return `\uFEFF${marked.map((cells) => lineOf(cells, delimiter)).join('')}`;
}

/** A workbook, whose dates a spreadsheet shows in the way of its reader. */
export async function xlsxOf({ columns, rows }: PeopleTable, title: string): Promise<Uint8Array> {
  const workbook = await workbookWriter();
  const cellOf = (value: Value, at: number) => {
    if (!(value instanceof Date)) return value ?? '';
    const text = value.toISOString();
    return columns[at]?.kind === 'instant' ? { time: text.slice(0, 16) } : { day: text.slice(0, 10) };
  };
  const head = columns.map((column) => column.title);
  return workbook({ [title]: [head, ...rows.map((row) => row.map(cellOf))] }, { header: true });
}
