import { currencyOf } from './amounts';
import { type Choices, READINGS, type Reading } from './choices';
import { ADDED } from './columns';
import { type Conversion, ConversionLog } from './conversions';
import { currencyOfTicket, otherCurrencies, otherCurrencyOf } from './currencies';
import type { Distance } from './distances';
import { domainOf } from './domain';
import { kindOf, missingOf, type SheetField } from './field';
import { type OpenInGroups, openInGroups } from './groups';
import { closest, exactly, type Lookups, type Match } from './match-values';
import { type Numbering, numberOf } from './numbering';
import { type Body, fillBooker, put } from './put';
import { type Cell, isBlank, type Sheet, type SheetRow, textOf, trimmed } from './sheet';
import { FREE, type ImportKind, targetAt } from './targets';
import { orderInName, unitFor } from './units';
import {
  contradicts,
  type Decision,
  decide,
  type Mistake,
  meaningOf,
  openIn,
  readValue,
  settled,
  UUID,
  wordsOf,
} from './values';

/** What a person decided about a file; it can be stored, and used for the next file with the same columns. */
export interface FileMapping extends Pick<Choices, 'dateOrder' | 'decimal'> {
  /** The path of a field for each column; `null` for a column that is not sent. */
  columns: Record<string, string | null>;
  /** How columns are written, where their values leave it open; `dateOrder` and `decimal` are for all of them. */
  readings?: Record<string, Choices>;
  /** Values outside what is plausible that somebody has confirmed, by column; `true` for all. */
  accepted?: true | Record<string, string[]>;
  /** Texts that mean an empty cell, by column. */
  missing?: Record<string, string[]>;
  /** Values of every row by path. */
  values?: Record<string, string>;
  /** Ids by the texts that stand for them, by the name of the property: `{ ticketId: { "Marathon early": "01…" } }`. */
  matches?: Record<string, Record<string, string>>;
  /** The occurrence whose records are named, for imports whose rows name none. */
  occurrence?: string;
  /** How bookings get a number that the file does not have. */
  numbering?: Numbering;
}

/** An import row, and the rows of the file that it was made from. */
export interface Item {
  rows: SheetRow[];
  body: Body;
}

/** What has to be known before the file can be sent. */
export type Question =
  | Reading
  | { kind: 'field'; field: SheetField }
  /** Values that are unlikely to be meant. */
  | { kind: 'outside'; column: string; values: string[]; plausible: string }
  | { kind: 'currency'; column: string; path: string };

export interface Plan {
  items: Item[];
  failed: { row: SheetRow; mistakes: Mistake[] }[];
  /** The import rows of those that failed, with the texts of the file as values. The API imports none that has the property `unread`. */
  unread: Item[];
  /** Rows that are identical to an earlier one. */
  duplicates: SheetRow[];
  questions: Question[];
  /** What columns leave open, also where somebody has said it. */
  readings: Reading[];
  /** What becomes of the values of each column. */
  conversions: Conversion[];
  /** Columns that are not sent. */
  unused: string[];
  /** Texts that stand for records or options, by property. */
  matches: Record<string, Match[]>;
  /** The records and options that are known, by property. */
  candidates: Lookups;
  /** The occurrences that rows are for. */
  occurrences: string[];
  /** Bookings made from several rows, and the lines of those that join people with different addresses or names. */
  joined: { bookings: number; rows: number; strangers: number[][] };
  /** The cells of a row as texts that can be read without the other rows: what their columns decided is written out. */
  textsOf(row: SheetRow): string[];
}

export type StoredValues = Record<string, ReadonlySet<string>>;

interface Column {
  name: string;
  at: number;
  field: SheetField;
  decision: Decision;
  /** The currency of its amounts, or the unit of its distances, that its name has. */
  sign?: string;
  /** Texts that mean an empty cell. */
  missing: ReadonlySet<string>;
  /** Whether spaces at the ends of texts are kept. */
  exact: boolean;
  /** The property whose texts name records or options. */
  names?: string;
  log: ConversionLog;
  /** Values that are not plausible. */
  outside: Set<string>;
}

const NAMING =
  /(?:^|\.)(ticketId|ticketSlug|waveId|eventOccurrenceId|partnerId|addOnId|variantId|referralProgramId|reservedEntryGroupId|eventId|discountCode)s?$/;
const PERSON = /^participants\[(\d+)\]\./;
const OCCURRENCE = 'eventOccurrenceId';
const NUMBER = 'externalBookingId';
const BIRTH = /dateOfBirth$/;
const NO_NUMBER: Mistake = {
  ...{ code: 'REQUIRED', path: NUMBER },
  message: 'The booking number needs a name and a date of birth.',
};
const NO_ADDRESS: Mistake = {
  ...{ code: 'REQUIRED', path: 'booker.email' },
  message:
    'The booker has another name than the first participant, and no email address. Fill it, or leave the name out.',
};
const sameBooking = ({ line }: SheetRow): Mistake => ({
  ...{ code: 'SAME_BOOKING', message: `Row ${line} of the same booking has a mistake.` },
});
const TITLE =
  'The row has one value only, as a title has. Delete it, or fill the other columns if it is an entry.';

