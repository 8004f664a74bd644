import { trimmed } from './compared';

/** Ids of other systems, codes, bibs, tags and email addresses: what is compared with stored values. */
const COMPARED = [
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
];

/** Parts of a body that have such properties, and their names there; `null`: all. */
const PARTS: Readonly<Record<string, readonly string[] | null>> = {
  ...{
    booker: COMPARED,
    participant: COMPARED,
    participants: COMPARED,
    contacts: COMPARED,
    data: COMPARED,
    ranges: COMPARED,
    change: COMPARED,
    matching: COMPARED,
  },
  team: ['name'],
  reservedEntryGroups: ['code'],
  customFields: ['id'],
  externalIds: null,
};

/**
 * Removes white space and invisible characters around compared texts, in place: of bodies before they are checked, and of
 * rows of imports whenever they are read. The value may have any shape.
 */
export function trimProperties<Value>(value: Value, names: readonly string[] | null = COMPARED): Value {
  if (Array.isArray(value)) {
    for (const each of value) trimProperties(each, names);
  } else if (typeof value === 'object' && value !== null) {
    const properties = value as Record<string, unknown>;
    for (const name of names ?? Object.keys(properties)) {
      const given = properties[name];
      if (given) properties[name] = Array.isArray(given) ? given.map(trimmedText) : trimmedText(given);
    }
    for (const [name, within] of Object.entries(PARTS))
      if (properties[name]) trimProperties(properties[name], within);
  }
  return value;
}

const trimmedText = (value: unknown): unknown => (typeof value === 'string' ? trimmed(value) : value);
