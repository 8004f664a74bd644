export const shell = {
  navigation: 'Main',
  theme: 'Appearance',
  themes: { light: 'Light', dark: 'Dark', auto: 'Same as system' },
  language: 'Language',
  signOut: 'Sign out',
  setPassword: 'You have no password yet. Set one so that you can sign in again.',
  setPasswordLink: 'Set a password',
  sandbox: 'Sandbox',
};
