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
    refuseUnstorable(value);
    return super.transform(value, metadata);
  }
}

/** @throws ApiError 400 for text that PostgreSQL can't keep: NUL characters and lone surrogates */
function refuseUnstorable(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new ApiError(400, `${path} must not hold NUL or broken characters`);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const name = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
      if (key.includes('\0') || !key.isWellFormed())
        throw new ApiError(400, 'Property names must not hold NUL or broken characters');
      refuseUnstorable(member, name);
    }
  }
}
