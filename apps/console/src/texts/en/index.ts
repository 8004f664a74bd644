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
import { rows } from './rows';
import { shell } from './shell';
import { signIn } from './sign-in';
import { undo } from './undo';
import { upload } from './upload';
import { LOCALE, number } from './words';

export const en = {
  locale: LOCALE,
  number,
  product: 'Startline',
  skipToContent: 'Skip to content',
  loading: 'Loading',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  done: 'Done',
  copy: 'Copy',
  copied: 'Copied',
  total: (count: number) => `${number(count)} in total`,
  zone: (zone: string) => `Time zone: ${zone}`,
  problems,
  signIn,
  shell,

  roles: { OWNER: 'Owner', MANAGER: 'Manager', VIEWER: 'Viewer', RACE_DAY: 'Race day', PARTNER: 'Partner' },
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
    title: 'Leave without saving?',
    text: 'Your changes are not saved. This browser keeps them until you come back to this form.',
    leave: 'Leave',
    stay: 'Stay',
  },

  table: {
    previousPage: 'Previous page',
    nextPage: 'Next page',
    order: 'Order',
    ascending: (by: string) => `${by}, ascending`,
    descending: (by: string) => `${by}, descending`,
  },
};

export type Texts = typeof en;
