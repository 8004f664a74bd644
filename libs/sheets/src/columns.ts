import { readDate } from './dates';
import { kindOf, type SheetField } from './field';
import { plain } from './match-values';
import { ALIASES, BOOKER_WORDS, PARTICIPANT_WORDS } from './names';
import { type Cell, isBlank, type Sheet, textOf } from './sheet';
import { type ImportKind, targetAt } from './targets';
import { currencyInName, hasDatePattern, unitIn } from './units';

/** Maps columns to fields: the path of the field by the name of the column. */
export type Mapping = Record<string, string>;

/** Values from which the content of a column is recognised. */
const SAMPLE = 2_000;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** The columns that files of ours have in addition. */
export const ADDED: readonly string[] = [
  '#startline',
  'importRow',
  'importCode',
  'importMessage',
  '#code',
  '#message',
];

/** What the values of a column are, whatever its name. */
type Content = 'empty' | 'email' | 'birth' | 'other';

function contentOf(cells: Cell[]): Content {
  const filled = cells.filter((cell) => !isBlank(cell)).slice(0, SAMPLE);
  const share = (test: (text: string) => boolean) =>
    filled.filter((cell) => test(textOf(cell).trim())).length / Math.max(filled.length, 1);
  if (filled.length === 0) return 'empty';
  if (share((text) => ADDRESS.test(text)) > 0.6) return 'email';
  if (share((text) => bornIn(text)) > 0.9) return 'birth';
  return 'other';
}

/** Whether a text is a day on which many people were born who take part today. */
function bornIn(text: string): boolean {
  const read = /^\d{1,2}[./-]\d{1,2}[./-]\d{4}$|^\d{4}-\d{2}-\d{2}$/.test(text) ? readDate(text) : undefined;
  if (!read || read === 'century') return false;
  const date = 'date' in read ? read.date : read.undecided.dmy;
  return date > '1925-01-01' && date < `${new Date().getFullYear() - 3}-01-01`;
}

const leafOf = (path: string) => path.replace(/^(participants\[\d+\]|participant|booker)\./, '');

/** How well the name of a column fits a field of which the whole name is given; 0 if it does not. */
function fit(name: string, { path, label }: SheetField): number {
  const leaf = leafOf(path);
  if (plain(leaf) === name) return 3;
  if (label) {
    const key = leaf.replace('fields.', '');
    if (plain(label) === name || plain(key) === name) return 2.5;
    return ALIASES[key]?.includes(name) ? 1.5 : 0;
  }
  const aliases = ALIASES[leaf] ?? ALIASES[leaf.split('.').at(-1) ?? ''] ?? [];
  const at = aliases.indexOf(name);
  return at < 0 ? 0 : 2 - at / 100;
}

/** Whose field a column names: of the booker, of the participant with a number, or of whomever the import is about. */
function ownerOf(column: string): { rest: string; booker?: true; participant?: number } {
  const name = plain(column);
  const path = /^participants\[(\d+)\]\.(.+)$/.exec(column);
  if (path) return { rest: plain(path[2] ?? ''), participant: Number(path[1]) };
  for (const word of BOOKER_WORDS) {
    if (name.startsWith(word) && name.length > word.length)
      return { rest: name.slice(word.length), booker: true };
  }
  for (const word of PARTICIPANT_WORDS) {
    const [, number, rest] = new RegExp(`^${word}s?(\\d{0,2})(\\D.*)$`).exec(name) ?? [];
    if (rest) return { rest, participant: number ? Number(number) - 1 : 0 };
    const [, before, last] = new RegExp(`^(\\D+)${word}(\\d{1,2})$`).exec(name) ?? [];
    if (before) return { rest: before, participant: Number(last) - 1 };
  }
  const [, before, number] = /^(\D{3,}?)([2-9]|[1-4]\d)$/.exec(name) ?? [];
  if (before) return { rest: before, participant: Number(number) - 1 };
  return { rest: name };
}

/**
 * Proposes a field for each column, by its name in English, German or French, and by its content: a column of addresses is an email
 * whatever its name. Each field is used once, and what fits best comes first.
 */
export function recognise({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>, kind: ImportKind): Mapping {
  const { fields } = kind;
  const contents = columns.map((_, i) => contentOf(rows.map(({ cells }) => cells[i] ?? '')));
  const proposals = columns.flatMap((column, i) => {
    if (ADDED.includes(column)) return [];
    const direct = targetAt(kind, column);
    if (direct) return [{ column, path: direct.path, fit: 9 }];
    const named = { ...ownerOf(column), whole: plain(column) };
    const said = unitIn(column);
    const before = said && { ...ownerOf(said.name), whole: plain(said.name) };
    return fields.flatMap((field) => {
      const of = kindOf(field);
      const fits = of === 'amount' ? currencyInName(column) : /^date/.test(of) && hasDatePattern(column);
      // `Price (%)` is no amount.
      if (of === 'amount' && said && !fits) return [];
      const { rest, booker, participant, whole } = (fits && before) || named;
      const isBooker = field.path.startsWith('booker.');
      const ofParticipant = field.path.startsWith('participants[0].');
      if (isBooker !== Boolean(booker) && (isBooker || fit(whole, field) === 0)) return [];
      if (of !== 'email' && contents[i] === 'email') return [];
      // Minor units are never recognised: `45.00` would be 45 pence.
      if (of === 'minor') return [];
      const path = ofParticipant && participant ? field.path.replace('[0]', `[${participant}]`) : field.path;
      const own = Math.max(fit(rest, field), participant ? 0 : fit(whole, field));
      if (participant && !ofParticipant)
        return fit(whole, field) ? [{ column, path, fit: fit(whole, field) }] : [];
      return own > 0 ? [{ column, path, fit: own }] : [];
    });
  });
  const mapping: Mapping = {};
  const taken = new Set<string>();
  const take = (column: string, path: string) => {
    if (mapping[column] || taken.has(path)) return;
    mapping[column] = path;
    taken.add(path);
  };
  for (const { column, path } of proposals.sort((a, b) => b.fit - a.fit)) take(column, path);
  for (const [i, column] of columns.entries()) {
    const ending = contents[i] === 'email' ? 'email' : contents[i] === 'birth' ? 'dateOfBirth' : undefined;
    const field = fields.find(({ path }) => ending && !path.startsWith('booker.') && leafOf(path) === ending);
    if (field && !ADDED.includes(column)) take(column, field.path);
  }
  withLastName(columns, fields, take, taken);
  return mapping;
}

/** `Name` is the last name if another column has the first name; otherwise it may be the whole name. */
function withLastName(
  columns: readonly string[],
  fields: readonly SheetField[],
  take: (column: string, path: string) => void,
  taken: ReadonlySet<string>,
): void {
  const last = fields.find(({ path }) => !path.startsWith('booker.') && leafOf(path) === 'lastName')?.path;
  const name = columns.find((column) => plain(column) === 'name');
  if (last && name && taken.has(last.replace('lastName', 'firstName'))) take(name, last);
}
