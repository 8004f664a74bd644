import { defineErrors } from '#platform/validation';

export const consoleErrors = defineErrors({
  linkNotValid: () => [
    403,
    'This link was already used or has expired. Ask an owner of the organization for a new link.',
  ],
  notSignedIn: () => [
    403,
    'Organization, email and password do not match. Check them, or ask an owner of the organization for a new link.',
  ],
  noMail: () => [403, 'This server sends no mail. Ask an owner of the organization for a new link.'],
  mailIsBusy: () => [503, 'Too many mails are waiting. Try again in a minute.', { 'retry-after': '60' }],
  noPasswords: () => [403, 'Passwords are disabled. Sign in with your identity provider.'],
  wrongPassword: () => [
    403,
    'The current password does not match. If you do not know it, ask an owner of the organization for a new link.',
  ],
  noSuchMember: () => [404, 'Your organization has no such staff member.'],
});
