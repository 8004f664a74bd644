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
/** The most bytes of the changes of a record together, so that a page of the log stays under 24 MB. */
const MOST_BYTES = 10_000;

/** The fields of `after` whose values differ from those of `before`. */
export function changesBetween(before: object, after: object): FieldChange[] {
  const were = before as Record<string, unknown>;
  return Object.entries(after).flatMap(([field, to]) => {
    const from = were[field];
    return to === undefined || textOf(from) === textOf(to) ? [] : [{ field, from, to }];
  });
}

export const recorded = ({ field, from, to }: FieldChange): RecordedChange => ({
  field: cut(field, LONGEST_NAME),
  from: cut(textOf(from), LONGEST_AUDITED_VALUE),
  to: cut(textOf(to), LONGEST_AUDITED_VALUE),
});

/** The first changes that fit together. */
export function fitting(changes: readonly RecordedChange[]): RecordedChange[] {
  let bytes = 2;
  return changes.filter((change) => {
    bytes += jsonBytes(change) + 2;
    return bytes <= MOST_BYTES;
  });
}

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function cut<Text extends string | null>(text: Text, most: number): Text {
  return (text && text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text) as Text;
}
