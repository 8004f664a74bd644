import type { Texts } from '../en';

export const shell: Texts['shell'] = {
  navigation: 'Hauptnavigation',
  imports: 'Importe',
  participants: 'Teilnehmende',
  home: 'Start',
  applications: 'Bewerbungen',
  partners: 'Partner',
  events: 'Veranstaltungen',
  desk: 'Renntag',
  developers: 'Entwickler',
  people: 'Team',
  log: 'Protokoll',
  places: 'Plätze',
  runners: 'Teilnehmende',
  account: 'Konto',
  theme: 'Darstellung',
  themes: { light: 'Hell', dark: 'Dunkel', auto: 'Wie das System' },
  language: 'Sprache',
  signOut: 'Abmelden',
  setPassword: 'Sie haben noch kein Passwort. Legen Sie eines fest, damit Sie sich wieder anmelden können.',
  setPasswordLink: 'Passwort festlegen',
};
