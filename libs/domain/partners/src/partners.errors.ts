import { brokenRule, defineErrors, MAXIMA } from '#platform/validation';

export const partnerErrors = defineErrors({
  externalIdTaken: (type: string, externalId: string) =>
    brokenRule(
      `externalIds.${type}`,
      'ALREADY_USED',
      `is already used: ${externalId} belongs to another partner`,
    ),
  noSuchEvent: (index: number, eventId: string) =>
    brokenRule(
      `specificMarketings[${index}].eventId`,
      'INVALID_VALUE',
      `must be an event of your organization; ${eventId} is not`,
    ),
  occurrenceForEvent: (index: number, eventId: string) =>
    brokenRule(
      `specificMarketings[${index}].eventId`,
      'INVALID_VALUE',
      `is the id of an event occurrence; send the id of its event, ${eventId}`,
    ),
  noSubPartners: () => [403, 'This partner is not permitted to create sub-partners (canCreateSubPartners).'],
  otherParent: () => brokenRule('parentPartnerId', 'INVALID_VALUE', "must be the key's partner"),
  noExternalIds: () => brokenRule('externalIds', 'INVALID_VALUE', 'are set by the organizer; leave them out'),
  oneLevel: () => brokenRule('canCreateSubPartners', 'INVALID_VALUE', 'must be false for a sub-partner'),
  noSuchParent: () =>
    brokenRule('parentPartnerId', 'INVALID_VALUE', 'must be a partner of your organization'),
  parentHasParent: () =>
    brokenRule('parentPartnerId', 'INVALID_VALUE', 'must be a partner that is not a sub-partner itself'),
  tooManySubPartners: () => [400, `A partner can have at most ${MAXIMA.subPartners} sub-partners.`],
  tooLarge: (part: string, bytes: number, most: number) =>
    brokenRule(
      part === 'partner' ? '' : part,
      'TOO_LARGE',
      `would have ${bytes} bytes of JSON, and must not have more than ${most}`,
      part,
    ),
});
