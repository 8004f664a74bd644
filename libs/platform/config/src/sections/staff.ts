import { bool, str } from 'envalid';
import { between, issuer, leading, proxies, smtpUrl } from '../validators';

/** The most that STAFF_SESSION_HOURS can be. */
export const MOST_SESSION_HOURS = 720;

export const STAFF = {
  STAFF_SESSION_HOURS: between(1, MOST_SESSION_HOURS, {
    default: 168,
    desc: 'The longest console session.',
  }),
  STAFF_IDLE_MINUTES: between(1, 10_080, {
    default: 720,
    desc: 'The longest time without use of a console session.',
  }),
  STAFF_PASSWORDS: bool({
    default: true,
    desc: 'Whether staff can sign in with a password. If false, OIDC_ISSUER must be set; one-time links still work.',
  }),
  OIDC_ISSUER: issuer({
    default: undefined,
    desc: 'The issuer of an OpenID Connect provider for staff. It decides who owns an email address, for all organizations.',
    example: 'https://login.example.com',
  }),
  OIDC_CLIENT_ID: str({
    default: undefined,
    desc: 'The client id; required with OIDC_ISSUER.',
  }),
  OIDC_CLIENT_SECRET: str({
    default: undefined,
    desc: 'The client secret; required with OIDC_ISSUER.',
  }),
  OIDC_SCOPES: str({
    default: 'openid email',
    desc: '`openid`, and the scopes for which the provider returns `email` and `email_verified`.',
  }),
  SMTP_URL: smtpUrl({
    default: undefined,
    desc: 'A mail server, by which members who forgot their password get a link. Needs MAIL_FROM and PUBLIC_URL.',
    example: 'smtps://user:password@mail.example.com',
  }),
  MAIL_FROM: str({
    default: undefined,
    desc: 'The sender of mails; required with SMTP_URL.',
    example: 'City Runs <no-reply@example.com>',
  }),
  RATE_SIGN_IN: between(1, 1_000, {
    default: 10,
    desc: 'Sign-in attempts per minute, from one address and for one email address of an organization; and links that are mailed to it per hour. Browsers in which that member has signed in before count by themselves.',
  }),
  TRUSTED_PROXIES: leading(
    proxies({
      default: '',
      desc: 'Networks of proxies whose X-Forwarded-For is used, such as loopback,10.0.0.0/8.',
    }),
  ),
};
