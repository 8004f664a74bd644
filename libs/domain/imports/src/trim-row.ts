/** Ids of other systems, codes and email addresses. */
const TRIMMED = [
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
  'sourcePlatform',
  'code',
  'email',
] as const;

/** Parts of a row that also have such properties. */
const PARTS = ['booker', 'participant', 'participants'] as const;

/** Trims ids, codes and emails, in place. The row may have any shape. */
export function trimRow<Row>(row: Row): Row {
  if (Array.isArray(row)) {
    for (const each of row) trimRow(each);
  } else if (typeof row === 'object' && row !== null) {
    const properties = row as Record<string, unknown>;
    for (const name of TRIMMED) {
      const value = properties[name];
      if (typeof value === 'string') properties[name] = value.trim();
    }
    for (const name of PARTS) if (properties[name]) trimRow(properties[name]);
  }
  return row;
}
