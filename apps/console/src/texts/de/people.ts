import type { Texts } from '../en';

export const people: Texts['people'] = {
  title: 'Team',
  you: '(Sie)',
  role: 'Rolle',
  roleOf: (email) => `Rolle von ${email}`,
  hasPassword: 'Festgelegt',
  noPassword: 'Nicht festgelegt',
  lastSignedIn: 'Letzter Login',
  actions: 'Aktionen',
  invite: 'Einladen',
  reset: 'Neuer Link',
  resetText:
    'Passwort, Sitzungen und frühere Links werden ungültig. Sie erhalten einen neuen Link zum Weitergeben.',
  remove: 'Entfernen',
  removeText: 'Die Sitzungen der Person enden innerhalb einer Sekunde. Ihre Aktionen bleiben im Protokoll.',
  linkMade: 'Anmeldelink',
  linkHelp:
    'Senden Sie den Link selbst: Es wird keine E-Mail verschickt. Er gilt einmal, 72 Stunden lang, und kann nicht noch einmal angezeigt werden.',
  roleHelp: {
    OWNER: 'Alles, einschließlich Team und API-Schlüssel',
    MANAGER: 'Importe, Teilnehmende, Partner, Webhooks und Protokoll',
    VIEWER: 'Liest alles außer Team, Schlüsseln und Protokoll; ändert nichts',
    RACE_DAY: 'Sucht Teilnehmende und bearbeitet ihre Renntag-Daten',
    PARTNER: 'Sieht und ändert die Plätze und Teilnehmenden eines Partners',
  },
};
