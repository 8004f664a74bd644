import { parsed, put, UUID } from '../rows/values';
import { type FileMapping, missingFields } from './mapping';
import type { FileRow } from './read-rows';
import type { Surface } from './surfaces';

export interface Mistake {
  code: string;
  message: string;
}

export type Body = Record<string, unknown>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** An import row made from a row of the file, and its problems. */
export function buildRow(surface: Surface, mapping: FileMapping, { values }: FileRow) {
  const body: Body = {};
  const mistakes: Mistake[] = [];
  const filled = new Set(mapping.values.keys());
  for (const [path, value] of mapping.values) put(body, path, value);
  for (const { column, field, answerTo } of mapping.columns) {
    const text = (values[column] ?? '').trim();
    if (!text) continue;
    filled.add(field.path);
    const value = parsed(text, field);
    const misfit = value === undefined ? ruleOf(field) : formatRule(field.format, text);
    if (misfit) {
      mistakes.push({
        code: 'INVALID_VALUE',
        message: `Column "${column}": "${shortened(text)}" must be ${misfit}.`,
      });
    } else if (answerTo) {
      body.participants ??= [{}];
      const [participant] = body.participants as { fields?: Body[] }[];
      const answers = participant?.fields ?? [];
      if (participant) participant.fields = answers;
      answers.push({ [UUID.test(answerTo) ? 'id' : 'key']: answerTo, value });
    } else put(body, field.path, value);
  }
  for (const { path } of missingFields(surface, filled)) {
    const column = columnOf(mapping, path);
    mistakes.push({
      code: 'REQUIRED',
      message: column ? `Column "${column}" is empty.` : `${path} is missing.`,
    });
  }
  return { body, mistakes };
}

/** The column for a field. By default, the booker is the first participant. */
export function columnOf({ columns }: FileMapping, path: string): string | undefined {
  const at = (wanted: string) =>
    columns.find(({ field, answerTo }) => !answerTo && field.path === wanted)?.column;
  return (
    at(path) ?? (path.startsWith('booker.') ? at(path.replace('booker.', 'participants[0].')) : undefined)
  );
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function ruleOf({ type, values }: { type: string; values?: string[] }): string {
  if (values) return `one of ${values.join(', ')}`;
  return { integer: 'a whole number', number: 'a number', boolean: 'true or false' }[type] ?? `a ${type}`;
}

function formatRule(format: string | undefined, text: string): string | undefined {
  if (format === 'uuid' && !UUID.test(text)) return 'an id (UUID)';
  if (format === 'date' && !(DATE.test(text) && !Number.isNaN(Date.parse(text))))
    return 'a date as YYYY-MM-DD';
  return undefined;
}
