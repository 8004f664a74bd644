import { Matches, ValidateBy, ValidateIf } from 'class-validator';
import { EXTERNAL_ID_TYPES } from '#platform/database';

/** The pattern of the name of a partner. */
export const NAME = /^(\S).+$/;

/** Limited because external ids are indexed. */
const LONGEST_EXTERNAL_ID = 255;

/** The property may be absent, but not `null`. */
export const IfGiven = () => ValidateIf((_, value) => value !== undefined);

export const IsText = () => Matches(/\S/, { message: '$property must be a string that is not blank' });

/** An object from external id types to external ids. */
export const ExternalIds = ({ nullRemoves = false } = {}) =>
  ValidateBy({
    name: 'externalIds',
    validator: {
      validate: (value) => problemOf(value, nullRemoves) === undefined,
      defaultMessage: (args) => `$property${problemOf(args?.value, nullRemoves)}`,
    },
  });

function problemOf(value: unknown, nullRemoves: boolean): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' must be an object';
  const types: readonly string[] = EXTERNAL_ID_TYPES;
  const unknown = Object.keys(value).find((type) => !types.includes(type));
  if (unknown !== undefined)
    return `.${unknown} is not a known external id type; known types are ${types.join(', ')}`;
  const [bad] =
    Object.entries(value).find(([, id]) => !isExternalId(id) && !(nullRemoves && id === null)) ?? [];
  return bad && `.${bad} must be a string of 1 to ${LONGEST_EXTERNAL_ID} characters that is not blank`;
}

const isExternalId = (id: unknown): boolean =>
  typeof id === 'string' && id.length <= LONGEST_EXTERNAL_ID && /\S/.test(id);
