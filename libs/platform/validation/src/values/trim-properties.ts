import { trimmed } from './compared';

/** Ids of other systems, codes, bibs, tags and email addresses: what is compared with stored values. */
const COMPARED: ReadonlySet<string> = new Set([
  'externalBookingId',
  'externalParticipantId',
  'externalLineItemId',
  'externalAllocationId',
  'externalCreditId',
  'externalAssignmentId',
  'referredExternalBookingId',
  'reservedEntryGroupId',
  'ticketSlug',
  'generatedReferralCode',
  'referralCode',
  'discountCode',
  'itemId',
  'sourcePlatform',
  'code',
  'email',
  'bibNumber',
  'tag',
  'tags',
]);

/** Parts of a body that have such properties, and their names there; `null`: all. */
const PARTS: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ...['booker', 'participant', 'participants', 'contacts', 'data', 'ranges', 'change', 'matching'].map(
    (part) => [part, COMPARED] as const,
  ),
  ['team', new Set(['name'])],
  ['reservedEntryGroups', new Set(['code'])],
  ['customFields', new Set(['id'])],
  ['externalIds', null],
]);

/**
 * Removes white space and invisible characters around compared texts, in place: of bodies before they are checked, and of
 * rows of imports whenever they are read. The value may have any shape.
 */
export function trimProperties<Value>(value: Value, names: ReadonlySet<string> | null = COMPARED): Value {
  if (Array.isArray(value)) {
    for (const each of value) trimProperties(each, names);
  } else if (typeof value === 'object' && value !== null) {
    const properties = value as Record<string, unknown>;
    for (const name in properties) {
      const given = properties[name];
      if (!given) continue;
      if (names === null || names.has(name)) {
        properties[name] = Array.isArray(given) ? given.map(trimmedText) : trimmedText(given);
      }
      const within = PARTS.get(name);
      if (within !== undefined) trimProperties(given, within);
    }
  }
  return value;
}

const trimmedText = (value: unknown): unknown => (typeof value === 'string' ? trimmed(value) : value);
