import type { Texts } from '../en';
import { counted, number } from './words';

export const home: Texts['home'] = {
  title: 'Start',
  attention: 'Zu tun',
  nothing: 'Gerade nichts.',
  kinds: {
    IMPORT_FAILURES: ({ title, count, total }) =>
      `${title}: ${counted(count, '1 Zeile', '# Zeilen')} von ${number(total)} fehlgeschlagen`,
    IMPORT_WARNINGS: ({ title, count }) =>
      `${title}: ${counted(count, '1 importierte Zeile hat Warnungen', '# importierte Zeilen haben Warnungen')}`,
    IMPORT_WAITING: ({ title, count }) => `${title}: wartet seit ${counted(count, '1 Minute', '# Minuten')}`,
    ENDPOINT_FAILING: ({ title, count }) =>
      `${title}: ${counted(count, '1 Zustellung', '# Zustellungen in Folge')} fehlgeschlagen`,
    ENDPOINT_DISABLED: ({ title }) => `${title}: abgeschaltet, weil Zustellungen fehlschlugen`,
    RACE_NEARLY_FULL: ({ title, count, total }) =>
      `${title}: ${number(count)} von ${number(total)} Plätzen belegt`,
    RACE_OVERBOOKED: ({ title, count, total }) =>
      `${title}: überbucht, ${number(count)} auf ${number(total)} Plätze`,
    APPLICATIONS: ({ title, count }) =>
      `${title}: ${counted(count, '1 Bewerbung wartet', '# Bewerbungen warten')} auf eine Entscheidung`,
    UNIDENTIFIED_MESSAGES: ({ count }) =>
      counted(count, '1 Zeitmeldung passt noch zu niemandem', '# Zeitmeldungen passen noch zu niemandem'),
    FEED_LAG: ({ count }) => `Renntagsmeldungen sind ${number(count)} s im Rückstand`,
  },
  entries: 'Anmeldungen der letzten 30 Tage',
  events: 'Nächste Veranstaltungen',
  stepsDone: (done, all) => `Erste Schritte: ${done} von ${all} erledigt`,
  steps: {
    event: {
      title: 'Veranstaltung anlegen',
      help: 'Von Hand, aus einem Rennkalender oder einer Katalogdatei.',
    },
    people: { title: 'Teilnehmende importieren', help: 'Aus einer Tabelle, oder wie Ihr Shop sie sendet.' },
    key: { title: 'Schlüssel erstellen', help: 'Für die Programme, die Buchungen lesen oder senden.' },
  },
  done: 'Erledigt',
  noEvents: 'Es kommt keine Veranstaltung.',
};
