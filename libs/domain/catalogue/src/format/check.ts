import type { TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { MOST_PROBLEMS, type ProblemCode, requireBounded } from '#platform/validation';
import type { FieldProblem } from '../problems';
import { type CatalogueRecord, RECORDS, type RecordKind } from './records';
import { rulesBroken } from './rules';

requireBounded(RECORDS);

const checks: Record<RecordKind, TypeCheck<TSchema>> = {
  bookingFormField: TypeCompiler.Compile<TSchema>(RECORDS.bookingFormField),
  bookingForm: TypeCompiler.Compile<TSchema>(RECORDS.bookingForm),
  event: TypeCompiler.Compile<TSchema>(RECORDS.event),
  partner: TypeCompiler.Compile<TSchema>(RECORDS.partner),
  occurrence: TypeCompiler.Compile<TSchema>(RECORDS.occurrence),
};

const KINDS = Object.keys(RECORDS) as RecordKind[];
const isKind = (kind: unknown): kind is RecordKind => KINDS.includes(kind as RecordKind);

/** The first problems of a single record; none if it is a `CatalogueRecord`. */
export function problemsOf(value: unknown): FieldProblem[] {
  const wrong = problemsOfShape(value);
  return wrong.length > 0 ? wrong : rulesBroken(value as CatalogueRecord);
}

/** The same, without the rules that a schema can't express. */
export function problemsOfShape(value: unknown): FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ field: '', message: 'must be an object' }];
  }
  const kind = (value as { record?: unknown }).record;
  if (kind === undefined && 'externalBookingId' in value) {
    return [{ field: 'record', message: 'is missing: this is a booking, which "start-list load" loads' }];
  }
  if (!isKind(kind)) return [{ field: 'record', message: `must be one of ${KINDS.join(', ')}` }];
  const check = checks[kind];
  if (!check.Check(value)) {
    const named = new Map<string, FieldProblem>();
    for (const error of check.Errors(value)) {
      for (const problem of explain(error)) {
        if (!named.has(problem.field)) named.set(problem.field, problem);
        if (named.size >= MOST_PROBLEMS) return [...named.values()];
      }
    }
    return [...named.values()];
  }
  const badText = unstorable(value, '');
  return badText ? [badText] : [];
}

/** One after the other, because each item of a list can have errors, and few are told. */
function* explain(error: ValueError): Generator<FieldProblem, void> {
  const { rule } = error.schema as { rule?: string };
  if (error.type === ValueErrorType.Union && !rule) {
    for (const inner of likeliest(error)) yield* explain(inner);
    return;
  }
  const code = codeOf(error);
  const isRule = error.value !== undefined && error.type !== ValueErrorType.ObjectAdditionalProperties;
  const message = rule && isRule ? rule : messageOf(error);
  yield { field: fieldOf(error.path), message, ...(code && { code }) };
}

function codeOf({ type, value }: ValueError): ProblemCode | undefined {
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'UNKNOWN_PROPERTY';
  return value === undefined ? 'REQUIRED' : undefined;
}

/** The first errors of the alternative that is most similar to the value. */
function likeliest(error: ValueError): ValueError[] {
  const alternatives = error.errors.map((errors) => firstOf(errors, MOST_PROBLEMS));
  const meant = alternatives.find((errors) =>
    errors.every(({ path }) => path !== error.path && path !== `${error.path}/type`),
  );
  return meant ?? alternatives[0] ?? [];
}

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const each of all) if (first.push(each) >= most) break;
  return first;
}

function messageOf(error: ValueError): string {
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return 'is required';
    case ValueErrorType.ObjectAdditionalProperties:
      return 'is not a known property';
    case ValueErrorType.Object:
      return 'must be an object';
    case ValueErrorType.Array:
      return 'must be an array';
    default:
      return error.value === undefined ? 'is required' : error.message.replace(/^Expected/, 'must be');
  }
}

/** `/races/0/title` is `races[0].title`. */
export const fieldOf = (path: string): string =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** The first text that PostgreSQL can't store. */
function unstorable(value: unknown, path: string): FieldProblem | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { field: fieldOf(path), message: 'must not contain the character NUL' };
    if (!value.isWellFormed())
      return { field: fieldOf(path), message: 'must not contain unpaired surrogates' };
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const problem = unstorable(member, `${path}/${key}`);
    if (problem) return problem;
  }
  return undefined;
}
