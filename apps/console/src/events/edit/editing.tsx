import { createContext, useContext } from 'react';
import type { Texts } from '../../texts/en';
import type { Row } from '../write-catalogue';
import { at, keysOf } from './paths';
import { type Field, type Named, RECORDS, type Shape } from './shapes';

/** A problem that the API found, at the path of the draft. */
export interface Wrong {
  path: string;
  code: string;
  message: string;
  used?: number;
}

interface Editing {
  set(path: string, value: unknown): void;
  zone: string;
  /** Of the prices of the occurrence. */
  currency: string;
  names: Record<Named, { value: string; label: string }[]>;
  /** Tickets by their paths, with the titles of their forms. */
  tickets: { value: string; label: string; forms: string[] }[];
  wrong: Wrong[];
  /** The rows that are open (`rowName`): they still are when the form is saved, and in another part. */
  opened: Set<string>;
}

const Context = createContext<Editing | undefined>(undefined);
export const EditingProvider = Context;

export function useEditing(): Editing {
  const editing = useContext(Context);
  if (!editing) throw new Error('There is no editor around this component');
  return editing;
}

/** By which a row stays open. */
export const rowName = ({ name }: Shape, title: string): string => `${name} ${title}`;

/** Whether one path is another, or within it. */
export const isWithin = (path: string, outer: string): boolean =>
  path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)));

/** The field or list at a path of `records`, with the rows around it. */
export function placeOf(
  records: Row[],
  path: string,
): { rows: Row[]; shapes: Shape[]; field?: Field; rest: string } {
  const [, place, ...keys] = keysOf(path);
  const record = records[place as number];
  let parts: Pick<Shape, 'fields' | 'lists'> | undefined = RECORDS[String(record?.record)];
  const found: ReturnType<typeof placeOf> = { rows: record ? [record] : [], shapes: [], rest: '' };
  let row: Row | undefined = record;
  let left = keys;
  for (;;) {
    const list = parts?.lists?.find((each) => each.path === left[0]);
    if (!list) break;
    row = at(row, `${list.path}[${left[1]}]`) as Row | undefined;
    found.shapes.push(list.shape);
    found.rows.push(row ?? {});
    parts = list.shape;
    left = left.slice(2);
  }
  found.rest = left.join('.');
  found.field = parts?.fields.find(
    ({ path: name }) => found.rest === name || found.rest.startsWith(`${name}.`),
  );
  return found;
}

/** A path in the words of the form: `10K › Adult › Places`. */
export function labelOf(records: Row[], path: string, words: Texts['eventForm']): string {
  const { rows, shapes, field, rest } = placeOf(records, path);
  const names = shapes.map(
    (shape, index) => shape.titleOf(rows[index + 1] ?? {}) || words.lists[shape.name].one,
  );
  const [record] = rows;
  const first =
    record?.record === 'bookingFormField' || record?.record === 'bookingForm'
      ? [String(record.label ?? record.title ?? words.lists.forms.one)]
      : [];
  return [...first, ...names, field ? words.fields[field.name] : rest].filter(Boolean).join(' › ');
}

/** What is wrong with a field, in the language of the reader. */
export function wordsOf(
  { code, message, used }: Wrong,
  field: Field | undefined,
  words: Texts['eventForm'],
): string {
  if (code === 'REQUIRED') return words.wrong.required;
  if (code === 'BELOW_USE' && used !== undefined) return words.wrong.belowUse(used);
  const repeated = /repeats "?(.*?)"?$/.exec(message)?.[1];
  if (repeated !== undefined) return words.wrong.repeated(repeated);
  if (/must be after saleStart/.test(message)) return words.wrong.endsBeforeStart;
  if (/must be the title of another locale/.test(message)) return words.wrong.titleOfNoLanguage;
  if (/has one currency/.test(message)) return words.wrong.oneCurrency;
  const kind = field?.input.kind;
  if (code === 'INVALID_VALUE' && kind && kind in words.wrong.kinds && /must be|must match/.test(message)) {
    const most = 'most' in field.input ? field.input.most : undefined;
    return words.wrong.kinds[kind as keyof typeof words.wrong.kinds](most ?? 0);
  }
  return message.replace(/^records\[\d+\]\S* /, '');
}
