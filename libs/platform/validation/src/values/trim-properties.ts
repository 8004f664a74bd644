import { trimmed } from './compared';

/** Ids of other systems, codes, bibs and email addresses: what is compared with stored values. */
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
];

/** Parts of a body that have such properties, and their names there; `undefined`: all. */
const PARTS: Readonly<Record<string, readonly string[] | undefined>> = {
  ...{ booker: COMPARED, participant: COMPARED, participants: COMPARED, contacts: COMPARED, data: COMPARED },
  team: ['name'],
  reservedEntryGroups: ['code'],
  externalIds: undefined,
};

/**
 * Removes white space and invisible characters around compared texts, in place: of bodies before they are checked, and of
 * rows of imports whenever they are read. The value may have any shape.
 */
export function trimProperties<Value>(value: Value, names: readonly string[] | undefined = COMPARED): Value {
  if (Array.isArray(value)) {
    for (const each of value) trimProperties(each, names);
  } else if (typeof value === 'object' && value !== null) {
    const properties = value as Record<string, unknown>;
    for (const name of names ?? Object.keys(properties)) {
      const text = properties[name];
      if (typeof text === 'string') properties[name] = trimmed(text);
    }
    for (const [name, within] of Object.entries(PARTS))
      if (properties[name]) trimProperties(properties[name], within);
  }
  return value;
}
