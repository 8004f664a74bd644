import { defineImport, problemOfZero } from '#libs/import-rows';
import { type CreditImportRow, CreditsImport } from './credit-row.dto';

export const creditsImport = defineImport<'creditsImport', CreditImportRow>({
  surface: 'creditsImport',
  what: 'credits',
  description: 'Money that people may spend at your events.',
  path: 'credits/import',
  collection: 'credits',
  body: CreditsImport,
  externalId: 'externalCreditId',
  identity: ({ externalCreditId }) => externalCreditId,
  problem: ({ amount }) =>
    problemOfZero('.amount', amount) ??
    (amount.value > 0 ? undefined : '.amount.value must be greater than 0'),
  handler: () => (require('./import-credits') as typeof import('./import-credits')).importCredits,
});
