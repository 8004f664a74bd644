import { defineImport, problemOfPrice } from '#libs/import-rows';
import { type AddOnImportRow, AddOnsImport } from './add-on-row.dto';

export const addOnsImport = defineImport<'addOnsImport', AddOnImportRow>({
  surface: 'addOnsImport',
  what: 'add-ons',
  description: "Participants' add-ons, each with an `ADD_ON` line item of quantity times unit price.",
  path: 'add-ons/import',
  collection: 'addOns',
  body: AddOnsImport,
  replaces: true,
  externalId: 'externalAllocationId',
  identity: ({ externalAllocationId }) => externalAllocationId,
  problem: ({ participantId, externalBookingId, externalParticipantId, unitPrice }) => {
    const wrong = problemOfPrice('.unitPrice', unitPrice);
    if (wrong) return wrong;
    const external = externalBookingId != null && externalParticipantId != null;
    const either = externalBookingId != null || externalParticipantId != null;
    return (participantId != null) === either || (either && !external)
      ? ': give participantId, or externalBookingId together with externalParticipantId'
      : undefined;
  },
  handler: () => (require('./import-add-ons') as typeof import('./import-add-ons')).importAddOns,
});
