import {
  type Conversion,
  columnFor,
  type FileMapping,
  type ImportKind,
  type Match,
  nameOfField,
  type Plan,
  type Sheet,
  similarTo,
  targetAt,
  textOf,
  wordsOfReading,
} from '../../../sheets/src';
import { questionAbout, type SkippedTexts, skippedText } from './ask';
import { counted } from './counted';

const SHOWN = 5;
const WIDEST = 40;

const cut = (text: string) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
};

/** What will be sent: how the file was read, the field of each column, and which rows belong together. */
export function describePlan(sheet: Sheet, kind: ImportKind, mapping: FileMapping, plan: Plan): string {
  const { format, encoding, delimiter, sheet: name, header, above, rows } = sheet;
  const how =
    format === 'xlsx'
      ? `Workbook, sheet "${name}"`
      : `${encoding?.toUpperCase()}, separated by ${delimiter === '\t' ? 'tabs' : delimiter}`;
  const skipped = above.length
    ? ` ${counted(above.length, 'line above is', 'lines above are')} not read.`
    : '';
  const example = (at: number) => rows.map(({ cells }) => textOf(cells[at]).trim()).find(Boolean) ?? '';
  const named = (path: string) => nameOfField(path, 'en', targetAt(kind, path)?.label);
  const lines = sheet.columns.map((column, at) => {
    const path = mapping.columns[column];
    return [column, path ? named(path) : '(not sent)', example(at)].map(cut);
  });
  const fixed = Object.entries(mapping.values ?? {}).map(([path, text]) =>
    ['(every row)', named(path), text].map(cut),
  );
  const { bookings, rows: together, strangers } = plan.joined;
  return [
    `${how}, names of columns in line ${header}.${skipped}`,
    ...tableOf([['COLUMN', 'FIELD', 'EXAMPLE'], ...lines, ...fixed]),
    ...plan.conversions.flatMap(converted),
    ...(bookings
      ? [
          `${together} rows become ${counted(bookings, 'booking')} with several participants; ${counted(strangers.length, 'of them joins', 'of them join')} people with different addresses or names.`,
        ]
      : []),
  ].join('\n');
}

/** What a conversion changed, with examples. */
function converted({ column, conversion, values, changed, changes }: Conversion): string[] {
  if (changed === 0) return [];
  const examples = changes.map(
    ({ which, from, to }) => `${JSON.stringify(cut(from))} is ${cut(to)} (${which})`,
  );
  return [
    `${column}: ${changed} of ${counted(values, 'value')} changed (${conversion}): ${examples.join(', ')}.`,
  ];
}

function tableOf(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => (cells[at] ?? '').length)));
  return rows.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What a person must decide before the file can be sent, in terms of the command. */
export function openQuestions(
  { fields }: Pick<ImportKind, 'fields'>,
  mapping: FileMapping,
  plan: Plan,
  skipped: SkippedTexts = new Set(),
): string[] {
  const missing = plan.questions.flatMap((each) => (each.kind === 'field' ? [each.field.path] : []));
  const asks = plan.questions.flatMap((each): string[] => {
    if (each.kind === 'field') return [];
    if (each.kind === 'outside') {
      const values = each.values.slice(0, SHOWN).map((text) => `"${text}"`);
      const more = each.values.length > SHOWN ? ` and ${each.values.length - SHOWN} more` : '';
      return [
        `Column "${each.column}": ${values.join(', ')}${more} should be ${each.plausible}. Correct them, or send them as they are with --accept-outside.`,
      ];
    }
    if (each.kind === 'currency')
      return [
        `Column "${each.column}": the currency is not known. Use --set ${each.path}=<currency>, or map a column to it.`,
      ];
    const examples = each.examples.map((text) => `"${text}"`).join(', ');
    const ways = each.ways.map(
      ({ way, example }) => `--reading "${each.column}=${way}" (${example ?? wordsOfReading(way)})`,
    );
    return [`Column "${each.column}" (${examples}): ${wordsOfReading(each.open)} Use ${ways.join(' or ')}.`];
  });
  const close = Object.entries(plan.matches).flatMap(([name, matches]) =>
    matches
      .filter((match) => !match.id && !skipped.has(skippedText(name, match)))
      .map((match) =>
        unmatched(
          name,
          columnFor(mapping, `participants[0].${name}`) ?? columnFor(mapping, name) ?? name,
          match,
        ),
      ),
  );
  return [
    ...(missing.length
      ? [
          `No column matches ${missing.join(', ')}.${withoutField(plan, fields)} Write a mapping with --map init, or set a value for every row with --set <field>=<value>.${missing.includes('externalBookingId') ? ' For booking numbers, use --number row or --number person.' : ''}`,
        ]
      : []),
    ...asks,
    ...close.slice(0, SHOWN),
    ...(close.length > SHOWN ? [`And ${close.length - SHOWN} more.`] : []),
  ];
}

/** The columns that match nothing: one of them may be what is missing. */
function withoutField({ unused }: Plan, fields: ImportKind['fields']): string {
  if (unused.length === 0) return '';
  return ` These columns match nothing: ${unused.map((column) => `"${column}"${similarTo(column, fields)}`).join(', ')}.`;
}

function unmatched(name: string, column: string, { text, count, close }: Match): string {
  const proposal = close ? `"${text}": "${close}"` : `"${text}": "<id>"`;
  const isNamed = name !== 'timeZone' && name !== 'occurrence';
  const how = !isNamed
    ? 'Say what is right'
    : close
      ? 'A similar name exists; if it is meant, confirm it'
      : 'Name its id';
  return `${questionAbout(name, column, text)} (${counted(count, 'row')}). ${how} in the mapping file: "matches": { "${name}": { ${proposal} } }.`;
}
