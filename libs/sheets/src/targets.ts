import type { SheetField } from './field';

/** An import, as far as its rows are made from a table. */
export interface ImportKind {
  collection: string;
  /** With amounts in whole units. */
  fields: readonly SheetField[];
  /** The fields that identify a row. */
  identity: readonly string[];
}

/** Answers, and data with names of its own. `:json` is what a text can't say. */
export const FREE: RegExp =
  /^(metadata|tracking|participants\[\d+\]\.fields)(?:\.([^.:]+))?(?::(number|boolean|list|date|json))?$/;

/** The field at a path, also of an answer (`participants[0].fields.<key>`) or of metadata. */
export function targetAt({ fields, collection }: ImportKind, path: string): SheetField | undefined {
  const listed = fieldAt(fields, path);
  if (listed) return listed;
  const [, place, name, type = 'string'] = collection === 'bookings' ? (FREE.exec(path) ?? []) : [];
  if (!place) return undefined;
  // Only the whole of metadata or tracking can be without a name.
  if (!name && (type !== 'json' || place.startsWith('participants'))) return undefined;
  return {
    path,
    type: type === 'date' ? 'string' : type,
    required: false,
    ...(type === 'date' && { format: 'date' }),
  };
}

/** The field at a path: `participants[1].firstName` is that of the first participant, elsewhere. */
export function fieldAt(fields: readonly SheetField[], path: string): SheetField | undefined {
  const field = fields.find((each) => each.path === path);
  if (field) return field;
  const first = path.replace(/^participants\[\d+\]\./, 'participants[0].');
  const same = fields.find(
    (each) => each.path === first || (each.id && first === `participants[0].fields.${each.id}`),
  );
  return same && { ...same, path };
}
