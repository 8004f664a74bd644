import type { Price } from '#platform/queries';
import type { ProblemCode } from '#platform/validation';
import { BIRTH_DATE_RULE, errors, fullName, isBirthDate, problem } from '#platform/validation';

/** A broken rule: the path in the row, the code, and the message after the path. */
export type BrokenRule = [path: string, code: ProblemCode, rule: string];

/** The rules whose condition is true. */
export const when = (...rules: [isBroken: unknown, ...BrokenRule][]): BrokenRule[] =>
  rules.flatMap(([isBroken, ...rule]) => (isBroken ? [rule] : []));

export const exactlyOne = <Row>(
  row: Row,
  first: keyof Row & string,
  second: keyof Row & string,
): BrokenRule[] =>
  when([
    (row[first] == null) === (row[second] == null),
    '',
    'INVALID_COMBINATION',
    `must have ${first} or ${second}, and only one of them`,
  ]);

/** @throws ApiError 400 if a rule of the body is broken */
export function refuseBroken(broken: BrokenRule[]): void {
  if (broken.length > 0) throw errors.invalidBody(broken.map((rule) => problem(...rule)));
}

/** Each answer names its question by `id` or by `key`. */
export const brokenAnswers = (
  path: string,
  answers: { id?: string | null; key?: string | null }[] | null | undefined,
): BrokenRule[] =>
  (answers ?? []).flatMap((answer, i) =>
    exactlyOne(answer, 'id', 'key').map(([, ...rule]): BrokenRule => [`${path}[${i}]`, ...rule]),
  );

/** First or last name can be empty or absent, not both. @param path of the person */
export const brokenName = (
  path: string,
  { firstName, lastName }: { firstName?: string | null; lastName?: string | null },
): BrokenRule[] =>
  when([
    fullName(firstName, lastName) === '',
    path,
    'INVALID_COMBINATION',
    'must have firstName or lastName',
  ]);

export const brokenBirthDate = (path: string, date: string | null | undefined): BrokenRule[] =>
  when([date && !isBirthDate(date), path, 'OUT_OF_RANGE', BIRTH_DATE_RULE]);

export const brokenZero = (path: string, price: Price | null | undefined): BrokenRule[] =>
  when([
    price?.currencyCode === 'ZERO' && price.value !== 0,
    `${path}.value`,
    'INVALID_COMBINATION',
    'must be 0 if currencyCode is ZERO',
  ]);

export const brokenPrice = (path: string, price: Price | null | undefined): BrokenRule[] =>
  price && price.value < 0
    ? [[`${path}.value`, 'OUT_OF_RANGE', 'must not be negative']]
    : brokenZero(path, price);
