import type { Texts } from '../en';
import { counted, number } from './words';

export const newEvent: Texts['newEvent'] = {
  title: 'Neue Veranstaltung',
  fromEarlier: 'Aus einer früheren Ausgabe',
  fromEarlierHelp:
    'Alles kommt mit: Wettbewerbe, Startwellen, Tickets, Formulare, Extras und Texte. Alle Termine verschieben sich um die Tage zwischen beiden Ausgaben. Vor dem Anlegen können Sie alles ändern.',
  edition: 'Ausgabe',
  newDate: 'Datum der neuen Ausgabe',
  withGroups: 'Kontingente mitnehmen',
  withCodes: (count) =>
    count === 0
      ? 'Keine Rabattcodes zu kopieren'
      : `${counted(count, '1 Rabattcode', '# Rabattcodes')} kopieren`,
  withCodesHelp: (ending) =>
    `Kopien erhalten die Endung ${ending.length > 1 ? ending : '-27'}, und auch ihre Termine verschieben sich. Sie werden beim Anlegen importiert.`,
  codes: 'Rabattcodes zum Kopieren',
  moreCodes: 'Es gibt weitere. Hier stehen die neuesten; importieren Sie die anderen aus einer Datei.',
  created: 'Die Veranstaltung ist als Entwurf angelegt',
  copyingCodes: 'Die Rabattcodes werden kopiert …',
  codesNotCopied: 'Die Veranstaltung ist angelegt, aber ihre Rabattcodes sind nicht kopiert',
  codesLeft: 'Nicht alle Rabattcodes konnten unverändert kopiert werden',
  codesNotMade: (codes) => `Nicht kopiert, weil ihre Tickets nicht Teil der neuen Ausgabe sind: ${codes}`,
  codesForFewer: (codes) => `Kopiert, aber ohne Tickets, die nicht Teil der neuen Ausgabe sind: ${codes}`,
  showEvent: 'Veranstaltung zeigen',
  showCodes: 'Import der Codes zeigen',
  takeOver: 'Weiter',
  fromNothing: 'Ganz neu',
  example: 'Hafenlauf 2027',
  begin: 'Beginnen',
  fromFile: 'Aus einer Datei',
  fromFileHelp:
    'Ein Rennkalender (CSV oder Excel) oder eine Katalogdatei (JSON), auch mit vielen Veranstaltungen.',
  chooseFile: 'Datei hochladen',
};

