import { brokenPrice, defineImport, when } from '#platform/import-rows';
import { type AddOnImportRow, AddOnsImport } from './add-on-row.dto';

export const addOnsImport = defineImport<'addOnsImport', AddOnImportRow>({
  surface: 'addOnsImport',
  what: 'add-ons',
  description: "Participants' add-ons, each with an `ADD_ON` line item of quantity times unit price.",
  path: 'add-ons/import',
  collection: 'addOns',
  body: AddOnsImport,
  replaces: true,
  row: 'AddOnImportRow',
  externalId: 'externalAllocationId',
  identity: { externalAllocationId: 'exact' },
  broken: ({ participantId, externalBookingId, externalParticipantId, unitPrice }) => {
    const external = externalBookingId != null && externalParticipantId != null;
    const either = externalBookingId != null || externalParticipantId != null;
    return [
      ...brokenPrice('unitPrice', unitPrice),
      ...when([
        (participantId != null) === either || (either && !external),
        '',
        'INVALID_COMBINATION',
        'must have participantId, or externalBookingId together with externalParticipantId',
      ]),
    ];
  },
  ids: { allocationId: 'add_on_allocations.id', lineItemId: 'line_items.id' },
  handler: () => (require('./import-add-ons') as typeof import('./import-add-ons')).importAddOns,
  undo: {
    permission: 'addOns:import',
    handler: () => (require('./undo-line-items') as typeof import('./undo-line-items')).undoAddOns,
  },
});
