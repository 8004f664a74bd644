import { counted } from './words';

export const persons = {
  title: 'A person in all events',
  link: 'Find a person by email',
  all: 'Everything about this person',
  find: 'Find',
  advice:
    'Enter an email address to see the entries of the person in all events, answer an access request, or erase the person.',
  entries: 'Entries',
  noEntries: 'No entry has this address. It can still be known as that of a booker, a credit or a contact.',
  known: 'Everything that is known',
  knownAdvice: 'Answers an access request. Each time is recorded in the audit log, without the address.',
  show: 'Show',
  html: 'Download to read',
  json: 'Download as JSON',
  cut: 'The file was interrupted, so nothing was saved. Start it again.',
  nothing: 'Nothing is stored about this address.',
  moreRows: (count: number) => counted(count, '1 more is in the files.', '# more are in the files.'),
  erase: 'Erase',
  eraseAsk: 'Erase the person …',
  eraseAdvice: 'Removes the person from all data of your organization. You see what is removed first.',
  eraseTitle: (email: string) => `Erase ${email} permanently?`,
  eraseStays: 'The entries stay without the person, and keep their places, tickets and prices.',
  looking: (rows: number) => `Searching all data … ${rows.toLocaleString('en')} rows`,
  failed: 'The work failed. Try again.',
  sure: 'I understand that this can’t be undone',
  erased: 'The person is erased',
  ahead: (count: number) =>
    counted(
      count,
      '1 import row that names the person is not processed yet. Erase again afterwards.',
      '# import rows that name the person are not processed yet. Erase again afterwards.',
    ),
  kept: 'These records still have the address, because people or systems use them. Change them by hand.',
};
