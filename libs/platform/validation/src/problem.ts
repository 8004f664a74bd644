import { jsonBytes } from './json-length';

/** The rules for bodies by their stable codes, for the reference. Programs can depend on codes; messages can change. */
export const RULES = {
  INVALID_JSON: 'The body is not JSON in UTF-8. Nothing else is checked.',
  TOO_COMPLEX:
    'Too deep, too many values, or too many properties of one object. Nothing after it is checked.',
  UNUSABLE_TEXT: 'A text has a NUL character or half of a surrogate pair.',
  INEXACT_NUMBER: 'A number has too many digits, or would change when it is read.',
  REQUIRED: 'The property is missing.',
  UNKNOWN_PROPERTY: 'There is no such property here.',
  INVALID_TYPE: 'The value has another JSON type.',
  INVALID_FORMAT: 'Not a date, an id, an address, or another pattern.',
  INVALID_VALUE: 'None of a list of values, or refused by a rule that the message names.',
  OUT_OF_RANGE: 'The number, date or amount is too small or too large.',
  TOO_SHORT: 'The text or the array is too short. A blank text is empty.',
  TOO_LONG: 'The text or the array is too long.',
  DUPLICATE: 'A property is twice in an object, or a row twice in a batch.',
  INVALID_COMBINATION: 'Several properties do not go together.',
  TIME_ZONE_REQUIRED: 'A time without a zone does not belong to one event.',
  AMBIGUOUS_TIME: 'Clocks change: the local time exists twice, or not at all.',
  WAVE_BEFORE_RACE: 'In a race calendar: the time of a wave without a date is before that of its race.',
  BIB_NUMBER_TAKEN: 'Another participant of the race has the bib.',
  PARTICIPANT_CANCELLED: 'A cancelled participant does not change.',
  CHANGED_MEANWHILE: 'Somebody else changed the record after the version that you saw.',
  BELOW_USE: 'The capacity is below the places that are used.',
  ALREADY_USED: 'The email address has a place of this group, which may be used once.',
  CURRENCY_MISMATCH: 'The amount is not in the currency of its ticket or booking.',
  DOMAIN_NOT_ALLOWED: 'The group only accepts addresses of one domain.',
  EVENT_OCCURRENCE_NOT_FOUND: 'No such event occurrence.',
  FIELD_NOT_FOUND: 'No such question of the organization.',
  INVALID_ANSWER:
    'Not an answer to the question: another type, none of its options, or the ticket does not ask it.',
  NO_CAPACITY_REMAINING: 'The group, the ticket or the race is full.',
  NOT_CORRECTABLE: 'The property of an existing record does not change.',
  TICKET_NOT_FOUND: 'No such ticket of the event.',
  TOO_LARGE: 'The record, or the request as a whole, would be too large.',
  WAVE_NOT_FOUND: 'No such wave of the race.',
  ALREADY_ADDED: 'The request was sent before with other values, and added its participant then.',
  NOT_FAILED: 'A correction of a row that has not failed.',
  ALREADY_CORRECTED: 'Another correction of the row is processed, or has imported it.',
} as const;

export type ProblemCode = keyof typeof RULES;

export const PROBLEM_CODES = Object.keys(RULES) as ProblemCode[];

/** A rule that a body breaks. */
export interface Problem {
  /** `bookings[3].booker.email`; empty for the body itself. */
  path: string;
  /** Index of the row in a batch. */
  row: number | null;
  /** The external id of the row, if it has one. */
  externalId: string | null;
  code: ProblemCode;
  /** A sentence that names the path. */
  message: string;
  /** Of `BIB_NUMBER_TAKEN`: the participant who has the bib. Of `ALREADY_ADDED`: who was added. */
  participantId?: string;
  /** Of `BELOW_USE`: the used places. */
  used?: number;
  /** Of `CHANGED_MEANWHILE`: the record as it is now. */
  current?: { id: string; version: string; record: Record<string, unknown> };
}

/** The most problems in a response. */
export const MOST_PROBLEMS = 100;

const LONGEST_PATH = 300;

/** Messages can contain names from a request, so their bytes in JSON are limited, and with them those of the response. */
const LONGEST_MESSAGE = 1_000;

export function shortened(message: string, most = LONGEST_MESSAGE): string {
  let text = message.slice(0, most);
  if (text.length < message.length) text += '…';
  for (let bytes = jsonBytes(text); bytes > most; bytes = jsonBytes(text))
    text = `${text.slice(0, Math.floor((text.length * most) / bytes) - 2).toWellFormed()}…`;
  return text;
}

/** @param rule the end of the sentence after the path: `must be a string` */
export function problem(path: string, code: ProblemCode, rule: string): Problem {
  const place = shortened(path.slice(0, LONGEST_PATH).toWellFormed(), 3 * LONGEST_PATH);
  const message = shortened(`${place || 'The body'} ${rule}`);
  return { path: place, row: null, externalId: null, code, message };
}

/** Removes duplicates, and returns at most MOST_PROBLEMS. */
export function few(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  const isNew = ({ path, code }: Problem) => seen.size < seen.add(`${code} ${path}`).size;
  return problems.filter(isNew).slice(0, MOST_PROBLEMS);
}

/** `/bookings/3/booker` as `bookings[3].booker`. */
export function pathOf(segments: readonly (string | number)[]): string {
  let path = '';
  for (const segment of segments) {
    if (path.length > LONGEST_PATH) break;
    path += /^\d+$/.test(String(segment)) ? `[${segment}]` : path ? `.${segment}` : segment;
  }
  return path;
}
