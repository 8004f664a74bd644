import {
  type Choices,
  openNotices,
  type Question,
  type ReadOptions,
  readSheet,
  recognise,
  type Sheet,
  UnreadableSheet,
  wordsOfReading,
} from '#libs/sheets';
import { type Source, UnreadableFile } from '../source';
import { type CalendarPlan, planCalendar } from './calendar';
import type { WaveDay } from './races';
import { CALENDAR } from './targets';

export type UploadOptions = ReadOptions & Pick<Choices, 'dateOrder' | 'decimal'> & { waveDay?: WaveDay };

/** The options that answer a question. */
const OPTIONS: Record<string, string> = {
  dateOrder: ' Use --date-order dmy or --date-order mdy.',
  decimal: ' Use --decimal . or --decimal ,',
};

/**
 * A race calendar that someone uploads, without looking at what is stored. What is unlikely, and the time zones that were assumed, are
 * warnings: the person sees the records before they are written.
 *
 * @throws UnreadableFile
 */
export async function uploadedCalendar(
  bytes: Uint8Array,
  { dateOrder, decimal, waveDay, ...options }: UploadOptions,
): Promise<Source> {
  const sheet = await sheetOf(bytes, options);
  const columns = recognise(sheet, CALENDAR);
  const choices = { ...(dateOrder && { dateOrder }), ...(decimal && { decimal }) };
  const today = new Date().toISOString().slice(0, 10);
  const plan = planCalendar(
    sheet,
    { columns, ...choices },
    {
      ...{ today, assumesZones: true },
      ...(waveDay && { waveDay }),
    },
  );
  const open = plan.questions.flatMap(sentenceOf);
  if (open.length > 0) throw new UnreadableFile(open.join(' '));
  return withAssumptions(sheet, plan);
}

async function sheetOf(bytes: Uint8Array, options: ReadOptions): Promise<Sheet> {
  try {
    const sheet = await readSheet(bytes, options);
    const [open] = openNotices(sheet);
    if (open) {
      const choices = open.choices.map(({ words }) => words).join('; ');
      throw new UnreadableFile(
        `${open.message} (${choices}) Use --${open.option}, or save the table as CSV UTF-8.`,
      );
    }
    const [twice] = sheet.repeated;
    if (twice !== undefined) throw new UnreadableFile(`The file has the column "${twice}" twice.`);
    return sheet;
  } catch (error) {
    if (!(error instanceof UnreadableSheet)) throw error;
    throw new UnreadableFile(error.message);
  }
}

function sentenceOf(question: Question): string[] {
  if (question.kind === 'outside') return [];
  if (question.kind === 'field') return [`No column matches ${question.field.path}.`];
  if (question.kind === 'currency')
    return [`Column "${question.column}": the currency is not known. Add a column with it.`];
  const { column, open, examples } = question;
  const such = examples.map((text) => `"${text}"`).join(', ');
  return [`Column "${column}" (${such}): ${wordsOfReading(open)}${OPTIONS[open] ?? ' Write it in full.'}`];
}

async function* withAssumptions({ header: row }: Sheet, plan: CalendarPlan): Source {
  yield* plan.records();
  for (const question of plan.questions)
    if (question.kind === 'outside') {
      const { column: field, values, plausible } = question;
      const message = `should be ${plausible}: ${values.slice(0, 3).join(', ')}`;
      yield { warning: true, problem: { row, field, message } };
    }
  for (const { text, close, id } of plan.matches.timeZone ?? [])
    if (!id) {
      const message = `${text} is in a country with several time zones; ${close} is used`;
      yield { warning: true, problem: { row, field: '', message } };
    }
}
