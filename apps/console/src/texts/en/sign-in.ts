export const signIn = {
  title: 'Sign in',
  organization: 'Organization',
  organizationHelp: 'Its short name, as in your sign-in link',
  noPassword: 'No password yet, or forgotten it? Ask an owner of your organization for a sign-in link.',
  refused: 'Sign-in failed',
  refusedAdvice:
    'Organization, email and password don’t match. Check them, or ask an owner of your organization for a sign-in link.',
  mailLink: 'Forgotten your password? Mail me a link',
  mailed: (email: string) =>
    `If ${email} belongs to a member of this organization, a link is on its way. It works once, within an hour.`,
  linkTitle: (organization: string) => `Sign in to ${organization}`,
  linkText: 'This link works once.',
  linkSubmit: 'Continue',
  linkBroken: 'This link is incomplete',
  linkBrokenAdvice: 'Copy the whole link, including everything after “#”, or ask for a new one.',
  linkRefused: 'This link is not valid any more',
  linkRefusedAdvice: 'It was already used, or has expired. Ask an owner of your organization for a new one.',
  ended: 'Your session has ended. Sign in again.',
  provider: 'Sign in with single sign-on',
  or: 'or with a password',
  linkToo: 'If single sign-on fails, use a sign-in link from an owner of your organization.',
  providerFailed: 'Single sign-on failed',
  failures: {
    CANCELLED: 'It was cancelled at the identity provider. Try again.',
    EXPIRED: 'It took longer than ten minutes, or was started in another tab. Try again.',
    UNVERIFIED: 'The identity provider has not verified your email address. Ask its administrators.',
    NOT_MEMBER:
      'Your email address does not belong to a member of this organization. Ask an owner to invite you.',
    TOO_MANY: 'There were too many attempts. Wait a minute, then try again.',
    PROVIDER:
      'The identity provider is unavailable or gave an invalid answer. Try again, or tell your operators.',
  } as Record<string, string>,
};
