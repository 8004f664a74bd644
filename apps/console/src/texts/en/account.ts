export const account = {
  title: 'Account',
  signedInAs: (email: string, role: string) => `Signed in as ${email}, ${role}`,
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  showPassword: 'Show or hide the password',
  passwordHelp: '12 to 128 characters. Length matters; special characters are not required.',
  passwordSaved: 'The password is set. Your other sessions have ended.',
  refused: 'The password was not changed',
  refusedAdvice:
    'The current password does not match. If you don’t know it, ask an owner of your organization for a sign-in link.',
  submit: 'Set password',
  sessions: 'Sessions',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereHelp: 'Ends your sessions in all browsers, including this one.',
};
