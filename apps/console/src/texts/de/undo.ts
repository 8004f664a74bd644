import type { Texts } from '../en';
import { counted } from './words';

export const undo: Texts['undo'] = {
  action: 'Import rückgängig machen',
  title: 'Diesen Import rückgängig machen?',
  counting: 'Es wird geprüft, was dieser Import angelegt hat …',
  canBeUndone: 'Kann rückgängig gemacht werden',
  canBeUndoneHelp:
    'Buchungen und Kontingentplätze werden mit allen Anmeldungen storniert, andere Datensätze gelöscht.',
  changedSince: 'Seither geändert',
  changedSinceHelp:
    'Diese wurden seit dem Import von anderen geändert. Sie bleiben bestehen, sofern Sie sie nicht einbeziehen.',
  cannotBeUndone: 'Kann nicht rückgängig gemacht werden',
  cannotBeUndoneHelp: 'Diese bleiben, wie sie sind.',
  reasons: {
    LINE_ITEMS: 'Buchungspositionen aus einem anderen Import',
    ADD_ONS: 'Zusatzleistungen aus einem anderen Import',
    RACE_DAY: 'Änderungen zum Renntag',
    DECISION: 'Entscheidung über eine Bewerbung',
    REDACTED: 'anonymisiert',
    TRANSFERRED: 'einer anderen Person gegeben',
    MOVED: 'in ein anderes Ticket verschoben',
    REPLACED: 'von einem anderen Auftrag geändert',
    ALREADY_CANCELLED: 'bereits storniert',
    CORRECTED: 'von diesem Import korrigiert, nicht angelegt',
    SPENT: 'eingelöst',
    USED: 'verwendet',
    DELETED: 'gelöscht',
  },
  examples: 'Beispiele',
  includeChanged: (count) =>
    `Auch ${counted(count, '1 seither geänderten Datensatz', '# seither geänderte Datensätze')} stornieren`,
  effect:
    'Plätze, Startnummern, Einlösungen von Rabattcodes und externe IDs werden wieder frei. Es wird kein Geld erstattet.',
  submit: (count) => `${counted(count, '1 Datensatz', '# Datensätze')} stornieren`,
  nothing: 'Es gibt nichts zu stornieren.',
  isUndo: 'Dieser Auftrag macht einen Import rückgängig: Er storniert, was der Import angelegt hat.',
  jobTitle: 'Import rückgängig machen',
  cancel: 'Anhalten',
  cancelKeep: 'Fortfahren',
  cancelText: 'Was bereits storniert ist, bleibt storniert. Das Übrige bleibt bestehen.',
  retryText: (count) => `${counted(count, '1 Datensatz wird', '# Datensätze werden')} erneut versucht.`,
  undone: 'Dieser Import wird oder wurde rückgängig gemacht.',
  followUndo: 'Auftrag ansehen',
  showImport: 'Import ansehen',
  keep: 'Alles behalten',
  counts: { succeeded: 'Storniert', already: 'Bereits storniert', failed: 'Nicht storniert' },
};
