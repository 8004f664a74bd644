import { REF, type Schema } from './schema';

/** Properties that their names, in words, describe. */
const NOUNS = new Set([
  ...['addOns', 'addressLine1', 'addressLine2', 'assignments', 'bookings', 'city', 'contacts', 'countryName'],
  ...['credits', 'discountCodes', 'email', 'firstName', 'lastName', 'latitude', 'lineItems', 'longitude'],
  ...[
    'name',
    'participants',
    'phone',
    'postCode',
    'quantity',
    'reason',
    'referrals',
    'role',
    'status',
    'tags',
  ],
  ...['tickets', 'title', 'type', 'url'],
]);

/** `referredBooking`: "referred booking". */
const wordsOf = (name: string): string =>
  name.replace(/\d+/, ' $&').replace(/[A-Z]/g, (letter, at) => `${at ? ' ' : ''}${letter.toLowerCase()}`);

/** The description of a property by its name, such as `raceId` or `createdAt`; undefined if it needs a comment. */
export function describeName(name: string): string | undefined {
  if (name === 'id') return 'The id; it never changes.';
  const [, external, thing, several = ''] = /^(external)?([A-Z]?\w+?)Id(s?)$/.exec(name) ?? [];
  if (thing) return `${external ? 'Your' : 'The'} id${several} of the ${wordsOf(thing)}${several}.`;
  const [, done] = /^(\w+ed)At$/.exec(name) ?? [];
  if (done) return `When it was ${wordsOf(done)}.`;
  return NOUNS.has(name) ? `The ${wordsOf(name)}.` : undefined;
}

/** Whether the schema, or the one that it refers to, has a description. */
function isDescribed(schema: Schema, schemas: Record<string, Schema>): boolean {
  const parts = [schema, ...((schema.oneOf ?? []) as Schema[])];
  return parts.some(
    ({ description, $ref }) =>
      !!description || (typeof $ref === 'string' && !!schemas[$ref.slice(REF.length)]?.description),
  );
}

/** Describes each property without a comment by its name. @returns the paths of those whose name does not say what they are */
export function describeByNames(schemas: Record<string, Schema>): string[] {
  return Object.entries(schemas).flatMap(([owner, { properties = {} }]) =>
    Object.entries(properties as Record<string, Schema>)
      .filter(([, property]) => !isDescribed(property, schemas))
      .flatMap(([name, property]) => {
        const description = describeName(name);
        Object.assign(property, { description });
        return description ? [] : [`${owner}.${name}`];
      }),
  );
}
