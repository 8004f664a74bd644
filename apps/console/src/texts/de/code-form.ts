import type { Texts } from '../en';

export const codeForm: Texts['codeForm'] = {
  create: 'Code anlegen',
  title: 'Neuer Rabattcode',
  codeHelp: 'Was beim Buchen eingegeben wird. Groß- und Kleinschreibung sind gleich.',
  exists: 'Diesen Code gibt es schon.',
  appliesPer: 'Gilt',
  per: { TRANSACTION: 'Einmal je Buchung', ENTRY: 'Für jede Anmeldung' },
  limitUsage: 'Höchstens so oft',
  limitPerBooking: 'Höchstens Anmeldungen je Buchung',
  limitHelp: 'Leer: unbegrenzt.',
  raiseHelp: 'Kann nur erhöht werden. Leer: keine Grenze.',
  endNow: 'Jetzt beenden',
  eventsHelp: 'Leer: alle Veranstaltungen.',
  ticketsHelp: 'Leer: alle Tickets.',
  group: 'Interner Name',
};
