import type { Texts } from '../en';

export const account: Texts['account'] = {
  title: 'Konto',
  signedInAs: (email, role) => `Angemeldet als ${email}, ${role}`,
  password: 'Passwort',
  currentPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  showPassword: 'Passwort anzeigen oder verbergen',
  passwordHelp: '12 bis 128 Zeichen. Auf die Länge kommt es an, Sonderzeichen sind nicht nötig.',
  passwordSaved: 'Das Passwort ist festgelegt. Ihre anderen Sitzungen wurden beendet.',
  refused: 'Das Passwort wurde nicht geändert',
  refusedAdvice:
    'Das bisherige Passwort stimmt nicht. Wenn Sie es nicht wissen, bitten Sie einen Inhaber Ihrer Organisation um einen Anmeldelink.',
  submit: 'Passwort festlegen',
  sessions: 'Sitzungen',
  signOutEverywhere: 'Überall abmelden',
  signOutEverywhereHelp: 'Beendet Ihre Sitzungen in allen Browsern, auch in diesem.',
};