/** The property whose texts name records or options. */
export function namesOf({ path, options }: SheetField): string | undefined {
  if (options) return path.replace(/^(participants\[\d+\]|participant)\./, '');
  return FREE.test(path) ? undefined : NAMING.exec(path)?.[1];
}

/**
 * The properties of a mapping whose texts can name records; tickets also where they tell the currency of amounts, and occurrences where they
 * tell the age of people.
 */
export function namesIn(kind: ImportKind, { columns }: FileMapping): string[] {
  const fields = Object.values(columns).flatMap((path) => (path && targetAt(kind, path)) || []);
  const named = fields.flatMap((field) => (field.options ? [] : (namesOf(field) ?? [])));
  const paid = fields.some((field) => /^(amount|minor)$/.test(kindOf(field)) && PERSON.test(field.path));
  const aged = fields.some(({ path }) => BIRTH.test(path));
  return [...new Set([...named, ...(paid ? ['ticketId'] : []), ...(aged ? [OCCURRENCE] : [])])];
}

/**
 * Makes import rows from a table. A value that does not fit is a mistake of its row; the other rows are not affected, other than those
 * of the same booking.
 *
 * @param today the latest date of birth, as YYYY-MM-DD
 * @param stored values by path, in words, that are stored already: they are plausible
 */
export function planOf(
  sheet: Sheet,
  kind: ImportKind,
  mapping: FileMapping,
  { lookups = {}, today, stored = {} }: { lookups?: Lookups; today: string; stored?: StoredValues },
): Plan {
  return new Planning(sheet, kind, mapping, lookups, today, stored).plan();
}

/** What a workbook has as a value, however it is shown. */
const VALUE = /^(date|dateTime|time|amount|minor|integer|number|distance|boolean)$/;

/** Texts that a spreadsheet took for numbers or dates, of which digits or the form are lost. The first few. */
const changedBySpreadsheet = ({ notices }: Sheet, name: string, field: SheetField): string[] =>
  notices
    .filter(
      ({ code, column }) =>
        column === name &&
        (code === 'DAMAGED_NUMBERS' || (code === 'DATES' && !/^(date|dateTime|time)$/.test(kindOf(field)))),
    )
    .flatMap(({ examples = [] }) => examples.map(({ from }) => from));

class Planning {
  private readonly columns: Column[];
  /** The places of columns with values that do not depend on how a workbook shows them. */
  private readonly valued: ReadonlySet<number>;
  private readonly candidates: Lookups;
  private readonly occurrences = new Set<string>();
  private readonly questions: Question[] = [];
  private readonly readings: Reading[] = [];
  private readonly fixed = new Map<string, unknown>();
  private readonly found = new Map<string, Map<string, Match>>();
  private readonly withoutCurrency = new Map<string, string>();
  /** Required fields that the file lacks: a question about the file, and no mistake of its rows. */
  private readonly lacking = new Set<string>();
  /** The numbers that bookings got, and their lines. */
  private readonly numbers = new Map<string, number>();
  private readonly numbering: Numbering | undefined;
  /** The required fields that the last row lacked; the next one mostly has the same columns. */
  private wanted: { key: string; fields: SheetField[] } = { key: '', fields: [] };
  private days: Map<string, string | null | undefined> | undefined;

  constructor(
    private readonly sheet: Sheet,
    private readonly kind: ImportKind,
    private readonly mapping: FileMapping,
    lookups: Lookups,
    private readonly today: string,
    private readonly stored: StoredValues,
  ) {
    this.columns = sheet.columns.flatMap((name, at): Column[] => {
      const path = mapping.columns[name];
      const field = path ? targetAt(kind, path) : undefined;
      if (!path || !field) return [];
      const order = orderInName(name);
      const { dateOrder, decimal, readings } = mapping;
      const missing = new Set(mapping.missing?.[name]);
      const cells = sheet.rows
        .map((row) => row.cells[at] ?? '')
        .filter((cell) => !missing.has(trimmed(cell)));
      // Under the name of its field, a number is written as the API writes it, unless a comma says otherwise.
      const isOwn =
        name === path &&
        /^(distance|number)$/.test(kindOf(field)) &&
        !cells.some((cell) => textOf(cell).includes(','));
      const choices = {
        ...{ dateOrder, decimal: isOwn ? ('.' as const) : decimal },
        ...(order && { dateOrder: order }),
        ...readings?.[name],
      };
      const about = { format: sheet.format, from1904: sheet.from1904, column: name, today };
      const { decision, readings: open } = decide(field, cells, choices, about);
      this.readings.push(...open);
      const names = namesOf(field);
      // We wrote the column, so its texts are complete as they are: in an export all, in failed rows those under the name of their field.
      const exact = sheet.ours && (name === path || !sheet.columns.includes('importRow'));
      const sign = unitFor(kindOf(field), name);
      const log = new ConversionLog();
      const outside = new Set<string>();
      return [
        {
          ...{ name, at, field, decision, missing, exact, log, outside },
          ...(names && { names }),
          ...(sign && { sign }),
        },
      ];
    });
    this.valued = new Set(this.columns.filter(({ field }) => VALUE.test(kindOf(field))).map(({ at }) => at));
    // What a text names depends on the occurrence of its row.
    this.columns.sort((a, b) => Number(b.names === OCCURRENCE) - Number(a.names === OCCURRENCE));
    this.candidates = { ...lookups };
    for (const { names, field } of this.columns)
      if (names && field.options) this.candidates[names] = field.options;
    for (const [path, text] of Object.entries(mapping.values ?? {})) {
      const field = text === '' ? undefined : targetAt(kind, path);
      if (!field) continue;
      const read = readValue(text, field, { decimal: '.', ...mapping }, today);
      if (!('value' in read)) continue;
      for (const [place, part] of partsOf(field, read.value)) this.fixed.set(place, part);
      if (path === OCCURRENCE) this.occurrences.add(String(read.value));
    }
    if (!this.columnOf(NUMBER)) this.numbering = mapping.numbering;
  }

