import type { Texts } from '../en';

export const log: Texts['log'] = {
  title: 'Protokoll',
  at: 'Zeitpunkt',
  action: 'Aktion',
  what: 'Was',
  anyAction: 'Alle Aktionen',
  origin: 'Herkunft',
  only: 'Nur diese anzeigen',
  onlyThis: (id) => `Nur …${id}`,
  none: 'Keine Einträge passen zu den Filtern',
  noneAdvice: 'Wählen Sie andere Filter. Änderungen durch Team, Schlüssel und Betrieb erscheinen hier.',
};
