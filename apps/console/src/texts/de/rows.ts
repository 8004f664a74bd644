import type { Texts } from '../en';
import { counted, rows as countOf, number } from './words';

export const rows: Texts['rows'] = {
  title: 'Fehlgeschlagene Zeilen',
  row: 'Zeile',
  rowName: (row) => `${number(row)}`,
  loading: (done) => `${countOf(done)} …`,
  all: (count) => `Alle (${number(count)})`,
  byCode: 'Zeilen nach Grund zeigen',
  allColumns: 'Alle Spalten',
  keys: 'Pfeiltasten bewegen, Enter bearbeitet, Tab übernimmt und geht nach rechts, Escape lässt die Zelle, wie sie war. Zellen aus einer Tabellenkalkulation lassen sich einfügen.',
  applyToAll: (count) =>
    counted(count, 'Auf 1 Zeile mit diesem Wert anwenden', 'Auf alle # Zeilen mit diesem Wert anwenden'),
  instead: (before, after) => `„${after}“ statt „${before}“`,
  changed: (count) =>
    counted(count, '1 Zeile ist geändert und nicht gesendet.', '# Zeilen sind geändert und nicht gesendet.'),
  mistaken: (count) => counted(count, '1 davon hat einen Fehler.', '# davon haben Fehler.'),
  check: (count) => counted(count, 'Diese Zeile prüfen', 'Diese # Zeilen prüfen'),
  checkHelp: 'Ein Probelauf: Es wird nichts importiert.',
  send: (count) => counted(count, 'Diese Zeile erneut senden', 'Diese # Zeilen erneut senden'),
  sending: 'Wird gesendet …',
  sent: (count) => counted(count, '1 Zeile wurde gesendet.', '# Zeilen wurden gesendet.'),
  checking: (done, all) => `Wird geprüft: ${number(done)} von ${number(all)}`,
  checked: (fine, failed) =>
    failed === 0
      ? counted(fine, 'Die Zeile würde importiert.', 'Alle # Zeilen würden importiert.')
      : `${counted(fine, '1 Zeile würde importiert', '# Zeilen würden importiert')}, ${counted(failed, '1 würde', '# würden')} fehlschlagen.`,
  gone: 'Der Inhalt der Zeilen wurde entfernt. Importieren Sie die Datei mit berichtigten Zeilen erneut.',
  allCorrected: 'Alle fehlgeschlagenen Zeilen sind berichtigt.',
  allSent: 'Alle fehlgeschlagenen Zeilen wurden erneut gesendet. Was fehlschlägt, erscheint wieder hier.',
  insteadOf: (field, value, count) => `${field} statt „${value}“ (${countOf(count)})`,
  choose: 'Wählen',
  bibOf: (bib) => `Startnummer ${bib}:`,
  takeFreeBibs: (count) =>
    counted(count, 'Nächste freie Startnummer nehmen', 'Nächste # freie Startnummern nehmen'),
  leaveBibsEmpty: 'Startnummern leer lassen',
  capacityOf: (group) => `Kapazität von ${group}`,
  capacityUsed: (used, all, more) =>
    `${number(used)} von ${number(all)} Plätzen sind belegt. Diese Zeilen brauchen ${number(more)}.`,
  limitOf: (code) => `Limit von ${code}`,
  limitUsed: (used, all, more) =>
    `${number(used)} von ${number(all)} Einlösungen sind vergeben. Diese Zeilen brauchen ${number(more)}.`,
  newWave: (race) => `Oder eine Startwelle von ${race} anlegen`,
  createWave: 'Startwelle anlegen',
  newTicket: 'Oder ein Ticket anlegen',
  raceOfTicket: 'Wettbewerb',
  createTicket: 'Ticket anlegen',
  openEditor: 'Mehr zu den Tickets auf der Seite der Veranstaltung',
  raiseTo: (capacity) => `Auf ${capacity} erhöhen`,
  raised: (capacity) => `Auf ${capacity} erhöht`,
};