  plan(): Plan {
    const { rows, columns } = this.sheet;
    const filled = new Set([...this.columns.map(({ field }) => field.path), ...this.fixed.keys()]);
    if (this.numbering) filled.add(NUMBER);
    for (const field of missingOf(this.kind.fields, filled)) {
      this.questions.push({ kind: 'field', field });
      this.lacking.add(field.path);
    }
    const plan: Plan = {
      items: [],
      failed: [],
      unread: [],
      duplicates: [],
      questions: this.questions,
      readings: this.readings,
      conversions: [],
      unused: columns.filter((name) => !this.mapping.columns[name] && !ADDED.includes(name)),
      matches: {},
      candidates: this.candidates,
      occurrences: [],
      joined: { bookings: 0, rows: 0, strangers: [] },
      textsOf: (row) => {
        const texts = this.cellsOf(row).map(textOf);
        for (const { at, field, decision } of this.columns) {
          texts[at] = settled(row.cells[at] ?? '', field, decision, this.today) ?? texts[at] ?? '';
        }
        return texts;
      },
    };
    if (this.kind.collection === 'bookings') this.bookings(plan, rows);
    else this.single(plan, rows);
    plan.questions.push(...this.readings.filter(({ answer }) => !answer));
    const { accepted } = this.mapping;
    for (const { name, field, outside } of this.columns) {
      const damaged = changedBySpreadsheet(this.sheet, name, field);
      const values = [...new Set([...outside, ...damaged])].filter(
        (text) => accepted !== true && !accepted?.[name]?.includes(text),
      );
      const plausible = domainOf(field)?.words ?? 'a text that no spreadsheet has changed';
      if (values.length > 0) plan.questions.push({ kind: 'outside', column: name, values, plausible });
    }
    plan.conversions = this.columns.map(({ name, field, names, decision, log }) =>
      log.report(name, conversionOf(field, names, decision), (to) => {
        const record = names ? this.candidates[names]?.find(({ id }) => id === to) : undefined;
        return record?.label ?? record?.names[0] ?? to;
      }),
    );
    for (const { code, column = '', count = 0, examples = [] } of this.sheet.notices) {
      if (code !== 'MERGED' || !this.mapping.columns[column]) continue;
      const [{ from = '', to = '' } = {}] = examples;
      const changes = [{ which: 'first' as const, from, to }];
      plan.conversions.push({ column, conversion: 'merged', values: count, changed: count, changes });
    }
    for (const [path, column] of this.withoutCurrency)
      plan.questions.push({ kind: 'currency', column, path });
    plan.matches = Object.fromEntries(
      [...this.found].map(([name, texts]) => [name, [...texts.values()].sort((a, b) => b.count - a.count)]),
    );
    plan.occurrences = [...this.occurrences];
    plan.failed.sort((a, b) => a.row.line - b.row.line);
    return plan;
  }

  private single(plan: Plan, rows: readonly SheetRow[]): void {
    const seen = new Map<string, { line: number; content: string }>();
    for (const row of rows) {
      const { body, mistakes } = this.read(row, this.cellsOf(row));
      if (mistakes.length > 0) {
        plan.failed.push({ row, mistakes });
        plan.unread.push(unreadOf([row], body, mistakes));
        continue;
      }
      const id = identityOf(this.kind, body);
      const first = id === undefined ? undefined : seen.get(id);
      if (!first) {
        if (id !== undefined) seen.set(id, { line: row.line, content: JSON.stringify(body) });
        plan.items.push({ rows: [row], body });
      } else if (first.content === JSON.stringify(body)) plan.duplicates.push(row);
      else {
        const column = this.columnOf(this.kind.identity[0] ?? '') ?? this.kind.identity[0] ?? '';
        const message = `"${column}" is the same as in row ${first.line}, and other values differ.`;
        const mistakes: Mistake[] = [{ code: 'DUPLICATE', column, message, path: this.kind.identity[0] }];
        plan.failed.push({ row, mistakes });
        plan.unread.push(unreadOf([row], body, mistakes));
      }
    }
  }

