import { jsonBytes } from './json-length';

/** Stable codes of the rules for bodies. Programs can depend on them; messages can change. */
export const PROBLEM_CODES = [
  /** The body is not JSON in UTF-8. Nothing else is checked. */
  'INVALID_JSON',
  /** Depth, number of values, or properties of one object. Nothing after it is checked. */
  'TOO_COMPLEX',
  /** NUL or unpaired surrogates. */
  'UNUSABLE_TEXT',
  /** A number that parsing would change, or with too many digits. */
  'INEXACT_NUMBER',
  'REQUIRED',
  'UNKNOWN_PROPERTY',
  'INVALID_TYPE',
  /** Not a date, an id or an address, or another pattern. */
  'INVALID_FORMAT',
  /** None of a list of values. */
  'INVALID_VALUE',
  'OUT_OF_RANGE',
  /** Texts and arrays. A blank text is too short. */
  'TOO_SHORT',
  'TOO_LONG',
  /** A property twice in an object, or a row twice in a batch. */
  'DUPLICATE',
  /** A rule about several properties. */
  'INVALID_COMBINATION',
  /** A time without a zone that does not belong to one event. */
  'TIME_ZONE_REQUIRED',
  /** A local time that exists twice, or not at all, because clocks change. */
  'AMBIGUOUS_TIME',
  /** In a race calendar, the time of a wave without a date is before that of its race. */
  'WAVE_BEFORE_RACE',
  /** Another participant of the race has the bib. */
  'BIB_NUMBER_TAKEN',
  /** A change of a cancelled participant. */
  'PARTICIPANT_CANCELLED',
  /** Somebody else changed the record after the version that the client saw. */
  'CHANGED_MEANWHILE',
  /** A capacity below the places that are used. */
  'BELOW_USE',
  /** Rules of imports, where a request adds, corrects, moves or transfers one participant. */
  'ALREADY_USED',
  'CURRENCY_MISMATCH',
  'DOMAIN_NOT_ALLOWED',
  'EVENT_OCCURRENCE_NOT_FOUND',
  'FIELD_NOT_FOUND',
  'INVALID_ANSWER',
  'NO_CAPACITY_REMAINING',
  'NOT_CORRECTABLE',
  'TICKET_NOT_FOUND',
  'TOO_LARGE',
  'WAVE_NOT_FOUND',
  /** A correction of a row that has not failed. */
  'NOT_FAILED',
  /** Another correction of the row is processed, or has imported it. */
  'ALREADY_CORRECTED',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

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
  /** Of `BIB_NUMBER_TAKEN`: the participant who has the bib. */
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
