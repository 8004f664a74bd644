import type { Settings } from '#platform/config';
import type { RateClass } from '../operation-declaration';

/** A window starts with the first request of a key to an operation and lasts a minute. */
export const WINDOW_MS = 60_000;

export const limitsOf = (settings: Settings): Record<RateClass, number> => ({
  import: settings.RATE_IMPORT,
  registrationStatus: settings.RATE_REGISTRATION_STATUS,
  timing: settings.RATE_TIMING,
  signIn: settings.RATE_SIGN_IN,
  webhook: settings.RATE_WEBHOOK,
  export: settings.RATE_EXPORT,
  wide: settings.RATE_WIDE,
});