  /**
   * Rows with the same external booking id are one booking. A booking is sent as a whole or not at all, so that a row that can't be read belongs
   * to it as well: without it, the booking would lack a participant, and the corrected row would replace another one.
   */
  private bookings(plan: Plan, rows: readonly SheetRow[]): void {
    const at = this.columns.find(({ field }) => field.path === NUMBER)?.at;
    const numberIn = ({ cells }: SheetRow) => (at === undefined ? '' : trimmed(cells[at]));
    const read = new Set(rows.filter(({ broken }) => !broken).map(numberIn));
    read.delete('');
    // In a row with a value too many or too few, the number may be beside its column, unless nothing is before that.
    const elsewhere = (row: SheetRow) =>
      at && row.beyond && !read.has(numberIn(row))
        ? [...row.cells, ...row.beyond].map(trimmed).find((text) => read.has(text))
        : undefined;
    const groups = new Map<string, SheetRow[]>();
    for (const [i, row] of rows.entries()) {
      const id = elsewhere(row) ?? numberIn(row);
      const key = id ? `id/${id}` : `row/${i}`;
      const group = groups.get(key);
      if (group) group.push(row);
      else groups.set(key, [row]);
    }
    const all = [...groups.values()];
    const contentOf = (row: SheetRow) => this.contentOf(row);
    const isMerged = ({ name }: Column) =>
      this.sheet.notices.some(({ code, column }) => code === 'MERGED' && column === name);
    const readable = all
      .map((group) => group.filter(({ broken }) => !broken))
      .filter(({ length }) => length > 0);
    for (const { column, open, examples } of openInGroups(this.columns, readable, contentOf, isMerged))
      this.open(column, open, examples);
    for (const group of all) this.booking(plan, group);
  }

  private open({ name: column, decision }: Column, open: OpenInGroups, examples: string[]): void {
    const answer = this.mapping.readings?.[column]?.[open];
    Object.assign(decision, { [open]: answer });
    const ways = READINGS[open].map((way) => ({ way }));
    this.readings.push({ kind: 'reading', open, column, examples, ways, ...(answer && { answer }) });
  }

  /** The cells of a row: those of columns without values as the workbook shows them. */
  private cellsOf({ cells, shown }: SheetRow): Cell[] {
    return shown ? cells.map((cell, at) => (this.valued.has(at) ? cell : (shown[at] ?? cell))) : cells;
  }

  private contentOf(row: SheetRow): string {
    const isAdded = (at: number) => ADDED.includes(this.sheet.columns[at] ?? '');
    return JSON.stringify(row.cells.map((cell, at) => (isAdded(at) ? '' : trimmed(cell))));
  }

  private booking(plan: Plan, all: SheetRow[]): void {
    const shared = this.columns.filter(({ field }) => !PERSON.test(field.path));
    const common = new Map<number, { cell: SheetRow['cells'][number]; line: number }>();
    const mistaken = new Map<SheetRow, Mistake[]>();
    const differing = new Map<Column, { mistake: Mistake; texts: Set<string> }>();
    const rows: SheetRow[] = [];
    const seen = new Set<string>();
    const areEntries = this.columns.some(({ decision }) => decision.equalRows === 'entries');
    for (const row of all) {
      const content = all.length > 1 ? this.contentOf(row) : '';
      if (seen.has(content) && !row.broken && !areEntries) {
        plan.duplicates.push(row);
        continue;
      }
      rows.push(row);
      if (row.broken) continue;
      seen.add(content);
      const cells = this.cellsOf(row);
      for (const column of shared) {
        const { name, at } = column;
        const cell = cells[at] ?? '';
        const first = common.get(at);
        if (isBlank(cell)) continue;
        if (!first) common.set(at, { cell, line: row.line });
        else if (trimmed(first.cell) !== trimmed(cell)) {
          const message = `Column "${name}" is not the same as in row ${first.line} of the same booking.`;
          const mistake: Mistake = { code: 'BOOKING_DIFFERS', column: name, message };
          mistaken.set(row, [mistake]);
          const { texts } = differing.get(column) ?? { texts: new Set([trimmed(first.cell)]) };
          differing.set(column, { mistake, texts: texts.add(trimmed(cell)) });
        }
      }
    }
    const participants: Body[] = [];
    const found: Mistake[] = [];
    const once = new Set(this.columns.filter((column) => isOnce(column, rows)));
    const bodies = rows.map((row) => {
      const cells = this.cellsOf(row).map((cell, at) => common.get(at)?.cell ?? cell);
      const { body, mistakes } = this.read(row, cells, row === rows[0] ? undefined : once);
      if (mistakes.length > 0 && !mistaken.has(row)) mistaken.set(row, mistakes);
      found.push(...moved(mistakes, (person) => person + participants.length));
      participants.push(...((body.participants ?? []) as Body[]));
      return body;
    });
    const body: Body = { ...bodies[0], participants };
    const other = mistaken.size > 0 ? undefined : otherCurrencyOf(participants, this.candidates);
    if (other) {
      const of = bodies.findIndex((body) =>
        (body.participants as Body[] | undefined)?.includes(other.participant),
      );
      mistaken.set(rows[of] as SheetRow, [other.mistake]);
      const path = `participants[${participants.indexOf(other.participant)}].price`;
      found.push({ ...other.mistake, path });
    }
    if (mistaken.size > 0) {
      const [first] = mistaken.keys();
      for (const row of rows)
        plan.failed.push({ row, mistakes: mistaken.get(row) ?? [sameBooking(first as SheetRow)] });
      for (const [column, { mistake, texts }] of differing)
        found.push({ ...mistake, path: this.keep(body, column, [...texts].join(' | ')) });
      const number = this.numbering && this.numberOf(body, rows[0] as SheetRow, this.numbering);
      if (number) body[NUMBER] = number;
      else if (this.numbering) found.push(NO_NUMBER);
      plan.unread.push(unreadOf(rows, body, found));
      return;
    }
    const numbered = this.numbering && this.number(body, rows[0] as SheetRow, this.numbering);
    const mistake = numbered ?? (fillBooker(body) ? NO_ADDRESS : undefined);
    if (mistake) {
      for (const row of rows)
        plan.failed.push({ row, mistakes: [row === rows[0] ? mistake : sameBooking(rows[0] as SheetRow)] });
      plan.unread.push(unreadOf(rows, body, [mistake]));
      return;
    }
    plan.items.push({ rows, body });
    if (rows.length > 1) {
      plan.joined.bookings += 1;
      plan.joined.rows += rows.length;
      if (areStrangers(participants)) plan.joined.strangers.push(rows.map(({ line }) => line));
    }
  }