export const uploadEvents: Texts['uploadEvents'] = {
  title: 'Veranstaltungen hochladen',
  choose: 'Wählen Sie einen Rennkalender oder eine Katalogdatei',
  chooseHelp:
    'CSV, Excel oder JSON, bis 3 MB. Nichts wird geschrieben, bevor Sie gesehen haben, was sich ändert.',
  chooseFile: 'Datei wählen',
  another: 'Andere Datei wählen',
  read: (name, count) => `${name}: ${counted(count, '1 Datensatz', '# Datensätze')}`,
  tooLarge: 'Die Datei ist größer als 3 MB.',
  unreadable: 'Die Datei kann nicht geladen werden',
  record: 'Datensatz',
  value: 'Wert',
  values: {
    published: 'Veröffentlicht',
    discoverable: 'Im Marktplatz gelistet',
    status: 'Status',
    event: 'Veranstaltungsreihe',
    'price.currencyCode': 'Währung',
    'location.address.countryName': 'Name des Landes',
  },
  before: 'Bisher',
  after: 'Neu',
  kinds: {
    bookingFormField: 'Frage',
    bookingForm: 'Formular',
    event: 'Veranstaltungsreihe',
    partner: 'Partner',
    occurrence: 'Veranstaltung',
  },
  outcomes: { CREATED: 'Neu', CHANGED: 'Ändert sich', UNCHANGED: 'Bleibt' },
  preview: 'Was die Datei ändert',
  written: 'Geladen',
  counts: (created, changed, unchanged) =>
    `${number(created)} neu, ${number(changed)} geändert, ${number(unchanged)} unverändert.`,
  more: (count) => `${number(count)} weitere`,
  files: 'Dateien',
  accepted: [
    'Rennkalender (CSV oder Excel): eine Zeile je Wettbewerb, Ticket oder Startwelle, mit den Spalten Veranstaltung, Wettbewerb und Datum. Weitere Spalten sind Startzeit, Disziplin, Distanz, Einheit, Startplätze, Ort, PLZ, Land, Zeitzone, Ticket, Preis, Währung, Verkaufsbeginn, Verkaufsende, Welle, Startzeit Welle und Wellengröße. Deutsche, englische, französische und spanische Namen sind bekannt.',
    'Katalogdatei (JSON oder JSON Lines): alles, was eine Veranstaltung haben kann, wie Startline es exportiert.',
    'Eine Liste von Teilnehmenden wird hier nicht gelesen: Importieren Sie sie unter „Importe“.',
  ],
  waveDay: 'Wann starten Wellen, die vor ihrem Wettbewerb sind?',
  waveDays: { next: 'Am nächsten Tag', same: 'Am Tag des Wettbewerbs' },
  moved: (day) => `Die vom ${day}, die verlegt ist`,
  notMoved: 'Eine neue',
  drafts: (count) =>
    counted(
      count,
      '1 neue Veranstaltung ist ein Entwurf: Nur Mitarbeitende sehen sie.',
      '# neue Veranstaltungen sind Entwürfe: Nur Mitarbeitende sehen sie.',
    ),
  publish: (count) => counted(count, '1 Veranstaltung veröffentlichen', '# Veranstaltungen veröffentlichen'),
  published: (count) =>
    counted(count, '1 Veranstaltung ist veröffentlicht.', '# Veranstaltungen sind veröffentlicht.'),
  repeated: 'Diese Datensätze stehen zweimal in der Datei: Berichtigen Sie sie, und wählen Sie sie erneut',
  trying: 'Es wird geprüft, was die Datei ändert …',
  notLoaded: 'Nicht geladen',
  changedMeanwhile: 'Jemand anderes hat es geändert, nachdem Sie diese Vorschau gesehen haben.',
  partly: (written, total) =>
    `${number(written)} von ${counted(total, '1 Datensatz', '# Datensätzen')} sind geladen, wie unter „Geladen“ aufgeführt. Die anderen nicht.`,
  goOn: 'Den Rest prüfen und weitermachen',
  loadRest: 'Den Rest laden',
  corrected: 'Berichtigte Zeilen',
  problems: (count) => counted(count, '1 Zeile ist nicht lesbar', '# Zeilen sind nicht lesbar'),
  problemsHelp:
    'Sie werden ausgelassen, und die anderen Zeilen können geladen werden. Berichtigen Sie sie hier oder in der Datei.',
  warnings: 'Annahmen',
  load: 'Laden',
  toEvents: 'Veranstaltungen zeigen',
};

const entries = (count: number) => counted(count, '1 Anmeldung', '# Anmeldungen');

export const chart: Texts['chart'] = {
  range: 'Zeitraum',
  ranges: (days) => (days === 0 ? 'Alle Tage' : days === 365 ? 'Letztes Jahr' : `Letzte ${days} Tage`),
  cumulative: 'Fortlaufende Summe',
  source: 'Herkunft',
  all: 'Jede Herkunft',
  entries: 'Anmeldungen',
  sources: { website: 'Website', api: 'API', dashboard: 'Mitarbeitende' },
  values: (day, count, cumulative) =>
    cumulative ? `${entries(count)} bis ${day}` : `${day}: ${entries(count)}`,
  before: (edition, count) => `${edition}, ebenso lange vorher: ${count}`,
  previous: (edition) => `${edition}, ebenso viele Tage vor der Veranstaltung`,
  table: 'Als Tabelle zeigen',
};
