import { leading, longSecret, signingSecrets } from '../validators';

export const KEYS = {
  SIGNING_SECRETS: leading(
    signingSecrets({
      desc: 'The first secret signs keys, all are accepted. At least 32 bytes each.',
      example: '2026a:<64 random hex digits>',
    }),
  ),
  ERASURE_SECRET: leading(
    longSecret({
      default: undefined,
      desc: 'The key of the hashes that replace ids of erased persons. Never change it, and back it up. Unset: importing rows of erased persons creates them again.',
      example: '<64 random hex digits>',
    }),
  ),
};