  /** Gives a booking its number. */
  private number(body: Body, row: SheetRow, numbering: Numbering): Mistake | undefined {
    const number = this.numberOf(body, row, numbering);
    if (!number) return NO_NUMBER;
    const first = this.numbers.get(number);
    this.numbers.set(number, first ?? row.line);
    body[NUMBER] = number;
    if (first === undefined) return undefined;
    const message = `The person is the same as in row ${first}. Number the bookings by row, or delete one of them.`;
    return { code: 'DUPLICATE', message, path: NUMBER };
  }

  private numberOf(body: Body, row: SheetRow, numbering: Numbering): string | undefined {
    // A file of failed rows has the lines of the file before.
    const line = trimmed(row.cells[this.sheet.columns.indexOf('importRow')]) || String(row.line);
    return numberOf(body, line, numbering);
  }

  /** Sets a text of the file where the value would be that it can't be read as. Returns the path that the grid of failed rows has for it. */
  private keep(body: Body, { field }: Column, text: string): string {
    const kind = kindOf(field);
    const path = kind === 'name' ? field.path.replace(/name$/, 'lastName') : field.path;
    const amount = kind === 'amount' || kind === 'minor' ? path.replace(/\.value$/, '') : undefined;
    this.set(body, amount ? `${amount}.value` : path, text);
    return amount ?? path;
  }

