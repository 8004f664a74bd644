import { type Type, type ValidationError, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { errors, few, type Problem, type ProblemCode, problem } from '#platform/validation';

/** Codes of class-validator rules. */
const CODES: Record<string, ProblemCode> = { arrayUnique: 'DUPLICATE' };

function problemsOf(found: ValidationError[], path = ''): Problem[] {
  return found.flatMap(({ property, constraints, children = [] }) => {
    const here = /^\d+$/.test(property) ? `${path}[${property}]` : path ? `${path}.${property}` : property;
    // Messages begin with the name of the property.
    const own = Object.entries(constraints ?? {}).map(([name, message]) =>
      problem(here, CODES[name] ?? 'INVALID_FORMAT', message.replace(`${property} `, '')),
    );
    return [...own, ...problemsOf(children, here)];
  });
}

const hasRules = (of: Type): boolean =>
  getMetadataStorage().getTargetValidationMetadatas(of, '', true, false).length > 0;

/**
 * Applies the class-validator rules that a schema can't express. The body already matches its schema (BodyReader), so
 * its size and the work of class-transformer and class-validator are bounded.
 */
export class BodyPipe extends ValidationPipe {
  constructor() {
    super({ transform: true, exceptionFactory: (found) => errors.invalidBody(few(problemsOf(found))) });
  }

  override async transform(value: unknown, metadata: Parameters<ValidationPipe['transform']>[1]) {
    // The handler reads bytes and bodies of open schemas itself.
    const { type, metatype } = metadata;
    const isChecked = type === 'body' && !Buffer.isBuffer(value) && metatype && hasRules(metatype);
    return isChecked ? super.transform(value, metadata) : value;
  }
}
