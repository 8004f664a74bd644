import {
  mappingFor,
  mappingIn,
  openNotices,
  type ReadOptions,
  readSheet,
  type Sheet,
  UnreadableSheet,
} from '#libs/sheets';
import { type Source, UnreadableFile } from '../source';
import { type CalendarPlan, isOfFailedRows, planCalendar } from './calendar';
import type { WaveDay } from './races';
import type { StoredCalendar } from './stored';
import { CALENDAR } from './targets';

export interface UploadOptions extends ReadOptions {
  /** What a person said about the file, as it was sent. */
  mapping?: Record<string, unknown>;
  /** Cells that a person corrected. */
  corrections?: readonly { line: number; column: string; text: string }[];
  waveDay?: WaveDay;
  stored?: StoredCalendar;
}

/** How a calendar is read, as far as people see it. */
export interface ReadCalendar
  extends Pick<CalendarPlan, 'questions' | 'readings' | 'conversions' | 'unused' | 'matches' | 'candidates'> {
  /** The field of each column. */
  columns: Record<string, string | null>;
  /** All fields that a column can have. */
  fields: { path: string; required: boolean }[];
}

/**
 * A race calendar that someone uploads. While a question is open, there are no records.
 *
 * @throws UnreadableFile
 * @throws WrongMapping
 */
export async function uploadedCalendar(
  bytes: Uint8Array,
  { mapping: given = {}, corrections = [], waveDay, stored, ...options }: UploadOptions,
): Promise<{ source: Source; read: ReadCalendar; filled: string[] }> {
  const sheet = await sheetOf(bytes, options);
  for (const { line, column, text } of corrections) {
    const at = sheet.columns.indexOf(column);
    const row = sheet.rows.find((each) => each.line === line);
    if (row && at >= 0) row.cells[at] = text;
    if (row?.shown) row.shown[at] = undefined;
  }
  const today = new Date().toISOString().slice(0, 10);
  const mapping = mappingFor(sheet, CALENDAR, mappingIn(given), today);
  const plan = planCalendar(sheet, mapping, { today, ...stored, ...(waveDay && { waveDay }) });
  const { questions, readings, conversions, unused, matches, candidates } = plan;
  const fields = CALENDAR.fields.map(({ path, required }) => ({ path, required }));
  const filled = [...Object.values(mapping.columns), ...Object.keys(mapping.values ?? {})].filter(
    (path) => path !== null && !(isOfFailedRows(sheet) && path.startsWith('occurrence.')),
  );
  return {
    source: questions.length > 0 ? nothing() : plan.records(),
    read: {
      ...{ columns: mapping.columns, fields, questions, readings, conversions, unused, matches, candidates },
    },
    filled: filled as string[],
  };
}

async function* nothing(): Source {}

async function sheetOf(bytes: Uint8Array, options: ReadOptions): Promise<Sheet> {
  try {
    const sheet = await readSheet(bytes, options);
    const [open] = openNotices(sheet);
    if (open) throw new UnreadableFile(open.message);
    const [twice] = sheet.repeated;
    if (twice !== undefined) throw new UnreadableFile(`The file has the column "${twice}" twice.`);
    return sheet;
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    throw new UnreadableFile(error.message);
  }
}
