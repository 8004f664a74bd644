import { jsonBytes } from '#platform/validation';

/** A field of a record, and its old and new value. */
export interface FieldChange {
  field: string;
  from: unknown;
  to: unknown;
}

/** A change as it is stored and shown: a text as it is, other values as JSON, `null` if there is none. */
export interface RecordedChange {
  field: string;
  from: string | null;
  to: string | null;
}

/** The most changes of a record, and characters of a name and of a value. */
export const MOST_AUDITED_CHANGES = 50;
const LONGEST_NAME = 100;
export const LONGEST_AUDITED_VALUE = 500;
/** What is shown of a long text around the part that changed. */
const AROUND = 40;
/** The most bytes of the changes of a record together, so that a page of the log stays under 24 MB, and of all records of a request. */
const MOST_BYTES = 10_000;
export const MOST_AUDITED_BYTES = 200_000;

/** The fields of `after` whose values differ from those of `before`. */
export function changesBetween(before: object, after: object): FieldChange[] {
  const were = before as Record<string, unknown>;
  return Object.entries(after).flatMap(([field, to]) => {
    const from = were[field];
    return to === undefined || textOf(from) === textOf(to) ? [] : [{ field, from, to }];
  });
}

export function recorded({ field, from, to }: FieldChange): RecordedChange {
  const [before, after] = differing(textOf(from), textOf(to));
  return {
    field: cut(field, LONGEST_NAME),
    from: cut(before, LONGEST_AUDITED_VALUE),
    to: cut(after, LONGEST_AUDITED_VALUE),
  };
}

/** Those changes, in their order, that fit into these bytes. */
export function fitting(
  changes: readonly RecordedChange[],
  most: number,
): { kept: RecordedChange[]; bytes: number } {
  let bytes = 0;
  const kept = changes.filter((change) => {
    const all = bytes + jsonBytes(change) + 2;
    const fits = all <= Math.min(most, MOST_BYTES) - 2;
    if (fits) bytes = all;
    return fits;
  });
  return { kept, bytes };
}

/** Of long texts, the part that differs. */
function differing(from: string | null, to: string | null): [string | null, string | null] {
  if (from === null || to === null || Math.max(from.length, to.length) <= LONGEST_AUDITED_VALUE)
    return [from, to];
  const least = Math.min(from.length, to.length);
  let [start, end] = [0, 0];
  while (start < least && from[start] === to[start]) start += 1;
  while (end < least - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const first = Math.max(0, start - AROUND);
  const part = (text: string) => {
    const around = text.slice(first, text.length - Math.max(0, end - AROUND)).toWellFormed();
    return `${first > 0 ? '…' : ''}${around}${end > AROUND ? '…' : ''}`;
  };
  return [part(from), part(to)];
}

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function cut<Text extends string | null>(text: Text, most: number): Text {
  return (text && text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text) as Text;
}
