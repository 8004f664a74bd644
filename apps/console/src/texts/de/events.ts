import type { Texts } from '../en';
import { counted, number } from './words';

export const events: Texts['events'] = {
  more: (count) => `${number(count)} weitere: Die API listet alle.`,
  title: 'Veranstaltungen',
  date: 'Datum',
  place: 'Ort',
  search: 'Veranstaltungen suchen',
  none: 'Noch keine Veranstaltungen',
  noneAdvice:
    'Inhaber und Manager legen Veranstaltungen hier an: neu, aus einer Datei oder später aus einer früheren Ausgabe.',
  status: 'Status',
  noneFound: 'Keine Veranstaltungen gefunden',
  noneFoundAdvice: 'Prüfen Sie die Schreibweise, oder suchen Sie nach einem anderen Teil des Titels.',
  races: 'Wettbewerbe',
  tickets: 'Tickets',
  free: 'Kostenlos',
  sales: 'Anmeldungen pro Tag',
  noSales: 'Noch keine Anmeldungen. Sie erscheinen hier, sobald sie gebucht oder importiert sind.',
  salesText: (count, from, to, most, day) =>
    `${counted(count, '1 Anmeldung', '# Anmeldungen')} vom ${from} bis ${to}. Bester Tag: ${day} mit ${number(most)}.`,
  group: 'Kontingent',
  capacity: 'Belegte Plätze',
  price: 'Preis',
  overbooked: (count) => `(${number(count)} zu viele)`,
  codeStates: {
    VALID: 'Gültig',
    EXPIRED: 'Abgelaufen',
    NOT_YET: 'Noch nicht gültig',
    USED_UP: 'Aufgebraucht',
  },
  unlimited: (count) => `${number(count)}, unbegrenzt`,
  noLimit: 'Unbegrenzt',
  undated: 'Noch kein Datum',
  searchCodes: 'Codes suchen',
  code: 'Code',
  discount: 'Rabatt',
  appliesPer: { ENTRY: 'je Anmeldung', TRANSACTION: 'je Buchung' },
  uses: 'Einlösungen',
  usesUnlimited: '(unbegrenzt)',
  usesLeft: (count) => `(noch ${number(count)})`,
  everyEvent: 'Alle',
  namedEvents: 'Bestimmte',
  validFrom: 'Von',
  validTo: 'Bis',
  noCodes: 'Keine Rabattcodes',
  noCodesAdvice:
    'Legen Sie hier einen Code an, oder importieren Sie eine Datei mit Rabattcodes, um für diese Veranstaltung Rabatte anzubieten.',
  noCodesFound: 'Keine Rabattcodes gefunden',
  referrals: 'Empfehlungen',
  program: 'Programm',
  referrers: 'Genutzte Codes',
  activeOf: (active, all) => `${number(active)} von ${number(all)}`,
  referralStates: { eligible: 'Berechtigt', redeemed: 'Eingelöst', cancelled: 'Storniert' },
  noReferrals:
    'Diese Veranstaltung hat kein Empfehlungsprogramm. Unter „Bearbeiten“ können Sie eines anlegen.',
  states: {
    change: 'Status ändern',
    title: (event) => `Status von ${event}`,
    current: '(jetzt)',
    names: {
      DRAFT: 'Entwurf',
      UNLISTED: 'Veröffentlicht, nicht gelistet',
      PUBLISHED: 'Veröffentlicht',
      POSTPONED: 'Verschoben',
      CANCELLED: 'Abgesagt',
    },
    help: {
      DRAFT: 'Der Marktplatz zeigt sie nicht. Tickets und Buchungen bleiben, wie sie sind.',
      UNLISTED: 'Wer einen Link hat, kann buchen. Der Marktplatz führt sie nicht in seiner Liste.',
      PUBLISHED: 'Der Marktplatz listet sie, und die Tickets werden zu ihren Zeiten verkauft.',
      POSTPONED:
        'Alle Tickets schließen, und der Marktplatz führt sie nicht. Buchungen bleiben. Das Datum bleibt, bis Sie es ändern.',
      CANCELLED:
        'Alle Tickets schließen, und der Marktplatz führt sie nicht. Buchungen bleiben: Stornieren oder erstatten Sie sie gesondert.',
    },
    actions: {
      DRAFT: 'Zum Entwurf machen',
      UNLISTED: 'Ohne Listung veröffentlichen',
      PUBLISHED: 'Veröffentlichen',
      POSTPONED: 'Verschieben',
      CANCELLED: 'Veranstaltung absagen',
    },
    concerned: (count) =>
      count === 0
        ? 'Noch ist niemand angemeldet.'
        : `Das betrifft ${counted(count, '1 Person', '# Personen')}.`,
  },
};
