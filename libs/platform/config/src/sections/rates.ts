import { rate } from '../validators';

export const RATES = {
  RATE_IMPORT: rate({ default: 60, desc: 'Each import operation.' }),
  RATE_REGISTRATION_STATUS: rate({ default: 300, desc: 'The registration check.' }),
  RATE_TIMING: rate({ default: 600, desc: 'Timing ingest.' }),
  RATE_WEBHOOK: rate({
    default: 60,
    desc: 'Each operation that creates a webhook endpoint or secret, or sends deliveries.',
  }),
  RATE_EXPORT: rate({ default: 10, desc: 'Export of participants, and each digest of a list.' }),
  RATE_WIDE: rate({ default: 30_000, desc: 'Every other operation.' }),
};
