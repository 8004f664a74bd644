import { brokenZero, brokenZone, defineImport, when } from '#platform/import-rows';
import { type CreditImportRow, CreditsImport } from './credit-row.dto';

export const creditsImport = defineImport<'creditsImport', CreditImportRow>({
  surface: 'creditsImport',
  group: 'Credits',
  what: 'credits',
  description: 'Credits that people can spend at your events.',
  path: 'credits/import',
  collection: 'credits',
  body: CreditsImport,
  row: 'CreditImportRow',
  externalId: 'externalCreditId',
  identity: { externalCreditId: 'exact' },
  broken: ({ amount, eventId, expiresAt }) => [
    ...brokenZone('expiresAt', expiresAt, Boolean(eventId)),
    ...brokenZero('amount', amount),
    ...when([amount.value <= 0, 'amount.value', 'OUT_OF_RANGE', 'must be greater than 0']),
  ],
  ids: { creditId: 'credits.id' },
  handler: () => (require('./import-credits') as typeof import('./import-credits')).importCredits,
  undo: {
    permission: 'credits:import',
    handler: () => (require('./undo-credits') as typeof import('./undo-credits')).undoCredits,
  },
});
