import type { Texts } from '../en';

export const shell: Texts['shell'] = {
  navigation: 'Hauptnavigation',
  theme: 'Darstellung',
  themes: { light: 'Hell', dark: 'Dunkel', auto: 'Wie das System' },
  language: 'Sprache',
  signOut: 'Abmelden',
  setPassword: 'Sie haben noch kein Passwort. Legen Sie eines fest, damit Sie sich wieder anmelden können.',
  setPasswordLink: 'Passwort festlegen',
  sandbox: 'Sandbox',
};
