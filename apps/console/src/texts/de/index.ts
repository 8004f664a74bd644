import type { Texts } from '../en';
import * as parts from './all';
import { LOCALE, number } from './words';

export const de: Texts = {
  ...parts,
  locale: LOCALE,
  number,
  product: 'Startline',
  skipToContent: 'Zum Inhalt springen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  done: 'Fertig',
  copy: 'Kopieren',
  copyId: 'ID kopieren',
  copied: 'Kopiert',
  total: (count) => `${number(count)} insgesamt`,
  zone: (zone) => `Zeitzone: ${zone}`,
  roles: {
    OWNER: 'Inhaber',
    MANAGER: 'Verwaltung',
    VIEWER: 'Nur lesen',
    RACE_DAY: 'Renntag',
    PARTNER: 'Partner',
  },
  leaving: {
    title: 'Ohne Speichern verlassen?',
    text: (isKept) =>
      `Ihre Änderungen sind nicht gespeichert. ${isKept ? 'Dieser Browser behält sie, bis Sie zu diesem Formular zurückkehren.' : 'Dieser Browser hat keinen Platz für sie: Sie gehen verloren.'}`,
    leave: 'Verlassen',
    stay: 'Bleiben',
  },

  table: {
    previousPage: 'Vorherige Seite',
    nextPage: 'Nächste Seite',
    order: 'Reihenfolge',
    columns: 'Spalten',
    ascending: (by) => `${by}, aufsteigend`,
    descending: (by) => `${by}, absteigend`,
  },
};
