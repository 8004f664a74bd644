import type { Texts } from '../en';
import { counted, number, rows } from './words';

export const partner: Texts['partner'] = {
  noPlaces: 'Noch keine Plätze',
  noPlacesAdvice:
    'Für Sie sind noch keine Plätze reserviert. Sie erscheinen hier, sobald der Veranstalter es getan hat.',
  noneFree: 'Keines Ihrer Kontingente hat einen freien Platz, dessen Frist noch läuft.',
  pastEvents: (count) =>
    counted(count, '1 vergangene Veranstaltung zeigen', '# vergangene Veranstaltungen zeigen'),
  freePlaces: (count) => counted(count, '1 freier Platz', '# freie Plätze'),
  deadline: 'Änderbar bis',
  closed: 'Geschlossen',
  placesOf: (group, event) => `${group}, ${event}`,
  showParticipants: 'Teilnehmende zeigen',
  assign: 'Vergeben',
  assignIn: (group) => `Einen Platz aus ${group} vergeben`,
  assignTitle: 'Einen Platz vergeben',
  assignFile: 'Aus einer Datei vergeben',
  fileHelp:
    'Eine Tabelle mit einer Person je Zeile: Vorname, Nachname und E-Mail, und Antworten, soweit vorhanden.',
  chooseGroup: 'Auswählen',
  number: 'Nummer (von Startline)',
  notAssigned: 'Der Platz wurde nicht vergeben',
  assignedBefore: 'Der Platz ist schon vergeben',
  reasons: {
    NO_CAPACITY_REMAINING:
      'Es ist kein Platz mehr frei. Geben Sie einen zurück, oder fragen Sie den Veranstalter nach weiteren.',
    DOMAIN_NOT_ALLOWED: 'Das Kontingent gilt nur für Adressen einer Domain.',
    ALREADY_USED: 'Diese Adresse hat schon einen Platz des Kontingents.',
    ALREADY_IMPORTED:
      'Ein früherer Versuch ist angekommen, mit dem, was da eingegeben war. Was Sie seitdem geändert haben, ist nicht gespeichert: Korrigieren Sie es auf der Seite der Person.',
  },
  domain: (domain) => `Eine Adresse bei ${domain}`,
  asked: (label) => `${label} (für den Start nötig)`,
  states: { open: 'Unvollständig', complete: 'Vollständig', cancelled: 'Zurückgegeben' },
  incomplete: (count) => `${number(count)} unvollständig`,
  missing: 'Es fehlt',
  andMore: (named, more) => `${named} und ${number(more)} weitere`,
  tooMany: (shown, all) =>
    `Die ersten ${number(shown)} von ${number(all)} werden gezeigt und durchsucht. Wählen Sie eine Veranstaltung, oder exportieren Sie alle.`,
  missingNotice: 'Für den Start fehlt noch:',
  waiver: (label) => `${label} (kann nur die Person selbst annehmen, und der Veranstalter eintragen)`,
  needed: 'Für den Start nötig',
  optional: 'Außerdem ohne Antwort',
  fillInHelp:
    'Tragen Sie ein, was Sie wissen, und den Rest später. Gespeicherte Antworten kann nur der Veranstalter ändern.',
  overNotice: 'Die Frist ist abgelaufen. Wenden Sie sich für Änderungen an den Veranstalter.',
  participants: {
    searchPlaceholder: 'Name, E-Mail oder Startnummer',
    anyStatus: 'Alle mit Platz',
    noneAdvice: 'Vergeben Sie Plätze, dann erscheinen die Teilnehmenden hier.',
    noneFoundAdvice: 'Prüfen Sie Schreibweise und Filter.',
    exportHelp:
      'Der Export enthält die der Veranstaltung, alle oder zurückgegebene. Leeren Sie das Suchfeld und die anderen Filter.',
    entry: 'Platz',
    edit: 'Ergänzen',
    editTitle: 'Fehlendes ergänzen',
    transfer: 'Ersetzen',
    transferHelp:
      'Ticket und Startnummer bleiben. Antworten, Notizen und Daten der bisherigen Person werden entfernt.',
    cancelEntry: 'Zurückgeben',
    cancelEntryTitle: 'Diesen Platz zurückgeben?',
    cancelEntryHelp: 'Die Person verliert Platz und Startnummer.',
    cancelEntryFrees: 'Wenn das Kontingent es vorsieht, können Sie den Platz neu vergeben.',
    cancelPayment: 'Das kann nicht rückgängig gemacht werden.',
    cancelEntryKeep: 'Platz behalten',
  },
  assignments: 'Vergabe aus einer Datei',
  counts: { assigned: 'Vergeben', already: 'Schon vergeben', failed: 'Ohne Platz' },
  why: 'Grund',
  withoutPlace: 'Zeilen ohne Platz',
  withoutPlaceHelp:
    'Gezählt in der Reihenfolge, in der die Zeilen gesendet wurden. Korrigieren Sie sie in der Datei, und senden Sie diese noch einmal: Unveränderte Zeilen, die einen Platz haben, erhalten keinen zweiten.',
  moreFailed: (count) => `Und ${rows(count)} mehr.`,
  subHelp:
    'Gruppen mit eigenen Plätzen, die der Veranstalter für sie reserviert. Sie sehen deren Teilnehmende.',
  contact: 'Kontakt',
  members: 'Mitglieder',
  membersHelp:
    'Sie sehen Plätze und Teilnehmende dieses Partners in der Konsole, ergänzen fehlende Antworten, und vergeben, ersetzen und geben Plätze bis zur Frist zurück.',
  noMembers: 'Noch niemand. Laden Sie die Menschen ein, die sich um die Teilnehmenden kümmern.',
  inviteMember: (name) => `Ein Mitglied von ${name} einladen`,
  ofKey: 'Partner des Schlüssels',
  ofKeyHelp:
    'Der Schlüssel sieht und ändert nur die Plätze und Teilnehmenden dieses Partners und seiner Unterpartner.',
  noPartner: 'Keiner: die ganze Organisation',
};
