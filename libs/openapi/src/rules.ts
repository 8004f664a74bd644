import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Schema } from './schema';

type Keywords = (constraints: unknown[]) => Schema;

/** What each class-validator rule says about a value, in the words of JSON Schema. */
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
 * Adds a class's class-validator rules to its schema. A rule of our own states its keywords in its options:
 * `{ context: { schema: { format: 'date' } } }`. What the source already says (an enum's values) stays.
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
