import {
  type Choices,
  ENCODINGS,
  NUMBERED_BY,
  type Numbering,
  READINGS,
  type ReadOptions,
} from '../../../sheets/src';
import { SendRefused } from './refused';

/** Options of the command about the file, as typed. */
export interface Flags {
  dateOrder?: string;
  decimal?: string;
  encoding?: string;
  delimiter?: string;
  header?: string;
  sheet?: string;
  hidden?: string;
  number?: string;
}

/** @throws SendRefused that names the option */
export function fileOptionsOf(
  flags: Flags,
): ReadOptions & Pick<Choices, 'dateOrder' | 'decimal'> & { number?: Numbering['by'] } {
  const { dateOrder, decimal, encoding, delimiter, header, sheet, hidden, number } = flags;
  const line = Number(header);
  return {
    ...(dateOrder && { dateOrder: oneOf('--date-order', dateOrder, READINGS.dateOrder) }),
    ...(decimal && { decimal: oneOf('--decimal', decimal, READINGS.decimal) }),
    ...(encoding && { encoding: oneOf('--encoding', encoding.toLowerCase(), ENCODINGS) }),
    ...(delimiter && {
      delimiter: delimiter === '\\t' || delimiter === 'tab' ? '\t' : oneCharacter(delimiter),
    }),
    ...(header && {
      header: Number.isInteger(line) && line > 0 ? line : refused('--header must be the number of a line.'),
    }),
    ...(number && { number: oneOf('--number', number, NUMBERED_BY) }),
    ...(hidden && { hidden: oneOf('--hidden', hidden, ['read', 'skip'] as const) }),
    ...(sheet && { sheet }),
  };
}

function refused(message: string): never {
  throw new SendRefused('INVALID_COMMAND', message);
}

const oneOf = <T extends string>(name: string, given: string, values: readonly T[]): T =>
  values.find((value) => value === given) ?? refused(`${name} must be one of ${values.join(', ')}.`);

const oneCharacter = (text: string) =>
  text.length === 1 ? text : refused('--delimiter must be one character.');
