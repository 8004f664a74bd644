import {
  type Candidate,
  type Choices,
  columnFor,
  type FileMapping,
  type Match,
  NUMBERED_BY,
  type Numbering,
  nameOfField,
  type Plan,
  type Question,
  readValue,
  wordsOfReading,
} from '../../../sheets/src';
import { counted } from './counted';
import { today } from './mapping';
import type { Terminal } from './terminal';

/** Records that are listed as choices. */
const LISTED = 30;
const NUMBERINGS: Record<Numbering['by'], string> = {
  row: 'The name of the file and the row, which must stay the same',
  person: 'The name of the file, and name and date of birth of the participant',
};
/** Values that are shown of many. */
const SHOWN = 8;

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** Texts that a person does not want to match: their rows are mistakes. */
export type LeftOut = Set<string>;
export const leftOut = (name: string, { key }: Match): string => `${name} ${key}`;

/**
 * Asks for what a plan leaves open: first the fields that the file lacks, then how it is written, then what its texts stand for. What
 * depends on an answer is asked when there is a plan with it.
 *
 * @returns the mapping with the answers; undefined if a question was not answered
 */
export async function answered(
  terminal: Terminal,
  mapping: FileMapping,
  plan: Plan,
  left: LeftOut,
  prefix: string,
): Promise<FileMapping | undefined> {
  const asked = new Asking(terminal, structuredClone(mapping), plan, left, prefix);
  return (await asked.all()) ? asked.mapping : undefined;
}

class Asking {
  constructor(
    private readonly terminal: Terminal,
    readonly mapping: FileMapping,
    private readonly plan: Plan,
    private readonly left: LeftOut,
    private readonly prefix: string,
  ) {}

  async all(): Promise<boolean> {
    const of = <K extends Question['kind']>(...kinds: K[]) =>
      this.plan.questions.filter((each): each is Of<K> => kinds.includes(each.kind as K));
    const fields = of('field');
    const occurrence = fields.find(({ field }) => field.path === 'eventOccurrenceId');
    // The tickets that can be chosen are those of the occurrence.
    if (occurrence) return this.field(occurrence);
    if (fields.length > 0) return this.each(fields, (question) => this.field(question));
    const written = of('reading');
    if (written.length > 0) return this.each(written, (question) => this.written(question));
    const outside = of('outside');
    if (outside.length > 0) return this.each(outside, (question) => this.outside(question));
    const open = Object.entries(this.plan.matches).flatMap(([name, matches]) =>
      matches
        .filter((match) => !match.id && !this.left.has(leftOut(name, match)))
        .map((match) => ({ name, match })),
    );
    if (open.length > 0) return this.each(open, ({ name, match }) => this.match(name, match));
    return this.each(of('currency'), (question) => this.currency(question));
  }

  private async each<T>(questions: readonly T[], ask: (question: T) => Promise<boolean>): Promise<boolean> {
    for (const question of questions) if (!(await ask(question))) return false;
    return true;
  }

  /** What a choice does, by its words. */
  private async choose(question: string, choices: [words: string, take: () => unknown][]): Promise<boolean> {
    const at = await this.terminal.choose(
      question,
      choices.map(([words]) => words),
    );
    const chosen = at === undefined ? undefined : choices[at];
    return chosen !== undefined && (await chosen[1]()) !== false;
  }

