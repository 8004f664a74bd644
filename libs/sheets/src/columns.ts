import { kindOf, type SheetField } from './field';
import { closest, plain } from './match-values';
import { ALIASES, BOOKER_WORDS, PARTICIPANT_WORDS } from './names';
import type { Sheet } from './sheet';
import { type ImportKind, targetAt } from './targets';
import { hasPattern, unitFor, unitIn } from './units';

/** Maps columns to fields: the path of the field by the name of the column. */
export type Mapping = Record<string, string>;

/** The columns that files of ours have in addition. */
export const ADDED: readonly string[] = [
  '#startline',
  'importRow',
  'importCode',
  'importMessage',
  '#code',
  '#message',
];

const leafOf = (path: string): string => path.replace(/^(participants\[\d+\]|participant|booker)\./, '');

/** A field with a similar name, as a question; empty if there is none. */
export function similarTo(column: string, fields: readonly SheetField[]): string {
  const found = closest(
    column,
    fields.map(({ path, names = [] }) => ({
      id: path,
      names: [path, path.replace('s[0]', ''), leafOf(path), ...names],
    })),
  );
  return found ? ` (did you mean "${found.id}"?)` : '';
}

/** How well the name of a column fits a field of which the whole name is given; 0 if it does not. */
function fit(name: string, field: SheetField): number {
  const { path, label } = field;
  const leaf = leafOf(path);
  // A whole name is one only where no column has a part of it.
  if (kindOf(field) === 'name') return ALIASES.wholeName?.includes(name) ? 0.5 : 0;
  if (plain(leaf) === name) return 3;
  if (label) {
    const key = leaf.replace('fields.', '');
    if (plain(label) === name || plain(key) === name) return 2.5;
    return ALIASES[key]?.includes(name) ? 1.5 : 0;
  }
  const aliases = field.names ?? ALIASES[leaf] ?? ALIASES[leaf.split('.').at(-1) ?? ''] ?? [];
  const at = aliases.indexOf(name);
  return at < 0 ? 0 : 2 - at / 100;
}

/** A field under its own name, as our start lists (`participant.email`) and exports (`answer.shirtSize`) have it. */
function underOwnName(kind: ImportKind, column: string): SheetField | undefined {
  const own = column.replace(/^participant\./, 'participants[0].');
  const answer = column.replace(/^answer\./, 'participants[0].fields.');
  return targetAt(kind, own) ?? kind.fields.find(({ path }) => path === answer);
}

const NUMBERED = /^(\D{3,}?)([2-9]|[1-4]\d)$/;

/** The numbers behind names of people: `First name 2`. */
function numbersOfPeople(columns: readonly string[]): Set<string> {
  return new Set(
    columns.flatMap((column) => {
      const [, name = '', number = ''] = NUMBERED.exec(plain(column)) ?? [];
      return PEOPLE.some((leaf) => plain(leaf) === name || ALIASES[leaf]?.includes(name)) ? [number] : [];
    }),
  );
}
const PEOPLE = ['firstName', 'lastName', 'name'];

/** Whose field a column names: of the booker, of the participant with a number, or of whomever the import is about. */
function ownerOf(
  column: string,
  numbers: ReadonlySet<string>,
): { rest: string; booker?: true; participant?: number } {
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
  const [, before, number = ''] = NUMBERED.exec(name) ?? [];
  // A second phone is not that of a second person, whose name would have the number too.
  if (before && numbers.has(number)) return { rest: before, participant: Number(number) - 1 };
  return { rest: name };
}

/** Proposes a field for each column, by its name in one of the languages. Each field is used once, and what fits best comes first. */
export function recognise({ columns }: Pick<Sheet, 'columns'>, kind: ImportKind): Mapping {
  const { fields } = kind;
  const numbers = numbersOfPeople(columns);
  const proposals = columns.flatMap((column) => {
    if (ADDED.includes(column)) return [];
    const direct = targetAt(kind, column) ?? underOwnName(kind, column);
    if (direct) return [{ column, path: direct.path, fit: 9 }];
    const named = { ...ownerOf(column, numbers), whole: plain(column) };
    const said = unitIn(column);
    const before = said && { ...ownerOf(said.name, numbers), whole: plain(said.name) };
    return fields.flatMap((field) => {
      const of = kindOf(field);
      const fits = unitFor(of, column) !== undefined || hasPattern(of, column);
      // `Price (%)` is no amount.
      if (of === 'amount' && said && !fits) return [];
      const { rest, booker, participant, whole } = (fits && before) || named;
      const isBooker = field.path.startsWith('booker.');
      const ofParticipant = field.path.startsWith('participants[0].');
      if (isBooker !== Boolean(booker) && (isBooker || fit(whole, field) === 0)) return [];
      // Minor units are never recognised: `45.00` would be 45 pence.
      if (of === 'minor') return [];
      const path = ofParticipant && participant ? field.path.replace('[0]', `[${participant}]`) : field.path;
      const own = Math.max(fit(rest, field), participant ? 0 : fit(whole, field));
      if (participant && !ofParticipant)
        return fit(whole, field) ? [{ column, path, fit: fit(whole, field) }] : [];
      return own > 0 ? [{ column, path, fit: own }] : [];
    });
  });
  // A column can have the name of a property that every object has.
  const mapping: Mapping = Object.create(null);
  const taken = new Set<string>();
  for (const { column, path } of proposals.sort((a, b) => b.fit - a.fit)) {
    if (mapping[column] || taken.has(path) || isSplit(path, taken)) continue;
    mapping[column] = path;
    taken.add(path);
  }
  // `Nom` and `Nombre` are a part of a name beside the other part only.
  for (const [column, path] of Object.entries(mapping)) {
    const other = /first/.test(path) ? path.replace('first', 'last') : path.replace('last', 'first');
    if (other !== path && /(?<!pre)nom(bre)?$/.test(plain(column)) && !taken.has(other))
      delete mapping[column];
  }
  const last = fields.find(({ path }) => /^participants?(\[0\])?\.lastName$/.test(path))?.path ?? '';
  const name = columns.find((column) => plain(column) === 'name');
  if (name && !mapping[name] && !taken.has(last) && taken.has(last.replace('last', 'first')))
    mapping[name] = last;
  return mapping;
}

/** Whether a whole name is in columns of its parts, or a part in a whole name. */
function isSplit(path: string, taken: ReadonlySet<string>): boolean {
  const [, of, name] = /^(.*\.)(firstName|lastName|name)$/.exec(path) ?? [];
  if (!of) return false;
  return name === 'name' ? taken.has(`${of}firstName`) || taken.has(`${of}lastName`) : taken.has(`${of}name`);
}
