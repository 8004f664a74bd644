import { bool, str } from 'envalid';
import { between, issuer, milliseconds } from '../validators';

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
  STAFF_PASSWORDS: bool({
    default: true,
    desc: 'Whether staff can sign in with email and password. If false, OIDC_ISSUER must be set; one-time links still work.',
  }),
  OIDC_ISSUER: issuer({
    default: undefined,
    desc: 'The issuer of an OpenID Connect provider with which staff can sign in. It decides who owns an email address, for all organizations. Unset: no single sign-on.',
    example: 'https://login.example.com',
  }),
  OIDC_CLIENT_ID: str({
    default: undefined,
    desc: 'The client id at the provider; required with OIDC_ISSUER.',
  }),
  OIDC_CLIENT_SECRET: str({
    default: undefined,
    desc: 'The client secret at the provider; required with OIDC_ISSUER.',
  }),
  OIDC_SCOPES: str({
    default: 'openid email',
    desc: 'The requested scopes: `openid`, and those for which the provider returns `email` and `email_verified`.',
  }),
  OIDC_TIMEOUT_MS: milliseconds({ default: 5_000, desc: 'The timeout of a request to the provider.' }),
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
