import type { Texts } from '../en';
import { counted } from './words';

export const persons: Texts['persons'] = {
  title: 'Eine Person in allen Veranstaltungen',
  link: 'Person nach E-Mail suchen',
  all: 'Alles zu dieser Person',
  find: 'Suchen',
  advice:
    'Geben Sie eine E-Mail-Adresse ein, um die Anmeldungen der Person in allen Veranstaltungen zu sehen, Auskunft zu geben oder die Person zu löschen.',
  entries: 'Anmeldungen',
  noEntries:
    'Keine Anmeldung hat diese Adresse. Sie kann trotzdem bekannt sein: von einer Buchung, einem Guthaben oder einem Kontakt.',
  known: 'Alles, was bekannt ist',
  knownAdvice: 'Beantwortet ein Auskunftsersuchen. Jedes Mal wird im Protokoll vermerkt, ohne die Adresse.',
  show: 'Anzeigen',
  html: 'Zum Lesen herunterladen',
  json: 'Als JSON herunterladen',
  cut: 'Die Datei wurde unterbrochen, deshalb wurde nichts gespeichert. Starten Sie erneut.',
  nothing: 'Zu dieser Adresse ist nichts gespeichert.',
  moreRows: (count) =>
    counted(count, 'Eine weitere steht in den Dateien.', '# weitere stehen in den Dateien.'),
  erase: 'Löschen',
  eraseAsk: 'Person löschen …',
  eraseAdvice: 'Entfernt die Person aus allen Daten Ihrer Organisation. Sie sehen vorher, was entfernt wird.',
  eraseTitle: (email) => `${email} endgültig löschen?`,
  eraseStays: 'Die Anmeldungen bleiben ohne die Person bestehen und behalten Plätze, Tickets und Preise.',
  looking: (rows: number) => `Alle Daten werden durchsucht … ${rows.toLocaleString('de')} Zeilen`,
  failed: 'Die Arbeit ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  sure: 'Mir ist klar, dass sich das nicht rückgängig machen lässt',
  erased: 'Die Person ist gelöscht',
  ahead: (count) =>
    counted(
      count,
      'Eine Importzeile, die die Person nennt, ist noch nicht verarbeitet. Löschen Sie danach erneut.',
      '# Importzeilen, die die Person nennen, sind noch nicht verarbeitet. Löschen Sie danach erneut.',
    ),
  kept: 'Diese Datensätze enthalten die Adresse weiterhin, weil Menschen oder Systeme sie benutzen. Ändern Sie sie von Hand.',
};
