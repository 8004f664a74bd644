import type { Texts } from '../en';
import { account } from './account';
import { applications } from './applications';
import { bibs } from './bibs';
import { codeForm } from './code-form';
import { codes, remedies } from './codes';
import { desk } from './desk';
import { developers } from './developers';
import { eventForm } from './event-form';
import { events } from './events';
import { history } from './history';
import { home } from './home';
import { imports } from './imports';
import { log } from './log';
import { chart, newEvent, uploadEvents } from './new-event';
import { participants } from './participants';
import { partner } from './partner';
import { partners } from './partners';
import { people } from './people';
import { persons } from './persons';
import { problems } from './problems';
import { roles } from './roles';
import { rows } from './rows';
import { shell } from './shell';
import { signIn } from './sign-in';
import { undo } from './undo';
import { upload } from './upload';
import { LOCALE, number } from './words';

export const de: Texts = {
  locale: LOCALE,
  number,
  product: 'Startline',
  skipToContent: 'Zum Inhalt springen',
  loading: 'Wird geladen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  done: 'Fertig',
  copy: 'Kopieren',
  copied: 'Kopiert',
  total: (count) => `${number(count)} insgesamt`,
  zone: (zone) => `Zeitzone: ${zone}`,
  problems,
  signIn,
  shell,
  roles,
  account,
  home,
  imports,
  rows,
  codeForm,
  codes,
  remedies,
  upload,
  participants,
  persons,
  applications,
  partners,
  undo,
  desk,
  bibs,
  events,
  eventForm,
  newEvent,
  uploadEvents,
  chart,
  developers,
  people,
  partner,
  log,
  history,
  leaving: {
    title: 'Ohne Speichern verlassen?',
    text: 'Ihre Änderungen sind nicht gespeichert. Dieser Browser behält sie, bis Sie zu diesem Formular zurückkehren.',
    leave: 'Verlassen',
    stay: 'Bleiben',
  },

  table: {
    previousPage: 'Vorherige Seite',
    nextPage: 'Nächste Seite',
    order: 'Reihenfolge',
    ascending: (by) => `${by}, aufsteigend`,
    descending: (by) => `${by}, absteigend`,
  },
};
