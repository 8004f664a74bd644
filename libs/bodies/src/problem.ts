/** Stable codes of the rules for bodies. Programs can depend on them; messages can change. */
export const PROBLEM_CODES = [
  'INVALID_JSON',
  'TOO_COMPLEX',
  'UNUSABLE_TEXT',
  'INEXACT_NUMBER',
  'REQUIRED',
  'UNKNOWN_PROPERTY',
  'INVALID_TYPE',
  'INVALID_FORMAT',
  'INVALID_VALUE',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'DUPLICATE',
  'INVALID_COMBINATION',
  'BIB_NUMBER_TAKEN',
  'PARTICIPANT_CANCELLED',
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
}

/** The most problems in a response. */
export const MOST_PROBLEMS = 100;

const LONGEST_PATH = 300;

/** @param rule the end of the sentence after the path: `must be a string` */
export function problem(path: string, code: ProblemCode, rule: string): Problem {
  const place = path.slice(0, LONGEST_PATH).toWellFormed();
  return { path: place, row: null, externalId: null, code, message: `${place || 'The body'} ${rule}` };
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
