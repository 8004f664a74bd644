import { between, signingSecrets } from '../validators';

export const KEYS = {
  SIGNING_SECRETS: signingSecrets({
    desc: 'kid:secret pairs, comma separated; the first signs, all are accepted. At least 32 bytes each.',
    example: '2026a:<64 random hex digits>',
  }),
  KEY_CACHE_MS: between(
    0,
    30_000,
  )({
    default: 30_000,
    desc: 'How long the state of a key is cached. Changes are announced within a second; this is the bound if the announcement is lost.',
  }),
};
