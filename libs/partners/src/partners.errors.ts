import { defineErrors } from '#libs/errors';

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
});
