import { defineErrors, MAXIMA } from '#platform/validation';

export const partnerErrors = defineErrors({
  externalIdTaken: (type: string, externalId: string) => [
    400,
    `externalIds.${type} is already used: ${externalId} belongs to another partner.`,
  ],
  noSuchEvent: (index: number, eventId: string) => [
    400,
    `specificMarketings[${index}].eventId must be an event of your organization; ${eventId} is not.`,
  ],
  occurrenceForEvent: (index: number, eventId: string) => [
    400,
    `specificMarketings[${index}].eventId is the id of an event occurrence; send the id of its event, ${eventId}.`,
  ],
  noSubPartners: () => [403, 'This partner is not permitted to create sub-partners (canCreateSubPartners).'],
  otherParent: () => [400, "parentPartnerId must be the key's partner."],
  noExternalIds: () => [400, 'externalIds are set by the organizer; leave them out.'],
  oneLevel: () => [400, 'canCreateSubPartners must be false for a sub-partner.'],
  noSuchParent: () => [400, 'parentPartnerId must be a partner of your organization.'],
  parentHasParent: () => [400, 'parentPartnerId must be a partner that is not a sub-partner itself.'],
  tooManySubPartners: () => [400, `A partner can have at most ${MAXIMA.subPartners} sub-partners.`],
  tooLarge: (part: string, bytes: number, most: number) => [
    400,
    `${part} would have ${bytes} bytes of JSON, and must not have more than ${most}.`,
  ],
});
