import type { ErrorObject } from 'ajv';
import { FORMAT_RULES, PATTERN_RULES } from './formats';
import { type Problem, type ProblemCode, pathOf, problem } from './problem';
import { nearestOf } from './values/nearest';

type Schema = Record<string, unknown>;

/** The values of `type` between which a schema chooses. */
export const KINDS = 'x-kinds';

/** Of a list of texts or numbers: none occurs twice. `uniqueItems` compares each with all others. */
export const UNIQUE = 'x-unique';

type Path = readonly (string | number)[];

/**
 * Translates errors of the validator to problems.
 *
 * @param base the path of the value in the body
 * @param most unknown names are compared with all known ones
 */
export function problemsOf(errors: readonly ErrorObject[], base: Path, most: number): Problem[] {
  return unknownFirst(withoutTypes(errors))
    .slice(0, most)
    .map((error) => {
      const [code, rule] = ruleOf(error);
      const path = pathOf([...base, ...segmentsOf(error)]);
      return problem(path, code, path ? rule : rule.replace('an object', 'a JSON object'));
    });
}

/** An unknown property often is the missing one, with another name. */
const unknownFirst = (errors: ErrorObject[]): ErrorObject[] => {
  const isUnknown = ({ keyword }: ErrorObject) => keyword === 'additionalProperties';
  return [...errors.filter(isUnknown), ...errors.filter((error) => !isUnknown(error))];
};

/** Omits the error about the type if another error already lists the permitted values. */
function withoutTypes(errors: readonly ErrorObject[]): ErrorObject[] {
  const listed = new Set(
    errors.flatMap(({ keyword, instancePath }) =>
      keyword === 'enum' || keyword === 'const' ? [instancePath] : [],
    ),
  );
  const isSaid = ({ keyword, instancePath }: ErrorObject) =>
    // The errors inside `if` are reported themselves.
    keyword === 'if' || (keyword === 'type' && listed.has(instancePath));
  return errors.filter((error) => !isSaid(error));
}

function segmentsOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const segments = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') segments.push(params.missingProperty);
  if (keyword === 'additionalProperties') segments.push(params.additionalProperty);
  if (keyword === 'discriminator') segments.push(params.tag);
  return segments;
}

const ANY_OF = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const TYPES: Record<string, string> = {
  integer: 'a whole number',
  object: 'an object',
  array: 'an array',
  boolean: 'true or false',
  null: 'null',
};

function ruleOf({ keyword, params, schema, parentSchema }: ErrorObject): [ProblemCode, string] {
  const { minItems = 0, maxItems } = (parentSchema ?? {}) as { minItems?: number; maxItems?: number };
  const items = maxItems === undefined ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
  switch (keyword) {
    case 'required':
      return ['REQUIRED', 'is missing'];
    case 'additionalProperties':
      return [
        'UNKNOWN_PROPERTY',
        unknownAmong(params.additionalProperty, Object.keys((parentSchema as Schema).properties ?? {})),
      ];
    case 'discriminator':
      return params.tagValue === undefined
        ? ['REQUIRED', 'is missing']
        : ['INVALID_VALUE', `must be one of ${(parentSchema as Schema)[KINDS]}`];
    case 'type': {
      const types = [params.type as string | string[]].flat().map((type) => TYPES[type] ?? `a ${type}`);
      const format = FORMAT_RULES[String(parentSchema?.format)];
      const meaning = format ? `: ${format.replace('must be ', '')}` : '';
      return ['INVALID_TYPE', `must be ${ANY_OF.format(types)}${meaning}`];
    }
    case 'enum':
      return ['INVALID_VALUE', `must be one of ${(schema as unknown[]).map(String).join(', ')}`];
    case 'const':
      return ['INVALID_VALUE', `must be ${JSON.stringify(schema)}`];
    case 'format':
      return ['INVALID_FORMAT', FORMAT_RULES[params.format] ?? `must be a ${params.format}`];
    case 'pattern':
      if (params.pattern === '\\S') return ['TOO_SHORT', 'must not be blank'];
      return ['INVALID_FORMAT', PATTERN_RULES[params.pattern] ?? `must match ${params.pattern}`];
    case 'maxLength':
    case 'x-mostJsonCharacters':
      return ['TOO_LONG', `must not be longer than ${schema} characters`];
    case 'minLength':
      return ['TOO_SHORT', 'must not be empty'];
    case 'minItems':
      return ['TOO_SHORT', `must have ${items} items`];
    case 'maxItems':
      return ['TOO_LONG', `must have ${items} items`];
    case UNIQUE:
      return ['DUPLICATE', 'must not contain a value twice'];
    case 'minimum':
      return ['OUT_OF_RANGE', `must be at least ${params.limit}`];
    case 'maximum':
      return ['OUT_OF_RANGE', `must be at most ${params.limit}`];
    case 'exclusiveMinimum':
      return ['OUT_OF_RANGE', `must be greater than ${params.limit}`];
    case 'oneOf':
    case 'anyOf':
      return ['INVALID_TYPE', 'must match one of the schemas in the reference'];
    default:
      return ['INVALID_FORMAT', 'does not match the schema in the reference'];
  }
}

const FEW_NAMES = 12;

export function unknownAmong(name: string, known: readonly string[]): string {
  const meant = nearestOf(name, known);
  if (meant) return `is not a known property; did you mean ${meant}?`;
  const few = known.length && known.length <= FEW_NAMES;
  return `is not a known property${few ? `; known properties are ${known.join(', ')}` : ''}`;
}
