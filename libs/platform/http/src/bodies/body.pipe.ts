import { type Type, type ValidationError, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { errors, MOST_PROBLEMS, type Problem, type ProblemCode, problem } from '#platform/validation';

/** Codes of class-validator rules that the schema can't express. */
const CODES: Record<string, ProblemCode> & { whitelistValidation: ProblemCode } = {
  whitelistValidation: 'UNKNOWN_PROPERTY',
  isDefined: 'REQUIRED',
  isString: 'INVALID_TYPE',
  isArray: 'INVALID_TYPE',
  isBoolean: 'INVALID_TYPE',
  isObject: 'INVALID_TYPE',
  isIn: 'INVALID_VALUE',
  maxLength: 'TOO_LONG',
  isNotEmpty: 'TOO_SHORT',
  arrayUnique: 'DUPLICATE',
};

function problemsOf(found: ValidationError[], path = ''): Problem[] {
  return found.flatMap(({ property, constraints, children = [] }) => {
    const here = /^\d+$/.test(property) ? `${path}[${property}]` : path ? `${path}.${property}` : property;
    const own = Object.entries(constraints ?? {}).map(([name, message]) => {
      const [, part = '', rule = ''] = /^(\.\S+)? ?(.*)$/s.exec(withoutName(message, property)) ?? [];
      if (name === 'whitelistValidation') return problem(here, CODES[name], 'is not a known property');
      return problem(here + part, CODES[name] ?? 'INVALID_FORMAT', rule);
    });
    return [...own, ...problemsOf(children, here)];
  });
}

/** Messages begin with the name of the property or of a part of it: `externalIds.ENTHUSE must …`. */
const withoutName = (message: string, property: string): string =>
  message.startsWith(property) ? message.slice(property.length) : message;

/** Rules that the schema states completely: it is generated from them (`apps/api/src/reference/openapi/rules.ts`). */
const STATED = new Set([
  'isString',
  'isBoolean',
  'isInt',
  'min',
  'max',
  'minLength',
  'maxLength',
  'isIn',
  'isOptional',
]);
const isPlain = (pattern: unknown) => pattern instanceof RegExp && pattern.flags.replace('u', '') === '';

/** Whether a value that matches the schema of the class also meets all its rules. */
function isStated(of: Type): boolean {
  return getMetadataStorage()
    .getTargetValidationMetadatas(of, '', true, false)
    .every(
      ({ name = '', constraints }) => STATED.has(name) || (name === 'matches' && isPlain(constraints?.[0])),
    );
}

/**
 * Applies the class-validator rules that a schema can't express. The body already matches its schema (BodyReader), so
 * its size and the work of class-transformer and class-validator are bounded.
 */
export class BodyPipe extends ValidationPipe {
  private readonly stated = new Map<Type, boolean>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      exceptionFactory: (found) => errors.invalidBody(problemsOf(found).slice(0, MOST_PROBLEMS)),
    });
  }

  override async transform(value: unknown, metadata: Parameters<ValidationPipe['transform']>[1]) {
    // The handler reads bytes and bodies of open schemas itself.
    if (metadata.type !== 'body' || Buffer.isBuffer(value) || metadata.metatype === Object) return value;
    const unreadable = inheritedName(value);
    if (unreadable !== undefined) {
      throw errors.invalidBody([problem(unreadable, 'UNKNOWN_PROPERTY', 'is not a known property')]);
    }
    return metadata.metatype && this.isStated(metadata.metatype) ? value : super.transform(value, metadata);
  }

  private isStated(of: Type): boolean {
    let stated = this.stated.get(of);
    if (stated === undefined) {
      stated = isStated(of);
      this.stated.set(of, stated);
    }
    return stated;
  }
}

/** Every object has properties with these names, which class-transformer silently drops. */
const isInherited = (name: string) => name in Object.prototype || name === 'prototype';

function inheritedName(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const name = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    if (isInherited(key)) return name;
    const found = inheritedName(member, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
