import type { Candidate } from './match-values';

/** A field that a column can be mapped to. */
export interface SheetField {
  /** A path such as `participants[0].email`. */
  path: string;
  /**
   * `amount`: a price in whole units, made into minor units with the currency at `<path>.currencyCode`; `name`: a first and a last name in
   * one text; `distance`: a number with or without its unit, which is at `unit` beside it; `country`: a country with or without a part of it.
   */
  type: string;
  required: boolean;
  format?: string;
  values?: string[];
  /** What the values stand for; other texts are refused. */
  options?: readonly Candidate[];
  /** Names of columns for it, as `plain` writes them; otherwise those of `ALIASES`. */
  names?: readonly string[];
  /** Whether an amount of 0 needs no currency. */
  zero?: true;
  /** The words of a question of a booking form, and its id, which can stand for its key in the path. */
  label?: string;
  id?: string;
  description?: string;
  example?: unknown;
}

export type Kind =
  | 'text'
  | 'lowerCase'
  | 'name'
  | 'email'
  | 'id'
  | 'date'
  | 'dateTime'
  | 'time'
  | 'amount'
  | 'distance'
  | 'country'
  | 'minor'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'list'
  | 'json'
  | 'choice';

const BY_FORMAT: Record<string, Kind> = {
  email: 'email',
  uuid: 'id',
  date: 'date',
  'date-time': 'dateTime',
  time: 'time',
  'lower-case': 'lowerCase',
};
export function kindOf({ path, type, format, values }: SheetField): Kind {
  if (type === 'amount' || type === 'name' || type === 'distance' || type === 'country') return type;
  if (type === 'integer') return path.endsWith('.value') ? 'minor' : 'integer';
  if (type === 'number' || type === 'boolean' || type === 'list' || type === 'json') return type;
  if (values) return 'choice';
  return BY_FORMAT[format ?? ''] ?? 'text';
}

/** The fields, with a price in whole units (`price`) for each in minor units (`price.value`), and a whole name for each first name. */
export function withAmounts(fields: readonly SheetField[]): SheetField[] {
  const paths = new Set(fields.map(({ path }) => path));
  return fields.flatMap((field): SheetField[] => {
    if (field.path.endsWith('.firstName')) {
      const description =
        'First and last name in one text: `Ada Lovelace`, `Lovelace, Ada` or `LOVELACE Ada`.';
      return [
        { path: field.path.replace('firstName', 'name'), type: 'name', required: false, description },
        field,
      ];
    }
    const path = field.path.replace(/\.value$/, '');
    if (path === field.path || !paths.has(`${path}.currencyCode`)) return [field];
    const description = 'In whole units: `45.00`, `45,00` or `1.045,00 €`.';
    return [{ path, type: 'amount', required: false, description }, field];
  });
}

/**
 * Required fields that nothing fills. By default, the booker is the first participant; an amount in whole units is one. Of the
 * first and the last name of a person, one is required.
 */
export function missingOf(fields: readonly SheetField[], filled: ReadonlySet<string>): SheetField[] {
  const isFilled = (path: string): boolean =>
    filled.has(path) ||
    (/\.(first|last)Name$/.test(path) && filled.has(path.replace(/\w+$/, 'name'))) ||
    (/^booker\.(email|firstName|lastName)$/.test(path) &&
      isFilled(path.replace('booker.', 'participants[0].'))) ||
    (path.endsWith('.value') && filled.has(path.slice(0, -'.value'.length)));
  return fields.filter(({ path, required }) =>
    path.endsWith('.lastName')
      ? !isFilled(path) && !isFilled(path.replace('lastName', 'firstName'))
      : required && !isFilled(path),
  );
}
