import { str } from 'envalid';
import { between } from '../validators';

export const STAFF = {
  STAFF_SESSION_HOURS: between(
    1,
    720,
  )({
    default: 168,
    desc: 'The longest console session, in hours.',
  }),
  STAFF_IDLE_MINUTES: between(
    1,
    10_080,
  )({
    default: 720,
    desc: 'A console session ends after this many minutes without use.',
  }),
  RATE_SIGN_IN: between(
    1,
    1_000,
  )({
    default: 10,
    desc: 'Sign-in attempts per minute: from one address, and for one email address of an organization.',
  }),
  TRUSTED_PROXIES: str({
    default: '',
    desc: 'Networks of trusted reverse proxies, whose X-Forwarded-For is used, comma separated, such as loopback,10.0.0.0/8. Empty: none.',
  }),
};