  /** @param before the columns whose amounts an earlier row of the booking has */
  private read(
    row: SheetRow,
    cells: SheetRow['cells'],
    before?: ReadonlySet<Column>,
  ): { body: Body; mistakes: Mistake[] } {
    const isTitle = cells.length > 3 && row.cells.filter((cell) => !isBlank(cell)).length === 1;
    const title = this.kind.collection === 'bookings' && isTitle ? TITLE : undefined;
    const message = row.broken ?? title;
    const body: Body = {};
    const mistakes: Mistake[] = [];
    if (message) {
      for (const column of this.columns) {
        const cell = cells[column.at] ?? '';
        if (isBlank(cell)) continue;
        // Their texts would be other values: a last name, and an amount in whole units.
        const isOther = /^(name|minor)$/.test(kindOf(column.field));
        const read = isOther && readValue(cell, column.field, column.decision, this.today);
        if (read && 'value' in read)
          for (const [path, part] of partsOf(column.field, read.value)) this.set(body, path, part);
        else this.keep(body, column, [...textOf(cell)].slice(0, 1_000).join(''));
      }
      return { body, mistakes: [{ code: 'UNREADABLE', message }] };
    }
    const filled = new Set([...this.fixed.keys(), ...(this.numbering ? [NUMBER] : [])]);
    const distances: { column: Column; value: Distance; text: string }[] = [];
    const amounts: { column: Column; value: unknown; sign?: string }[] = [];
    const persons = this.personsIn(cells);
    for (const [path, value] of this.fixed) {
      const forAll = path.startsWith('participants[0].') ? persons : [0];
      for (const person of forAll)
        this.set(body, path.replace('participants[0]', `participants[${person}]`), value);
    }
    for (const column of this.columns) {
      const cell = cells[column.at] ?? '';
      const { field, name } = column;
      if (column.exact ? cell === '' : isBlank(cell)) continue;
      if (column.missing.has(trimmed(cell))) {
        column.log.add(textOf(cell), '');
        continue;
      }
      filled.add(field.path);
      // The records of an occurrence that nobody has chosen yet.
      if (column.names && this.isUnknown(column.names) && !UUID.test(trimmed(cell))) continue;
      const { log, outside } = column;
      const from = row.shown?.[column.at] ?? textOf(cell);
      const refuse = (code: Mistake['code'], message: string) =>
        mistakes.push({ code, column: name, message, path: this.keep(body, column, from) });
      const kind = kindOf(field);
      const alone = readValue(cell, field, column.decision, this.today);
      // The question about the column says it once.
      const open = openIn(alone, cell, field, column.decision);
      if (this.readings.some((each) => each.column === name && each.open === open)) continue;
      const named = this.named(column, cell, body);
      if (named === null) {
        const message = field.options
          ? `Column "${name}": "${shortened(textOf(cell))}" is none of the options.`
          : `Column "${name}": no record has exactly the name "${shortened(textOf(cell))}".`;
        refuse('NO_MATCH', message);
        continue;
      }
      const read = named ? { value: named } : alone;
      if (column.names === OCCURRENCE && 'value' in read)
        for (const id of [read.value].flat()) this.occurrences.add(String(id));
      if ('misfit' in read) {
        const message = `Column "${name}": "${shortened(textOf(cell))}" must be ${read.misfit}.`;
        refuse(read.ambiguous ? 'AMBIGUOUS' : 'INVALID_VALUE', message);
        continue;
      }
      const words = wordsOf(read.value, kind);
      const [number] = kind === 'distance' ? Object.values(read.value as Distance) : [];
      if ([words, String(number)].some((text) => column.missing.has(text))) {
        filled.delete(field.path);
        log.add(from, '');
        continue;
      }
      log.add(from, column.exact && kind === 'text' ? from : words);
      const day = BIRTH.test(field.path) ? this.dayOf(body) : this.today;
      if (!column.exact && this.isOutside(field, read.value, words, day, trimmed(cell)))
        outside.add(trimmed(cell));
      if (kind === 'distance') distances.push({ column, value: read.value as Distance, text: trimmed(cell) });
      else if (kind === 'amount') amounts.push({ column, ...read, ...(before?.has(column) && { value: 0 }) });
      else if (column.exact && kind === 'text') this.set(body, field.path, textOf(cell));
      else for (const [path, part] of partsOf(field, read.value)) this.set(body, path, part);
    }
    for (const { column, value, text } of distances) mistakes.push(...setDistance(body, column, value, text));
    for (const { column, value, sign: own } of amounts) {
      const { path } = column.field;
      const keep = () => this.keep(body, column, row.shown?.[column.at] ?? textOf(cells[column.at]));
      const signs = [column.sign, own].filter((each) => each !== undefined);
      const meant = signs.map(currencyOf).find(Boolean);
      const none = column.field.zero && value === 0 ? 'ZERO' : undefined;
      const currency = this.currencyOf(body, path, value) ?? meant ?? none;
      const wrong = currency && signs.find((sign) => contradicts(sign, currency));
      // The currency of a ticket that is not known yet, or one that is refused.
      const stated = this.columnOf(`${path}.currencyCode`) ?? '';
      const waits =
        mistakes.some((each) => each.code === 'NO_MATCH' || each.column === stated) ||
        this.isUnknown('ticketId');
      if (!currency && waits) keep();
      else if (!currency) {
        this.withoutCurrency.set(`${path.replace(PERSON, 'participants[0].')}.currencyCode`, column.name);
        mistakes.push({
          ...{ code: 'REQUIRED', column: column.name, path: keep() },
          message: `Column "${column.name}": the currency is not known.`,
        });
      } else if (wrong) {
        const message = `Column "${column.name}": "${wrong}" is not ${currency}, which is the currency of the row.`;
        mistakes.push({ code: 'INVALID_VALUE', column: column.name, message, path: keep() });
      } else {
        put(body, `${path}.value`, value);
        put(body, `${path}.currencyCode`, currency);
      }
    }
    withoutLoneCurrencies(body);
    mistakes.push(...otherCurrencies(body, this.candidates, (path) => this.columnOf(path)));
    this.withOneName(body, filled);
    mistakes.push(...this.required(filled, persons, mistakes));
    const participants = (body.participants ?? []) as Body[];
    if (body.participants) body.participants = participants.filter(Boolean);
    const placeOf = (person: number) => participants.slice(0, person).filter(Boolean).length;
    return { body, mistakes: moved(mistakes, placeOf) };
  }

  /** The participants of a row that have a value in a column of their own; the first one, if none has. */
  private personsIn(cells: SheetRow['cells']): number[] {
    const found = new Set<number>();
    for (const { field, at } of this.columns) {
      const [, person] = PERSON.exec(field.path) ?? [];
      if (person !== undefined && !isBlank(cells[at])) found.add(Number(person));
    }
    return found.size > 0 ? [...found].sort((a, b) => a - b) : [0];
  }

  /** A person can have one name only: the column of the other one is empty. */
  private withOneName(body: Body, filled: Set<string>): void {
    for (const { field } of this.columns) {
      const [, of, name] = /^(.*\.)(first|last)Name$/.exec(field.path) ?? [];
      const other = `${of}${name === 'first' ? 'last' : 'first'}Name`;
      if (!of || filled.has(field.path) || !filled.has(other)) continue;
      put(body, field.path, '');
      filled.add(field.path);
    }
  }

