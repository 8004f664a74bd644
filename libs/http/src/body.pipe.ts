import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { ApiError } from '#libs/errors';
import { unstorable } from '#libs/input';

/** The first thing wrong, as one sentence that names the field: `contacts[0].email must be an email`. */
function messageOf([error]: ValidationError[], path = ''): string {
  if (!error) return 'The body breaks a rule';
  const { property, constraints, children } = error;
  const here = /^\d+$/.test(property) ? `${path}[${property}]` : path ? `${path}.${property}` : property;
  if (!constraints) return messageOf(children ?? [], here);
  if (constraints.whitelistValidation) return `${here} is not a known property`;
  if (constraints.unknownValue) return 'The body must be a JSON object';
  if (error.value === undefined) return `${here} is required`;
  const { isString, isArray } = constraints;
  const message = isString ?? isArray ?? Object.values(constraints)[0] ?? 'breaks a rule';
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
      exceptionFactory: (found) => new ApiError(400, messageOf(found)),
    });
  }

  override async transform(value: unknown, metadata: Parameters<ValidationPipe['transform']>[1]) {
    // A handler that asked for the bytes parses and checks them itself.
    if (metadata.type !== 'body' || Buffer.isBuffer(value)) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ApiError(400, 'The body must be a JSON object');
    }
    const problem = unstorable(value) ?? unreadable(value);
    if (problem) throw new ApiError(400, problem);
    return super.transform(value, metadata);
  }
}

/** Every object has properties of these names: the pipe drops them in silence, where they are to be refused. */
const isInherited = (name: string) => name in Object.prototype || name === 'prototype';

function unreadable(value: object, path = ''): string | undefined {
  for (const [key, member] of Object.entries(value)) {
    const name = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    if (isInherited(key)) return `${name} is not a known property`;
    const problem = typeof member === 'object' && member !== null ? unreadable(member, name) : undefined;
    if (problem) return problem;
  }
  return undefined;
}
