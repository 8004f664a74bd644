import { between, longSecret, signingSecrets } from '../validators';

export const KEYS = {
  SIGNING_SECRETS: signingSecrets({
    desc: 'kid:secret pairs, comma separated; the first signs, all are accepted. At least 32 bytes each.',
    example: '2026a:<64 random hex digits>',
  }),
  ERASURE_SECRET: longSecret({
    default: undefined,
    desc: 'The key of the hashes that replace external ids of erased persons. At least 32 characters; never change it, and back it up. Unset: such ids get random replacements, and importing their rows again creates the persons again.',
    example: '<64 random hex digits>',
  }),
  KEY_CACHE_MS: between(
    0,
    30_000,
  )({
    default: 30_000,
    desc: 'How long the state of a key is cached. Changes are announced within a second; this is the bound if the announcement is lost.',
  }),
};
