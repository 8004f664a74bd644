export const account = {
  title: 'Account',
  signedInAs: (email: string, role: string) => `Signed in as ${email}, ${role}`,
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  showPassword: 'Show or hide the password',
  passwordHelp: '12 to 128 characters. Length matters; special characters are not required.',
  passwordSaved: 'The password is set. Your other sessions have ended.',
  submit: 'Set password',
  sessions: 'Sessions',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereHelp: 'Ends your sessions in all browsers, including this one.',
};