  private required(filled: Set<string>, persons: number[], before: Mistake[]): Mistake[] {
    const key = JSON.stringify([...persons, ...filled]);
    if (this.wanted.key !== key) this.wanted = { key, fields: this.missing(filled, persons) };
    return this.wanted.fields.flatMap(({ path }): Mistake[] => {
      if (this.lacking.has(path)) return [];
      const column = this.columnOf(path);
      if (column && before.some((mistake) => mistake.column === column)) return [];
      const message = column ? `Column "${column}" is empty.` : `${path} is missing.`;
      return [{ code: 'REQUIRED', message, path, ...(column && { column }) }];
    });
  }

  private missing(filled: Set<string>, persons: number[]): SheetField[] {
    return persons.flatMap((person) => {
      const own = new Set(
        [...filled].map((path) => path.replace(`participants[${person}].`, 'participants[0].')),
      );
      if (person !== 0) {
        // The first participant's columns do not fill those of another one.
        for (const path of [...own])
          if (
            path.startsWith('participants[0].') &&
            !filled.has(path.replace('[0]', `[${person}]`)) &&
            !this.fixed.has(path)
          )
            own.delete(path);
      }
      const missing = missingOf(this.kind.fields, own);
      return person === 0
        ? missing
        : missing
            .filter(({ path }) => PERSON.test(path))
            .map((field) => ({ ...field, path: field.path.replace('[0]', `[${person}]`) }));
    });
  }

  private set(body: Body, path: string, value: unknown): void {
    const [, place = '', name] = this.kind.collection === 'bookings' ? (FREE.exec(path) ?? []) : [];
    if (!place.endsWith('.fields')) {
      if (!place) put(body, path, value);
      else if (name) body[place] = { ...(body[place] as Body | undefined), [name]: value };
      else body[place] = value;
      return;
    }
    const person = Number(/\d+/.exec(place)?.[0]);
    const participants = (body.participants as Body[] | undefined) ?? [];
    const answers = (participants[person]?.fields as Body[] | undefined) ?? [];
    const answer = { [UUID.test(name ?? '') ? 'id' : 'key']: name, value };
    participants[person] = { ...participants[person], fields: [...answers, answer] };
    body.participants = participants;
  }

  /** Of the amount itself, a column or a value for all rows; otherwise that of the ticket. */
  private currencyOf(body: Body, path: string, value: unknown): string | undefined {
    const stated =
      at(body, `${path}.currencyCode`) ??
      at(body, `${path.replace(PERSON, 'participants[0].')}.currencyCode`);
    if (typeof stated === 'string') return stated;
    const [person] = PERSON.exec(path) ?? [];
    const own = person ? currencyOfTicket(this.candidates, at(body, `${person}ticketId`)) : undefined;
    // Free tickets say nothing about an amount that was paid.
    return own === 'ZERO' && value !== 0 ? undefined : own;
  }

  /** What the texts of a cell stand for; null if one stands for nothing, and undefined if nothing is known about such records. */
  private named(
    { names, field, decision }: Column,
    cell: Cell,
    body: Body,
  ): string | string[] | null | undefined {
    if (!names) return undefined;
    const scope = at(body, OCCURRENCE);
    if (kindOf(field) !== 'list') return this.idFor(names, meaningOf(trimmed(cell), field, decision), scope);
    const read = readValue(cell, field, {}, this.today);
    const items = 'value' in read ? (read.value as string[]) : [];
    const ids = items.map((item) => this.idFor(names, item, scope));
    if (ids.every((id) => id === undefined)) return undefined;
    return ids.includes(null) ? null : ids.map((id, i) => id ?? items[i] ?? '');
  }

  /** The id that a text stands for; null if none does, and undefined if nothing is known about such records. */
  private idFor(names: string, text: string, scope: unknown): string | null | undefined {
    const all = this.candidates[names];
    // An id is meant, unless a record has it as a name: a code is named by its id as well.
    if (UUID.test(text) && !all?.some((each) => each.id !== text && each.names.includes(text.toLowerCase())))
      return undefined;
    const candidates = all?.filter(({ of }) => !of || !scope || of === scope);
    const of = typeof scope === 'string' && all?.some((each) => each.of) ? scope : undefined;
    const key = of && this.occurrences.size > 1 ? `${of} ${text}` : text;
    const given = this.mapping.matches?.[names];
    const confirmed = given?.[`${of} ${text}`] ?? given?.[text];
    if (!candidates && !confirmed) return undefined;
    const texts = this.found.get(names) ?? new Map<string, Match>();
    this.found.set(names, texts);
    const before = texts.get(`${of} ${text}`);
    if (before) {
      before.count += 1;
      return before.id ?? null;
    }
    // An id that was confirmed for another occurrence, or that has been deleted, stands for nothing here.
    const valid = confirmed && (!candidates || candidates.some((each) => each.id === confirmed));
    const id = valid ? confirmed : exactly(text, candidates ?? [])?.id;
    const close = id ? undefined : closest(text, candidates ?? [])?.id;
    texts.set(`${of} ${text}`, {
      text,
      key,
      count: 1,
      ...(of && { of }),
      ...(id && { id }),
      ...(close && { close }),
    });
    return id ?? null;
  }

