import type { Texts } from '../en';

export const palette: Texts['palette'] = {
  title: 'Alles durchsuchen',
  open: 'Suchen',
  placeholder: 'Person, Veranstaltung, Wettbewerb, Code, Import oder Seite',
  pages: 'Seiten',
  searching: 'Suche läuft …',
  none: 'Nichts gefunden',
  failed: 'Die Suche ist fehlgeschlagen, es kann etwas fehlen. Versuchen Sie es erneut.',
  command: 'Strg',
  shortcuts: 'Tastenkürzel',
  keys: {
    everything: 'Personen, Veranstaltungen, Wettbewerbe, Codes, Importe und Seiten suchen',
    search: 'Auf dieser Seite suchen',
    move: 'Durch die Treffer gehen',
    choose: 'Treffer öffnen',
    close: 'Schließen',
    help: 'Diese Tastenkürzel zeigen',
  },
};
