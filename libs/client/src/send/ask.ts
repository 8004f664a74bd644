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

type QuestionOf<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** Texts that a person does not want to match: their rows are mistakes. */
export type SkippedTexts = Set<string>;
export const skippedText = (name: string, { key }: Match): string => `${name} ${key}`;

/**
 * Asks for what a plan leaves open: first the fields that the file lacks, then how it is written, then what its texts stand for. What
 * depends on an answer is asked when there is a plan with it.
 *
 * @param skipped texts of records; it also gets those whose rows shall not be sent
 * @returns the mapping with the answers; undefined if a question was not answered
 */
export async function askOpenQuestions(
  terminal: Terminal,
  mapping: FileMapping,
  plan: Plan,
  skipped: SkippedTexts,
  prefix: string,
): Promise<FileMapping | undefined> {
  const asking = new Asking(terminal, structuredClone(mapping), plan, skipped, prefix);
  return (await asking.askAll()) ? asking.mapping : undefined;
}

class Asking {
  constructor(
    private readonly terminal: Terminal,
    readonly mapping: FileMapping,
    private readonly plan: Plan,
    private readonly skipped: SkippedTexts,
    private readonly prefix: string,
  ) {}

  async askAll(): Promise<boolean> {
    const questionsOf = <K extends Question['kind']>(...kinds: K[]) =>
      this.plan.questions.filter((each): each is QuestionOf<K> => kinds.includes(each.kind as K));
    const fields = questionsOf('field');
    const occurrence = fields.find(({ field }) => field.path === 'eventOccurrenceId');
    // The tickets that can be chosen are those of the occurrence.
    if (occurrence) return this.askField(occurrence);
    if (fields.length > 0) return this.each(fields, (question) => this.askField(question));
    const readings = questionsOf('reading');
    if (readings.length > 0) return this.each(readings, (question) => this.askReading(question));
    const outliers = questionsOf('outside');
    if (outliers.length > 0) return this.each(outliers, (question) => this.askOutlier(question));
    const open = Object.entries(this.plan.matches).flatMap(([name, matches]) =>
      matches
        .filter((match) => !match.id && !this.skipped.has(skippedText(name, match)))
        .map((match) => ({ name, match })),
    );
    if (open.length > 0) return this.each(open, ({ name, match }) => this.askMatch(name, match));
    return this.each(questionsOf('currency'), (question) => this.askCurrency(question));
  }

  private async each<T>(questions: readonly T[], ask: (question: T) => Promise<boolean>): Promise<boolean> {
    for (const question of questions) if (!(await ask(question))) return false;
    return true;
  }

  /** What a choice does, by its words. */
  private async choose(
    question: string,
    choices: [words: string, answer: () => unknown][],
  ): Promise<boolean> {
    const at = await this.terminal.choose(
      question,
      choices.map(([words]) => words),
    );
    const chosen = at === undefined ? undefined : choices[at];
    return chosen !== undefined && (await chosen[1]()) !== false;
  }

  private async askField({ field }: QuestionOf<'field'>): Promise<boolean> {
    const { path } = field;
    const set = (value: string) => {
      this.mapping.values = { ...this.mapping.values, [path]: value };
    };
    // What has minor units is written in whole ones in a table.
    const target = path.replace(/\.value$/, '');
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
          this.mapping.columns[column] = target;
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

  private async askReading({ column, open, ways, examples }: QuestionOf<'reading'>): Promise<boolean> {
    const answer = (way: string) => () => {
      const { readings } = this.mapping;
      this.mapping.readings = { ...readings, [column]: { ...readings?.[column], [open]: way } as Choices };
    };
    const quoted = examples.map((text) => `"${text}"`).join(', ');
    return this.choose(
      `Column "${column}" (${quoted}): ${wordsOfReading(open)}`,
      ways.map(({ way, example }) => [
        `${wordsOfReading(way)}${example ? `: ${examples[0]} is ${example}` : ''}`,
        answer(way),
      ]),
    );
  }

  private askOutlier({ column, values, plausible }: QuestionOf<'outside'>): Promise<boolean> {
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

  private async askMatch(name: string, match: Match): Promise<boolean> {
    const { text, count, close, of, key } = match;
    const column =
      columnFor(this.mapping, `participants[0].${name}`) ?? columnFor(this.mapping, name) ?? name;
    const records = (this.plan.candidates[name] ?? []).filter((each) => !of || !each.of || each.of === of);
    const first = records.filter(({ id }) => id === close);
    const others = records.filter(({ id }) => id !== close).slice(0, LISTED);
    const choiceOf = (each: Candidate): [string, () => void] => [
      each.id === close ? `${wordsOf(each)} (similar)` : wordsOf(each),
      () => {
        const before = this.mapping.matches ?? {};
        this.mapping.matches = { ...before, [name]: { ...before[name], [key]: each.id } };
      },
    ];
    return this.choose(`${questionAbout(name, column, text)} (${counted(count, 'row')}). What is it?`, [
      ...[...first, ...others].map(choiceOf),
      ['None of these: its rows fail', () => this.skipped.add(skippedText(name, match))],
    ]);
  }

  private async askCurrency({ column, path }: QuestionOf<'currency'>): Promise<boolean> {
    const code = (await this.terminal.enter(`Column "${column}": the currency, such as EUR`))?.toUpperCase();
    if (!code) return false;
    this.mapping.values = { ...this.mapping.values, [path]: code };
    return true;
  }
}

const wordsOf = ({ label, names, id }: Candidate) => label ?? names[0] ?? id;

/** The question about a text that stands for nothing yet. */
export function questionAbout(name: string, column: string, text: string): string {
  if (name === 'timeZone')
    return `"${text}" is in a country with several time zones, or in none that is known`;
  if (name === 'occurrence')
    return `"${text}" has a different date from a stored occurrence that isn't in the file: it was moved, or is "new"`;
  return `Column "${column}": no record has exactly the name "${text}"`;
}