  private isUnknown(names: string): boolean {
    return this.lacking.has(OCCURRENCE) && !this.candidates[names];
  }

  /** What is stored is plausible. */
  private isOutside(field: SheetField, value: unknown, words: string, day: string, text: string): boolean {
    const isStored = this.stored[field.path]?.has(words);
    return !isStored && domainOf(field)?.has(value, day, text) === false;
  }

  /** The first day of the occurrence of a row; today, if it is not known. */
  private dayOf(body: Body): string {
    this.days ??= new Map(this.candidates[OCCURRENCE]?.map(({ id, startDate }) => [id, startDate]));
    return this.days.get(String(at(body, OCCURRENCE) ?? this.mapping.occurrence)) ?? this.today;
  }

  private columnOf(path: string): string | undefined {
    return columnFor(this.mapping, path);
  }
}

/** The name of a conversion, with how the values of its column are written. */
function conversionOf(field: SheetField, names: string | undefined, decision: Decision): string {
  const kind = kindOf(field);
  const name = names
    ? field.options
      ? 'option'
      : 'record'
    : kind === 'text' || kind === 'email'
      ? 'trim'
      : kind;
  return [name, ...Object.values(decision).filter((way) => typeof way === 'string')].join(' ');
}

/** The column for a field. By default, the booker is the first participant; an amount in whole units is one. */
export function columnFor({ columns }: FileMapping, path: string): string | undefined {
  const entries = Object.entries(columns);
  const of = (wanted: string) => entries.find(([, each]) => each === wanted)?.[0];
  return (
    of(path) ??
    of(path.replace(/\.value$/, '')) ??
    (path.startsWith('booker.') ? of(path.replace('booker.', 'participants[0].')) : undefined)
  );
}

/** @returns the same text for two rows with the same identity; undefined if a part of the identity is missing */
export function identityOf({ identity }: Pick<ImportKind, 'identity'>, body: Body): string | undefined {
  const parts = identity.map((name) => {
    const text = typeof body[name] === 'string' ? (body[name] as string).trim() : '';
    return /code$/i.test(name) ? text.toLowerCase() : text;
  });
  return parts[0] ? parts.join('\n') : undefined;
}

/** Whether the rows of a booking have one amount together. Different ones are those of the rows. */
const isOnce = ({ decision, at }: Column, rows: readonly SheetRow[]): boolean =>
  decision.amountOf === 'once' && new Set(rows.map(({ cells }) => trimmed(cells[at]))).size === 1;

/** A value by the properties that it is sent in. */
function partsOf(field: SheetField, value: unknown): [path: string, value: unknown][] {
  const { path } = field;
  const kind = kindOf(field);
  if (kind === 'amount') return [[`${path}.value`, value]];
  if (kind !== 'name' && kind !== 'distance') return [[path, value]];
  return Object.entries(value as object).map(([name, part]) => [path.replace(/\w+$/, name), part]);
}

/** A distance in the unit of its row, its column or its cell, which must be the same. */
function setDistance(
  body: Body,
  { name, field, sign }: Column,
  { value, unit: own }: Distance,
  text: string,
): Mistake[] {
  const path = field.path.replace(/value$/, 'unit');
  const said = [at(body, path) as string | undefined, sign, own].filter(Boolean);
  const [unit] = said;
  const message = `Column "${name}": "${text}" is not in ${unit}.`;
  if (said.some((each) => each !== unit)) return [{ code: 'INVALID_VALUE', column: name, message }];
  put(body, field.path, value);
  if (unit) put(body, path, unit);
  return [];
}

/** A currency says nothing where its amount is empty. */
function withoutLoneCurrencies(body: Body): void {
  for (const owner of [body, ...((body.participants ?? []) as Body[])])
    for (const [name, value] of Object.entries(owner ?? {}))
      if (typeof value === 'object' && value && 'currencyCode' in value && Object.keys(value).length === 1)
        delete owner[name];
}

/** With the places that participants got. */
const moved = (mistakes: Mistake[], to: (person: number) => number): Mistake[] =>
  mistakes.map((mistake) => {
    const path = mistake.path?.replace(/^(participants\[)(\d+)/, (_, list, at) => list + to(Number(at)));
    return { ...mistake, ...(path && { path }) };
  });

/** An import row that is never imported, with everything that is wrong once. */
function unreadOf(rows: SheetRow[], body: Body, mistakes: readonly Mistake[]): Item {
  const all = mistakes.map(({ path, code, message }) => ({ ...(path && { path }), code, message }));
  const unread = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  return { rows, body: { ...body, unread } };
}

/** Whether people of one booking have different addresses, or without addresses different last names. */
function areStrangers(participants: Body[]): boolean {
  const several = (name: string) =>
    new Set(participants.map((each) => `${each[name] ?? ''}`.trim().toLowerCase()).filter(Boolean)).size > 1;
  return several('email') || several('lastName');
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function at(body: Body, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], body);
}
