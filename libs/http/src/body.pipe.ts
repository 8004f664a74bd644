import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { ApiError } from './api-error';

/** The first thing wrong, as one sentence that names the field: `contacts[0].email must be an email`. */
function messageOf([error]: ValidationError[], path = ''): string {
  if (!error) return 'The body breaks a rule';
  const { property, constraints, children } = error;
  const here = /^\d+$/.test(property) ? `${path}[${property}]` : path ? `${path}.${property}` : property;
  if (!constraints) return messageOf(children ?? [], here);
  if (constraints.whitelistValidation) return `${here} is not a known property`;
  if (constraints.unknownValue) return 'The body must be a JSON object';
  const [message = 'breaks a rule'] = Object.values(constraints);
  return message.startsWith(property) ? here + message.slice(property.length) : `${here}: ${message}`;
}

/** Checks bodies by their class's rules; unknown properties answer 400. */
export class BodyPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
      exceptionFactory: (found) => new ApiError(400, messageOf(found)),
    });
  }

  override async transform(value: unknown, metadata: Parameters<ValidationPipe['transform']>[1]) {
    if (metadata.type !== 'body') return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ApiError(400, 'The body must be a JSON object');
    }
    const problem = unstorable(value);
    if (problem) throw new ApiError(400, problem);
    return super.transform(value, metadata);
  }
}

/** Nobody's data is nested so deep; somebody's attack may be. */
const DEEPEST = 64;

/** What is in the value that PostgreSQL can't keep, NUL characters and lone surrogates, in words; or undefined. */
export function unstorable(value: unknown, path = '', depth = 0): string | undefined {
  const broken = (text: string) => text.includes('\0') || !text.isWellFormed();
  if (typeof value === 'string') {
    return broken(value) ? `${path || 'The body'} must not hold NUL or broken characters` : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEEPEST) return `The body must not be nested deeper than ${DEEPEST} levels`;
  for (const [key, member] of Object.entries(value)) {
    if (broken(key)) return 'Property names must not hold NUL or broken characters';
    const name = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    const problem = unstorable(member, name, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