  private async field({ field }: Of<'field'>): Promise<boolean> {
    const { path } = field;
    const set = (value: string) => {
      this.mapping.values = { ...this.mapping.values, [path]: value };
    };
    // What has minor units is written in whole ones in a table.
    const own = path.replace(/\.value$/, '');
    const records = this.plan.candidates[path.split('.').at(-1) ?? ''] ?? [];
    const free = this.plan.unused.filter((column) => !this.mapping.columns[column]);
    return this.choose(`No column matches "${nameOfField(path)}". What is it?`, [
      ...(path === 'externalBookingId'
        ? NUMBERED_BY.map((by): [string, () => void] => [
            NUMBERINGS[by],
            () => {
              this.mapping.numbering = { by, prefix: this.prefix };
            },
          ])
        : []),
      ...records
        .slice(0, LISTED)
        .map((each): [string, () => void] => [`${wordsOf(each)}, in every row`, () => set(each.id)]),
      ...(field.values ?? []).map((value): [string, () => void] => [
        `${value}, in every row`,
        () => set(value),
      ]),
      ...free.map((column): [string, () => void] => [
        `The column "${column}"`,
        () => {
          this.mapping.columns[column] = own;
        },
      ]),
      [
        'Another value for every row',
        async () => {
          for (;;) {
            const text = await this.terminal.enter(nameOfField(path));
            if (text === undefined) return false;
            const read = readValue(text, field, { decimal: '.' }, today());
            if (!('misfit' in read)) return set(text);
          }
        },
      ],
    ]);
  }

  private async written({ column, open, ways, examples }: Of<'reading'>): Promise<boolean> {
    const take = (way: string) => () => {
      const { readings } = this.mapping;
      this.mapping.readings = { ...readings, [column]: { ...readings?.[column], [open]: way } as Choices };
    };
    const such = examples.map((text) => `"${text}"`).join(', ');
    return this.choose(
      `Column "${column}" (${such}): ${wordsOfReading(open)}`,
      ways.map(({ way, example }) => [
        `${wordsOfReading(way)}${example ? `: ${examples[0]} is ${example}` : ''}`,
        take(way),
      ]),
    );
  }

  private outside({ column, values, plausible }: Of<'outside'>): Promise<boolean> {
    const shown = values.slice(0, SHOWN).map((text) => `"${text}"`);
    const { accepted } = this.mapping;
    return this.choose(
      `Column "${column}": ${counted(values.length, 'value')} should be ${plausible}: ${shown.join(', ')}.`,
      [
        [
          'Send them as they are',
          () => {
            this.mapping.accepted = { ...(accepted !== true && accepted), [column]: values };
          },
        ],
      ],
    );
  }

  private async match(name: string, match: Match): Promise<boolean> {
    const { text, count, close, of, key } = match;
    const column =
      columnFor(this.mapping, `participants[0].${name}`) ?? columnFor(this.mapping, name) ?? name;
    const records = (this.plan.candidates[name] ?? []).filter((each) => !of || !each.of || each.of === of);
    const first = records.filter(({ id }) => id === close);
    const others = records.filter(({ id }) => id !== close).slice(0, LISTED);
    const take = (each: Candidate): [string, () => void] => [
      each.id === close ? `${wordsOf(each)} (similar)` : wordsOf(each),
      () => {
        const before = this.mapping.matches ?? {};
        this.mapping.matches = { ...before, [name]: { ...before[name], [key]: each.id } };
      },
    ];
    return this.choose(`${asked(name, column, text)} (${counted(count, 'row')}). What is it?`, [
      ...[...first, ...others].map(take),
      ['None of these: its rows are not sent', () => this.left.add(leftOut(name, match))],
    ]);
  }

  private async currency({ column, path }: Of<'currency'>): Promise<boolean> {
    const code = (await this.terminal.enter(`Column "${column}": the currency, such as EUR`))?.toUpperCase();
    if (!code) return false;
    this.mapping.values = { ...this.mapping.values, [path]: code };
    return true;
  }
}

const wordsOf = ({ label, names, id }: Candidate) => label ?? names[0] ?? id;

/** The question about a text that stands for nothing yet. */
export function asked(name: string, column: string, text: string): string {
  if (name === 'timeZone') return `"${text}" is in a country with several time zones`;
  if (name === 'occurrence')
    return `"${text}" is at another date than a stored occurrence that the file lacks: it has moved, or is "new"`;
  return `Column "${column}": no record has exactly the name "${text}"`;
}
