import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Schema } from './schema';

type Keywords = (constraints: unknown[]) => Schema;

/** The JSON Schema keywords of each class-validator rule. */
const KEYWORDS: Record<string, Keywords> = {
  isInt: () => ({ type: 'integer' }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  minLength: ([minLength]) => ({ minLength }),
  maxLength: ([maxLength]) => ({ maxLength }),
  isLength: ([minLength, maxLength]) => ({ minLength, ...(maxLength !== undefined && { maxLength }) }),
  isNotEmpty: () => ({ minLength: 1 }),
  matches: ([pattern]) => ({ pattern: pattern instanceof RegExp ? pattern.source : pattern }),
  isIn: ([values]) => ({ enum: values }),
  isEmail: () => ({ format: 'email' }),
  isUrl: () => ({ format: 'uri' }),
  isUuid: () => ({ format: 'uuid' }),
  isISO8601: () => ({ format: 'date-time' }),
  isDateString: () => ({ format: 'date-time' }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: () => ({ uniqueItems: true }),
};

/**
 * Adds the class-validator rules of a class to its schema. A custom rule declares its keywords in its options:
 * `{ context: { schema: { format: 'date' } } }`. Keywords from the source, such as values of an enum, take precedence.
 */
export function applyRules(schema: Schema, target: Type): void {
  const properties = schema.properties as Record<string, Schema>;
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(target, '', false, false)) {
    const property = properties[rule.propertyName];
    if (!property) continue;
    const keywords = {
      ...KEYWORDS[rule.name ?? '']?.(rule.constraints ?? []),
      ...(rule.context as { schema?: Schema } | undefined)?.schema,
    };
    add(rule.each ? (property.items as Schema) : property, keywords);
  }
}

function add(schema: Schema, { type, enum: values, ...keywords }: Schema): void {
  if (type && schema.type) schema.type = Array.isArray(schema.type) ? [type, 'null'] : type;
  if (values && schema.type && !schema.enum) schema.enum = values;
  for (const [keyword, value] of Object.entries(keywords)) schema[keyword] ??= value;
}
