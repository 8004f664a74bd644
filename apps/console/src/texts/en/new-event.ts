import { counted, number } from './words';

export const newEvent = {
  title: 'New event',
  fromEarlier: 'From an earlier edition',
  fromEarlierHelp:
    'Everything comes along: races, waves, tickets, forms, add-ons and texts. All dates move by the days between both editions. You can change it before it is created.',
  edition: 'Edition',
  newDate: 'Date of the new edition',
  withGroups: 'Take reserved groups along',
  withCodes: (count: number) =>
    count === 0
      ? 'No discount codes to copy'
      : `Copy ${counted(count, '1 discount code', '# discount codes')}`,
  withCodesHelp: (ending: string) =>
    `Copies get the ending ${ending.length > 1 ? ending : '-27'}, and their dates move too. They are imported when the event is created.`,
  codes: 'Discount codes to copy',
  moreCodes: 'There are more. The newest are listed here; import the others from a file.',
  created: 'The event is created as a draft',
  copyingCodes: 'The discount codes are being copied …',
  codesNotCopied: 'The event is created, but its discount codes are not copied',
  codesLeft: 'Not all discount codes could be copied as they were',
  codesNotMade: (codes: string) =>
    `Not copied, because their tickets are not part of the new edition: ${codes}`,
  codesForFewer: (codes: string) =>
    `Copied, but without tickets that are not part of the new edition: ${codes}`,
  showEvent: 'Show the event',
  showCodes: 'Show the import of the codes',
  takeOver: 'Continue',
  fromNothing: 'From nothing',
  example: 'Harbour Run 2027',
  begin: 'Begin',
  fromFile: 'From a file',
  fromFileHelp: 'A race calendar (CSV or Excel) or a catalogue file (JSON), with many events at once.',
  chooseFile: 'Upload a file',
};

export const uploadEvents = {
  title: 'Upload events',
  choose: 'Choose a race calendar or a catalogue file',
  chooseHelp: 'CSV, Excel or JSON, up to 3 MB. Nothing is written before you have seen what it changes.',
  chooseFile: 'Choose a file',
  another: 'Choose another file',
  read: (name: string, count: number) => `${name}: ${counted(count, '1 record', '# records')}`,
  tooLarge: 'The file is larger than 3 MB.',
  unreadable: 'The file cannot be loaded',
  record: 'Record',
  value: 'Value',
  values: {
    published: 'Published',
    discoverable: 'Listed in the marketplace',
    status: 'Status',
    event: 'Event series',
    'price.currencyCode': 'Currency',
    'location.address.countryName': 'Name of the country',
  } as Partial<Record<string, string>>,
  before: 'Until now',
  after: 'New',
  kinds: {
    bookingFormField: 'Question',
    bookingForm: 'Form',
    event: 'Event series',
    partner: 'Partner',
    occurrence: 'Event',
  },
  outcomes: { CREATED: 'New', CHANGED: 'Changes', UNCHANGED: 'Stays' },
  preview: 'What the file changes',
  written: 'Loaded',
  counts: (created: number, changed: number, unchanged: number) =>
    `${number(created)} new, ${number(changed)} changed, ${number(unchanged)} unchanged.`,
  more: (count: number) => `${number(count)} more`,
  files: 'Files',
  accepted: [
    'Race calendar (CSV or Excel): one row for each race, ticket or wave, with the columns Event, Race and Date. Further columns are Start time, Discipline, Distance, Unit, Places, City, Postcode, Country, Time zone, Ticket, Price, Currency, Sale start, Sale end, Wave, Wave start and Wave capacity. English, German, French and Spanish names are known.',
    'Catalogue file (JSON or JSON Lines): all that an event can have, as Startline exports it.',
    'A list of participants is not read here: import it under Imports.',
  ],
  waveDay: 'When do waves start that are before their race?',
  waveDays: { next: 'The next day', same: 'The day of the race' },
  moved: (day: string) => `The one of ${day}, which moved`,
  notMoved: 'A new one',
  drafts: (count: number) =>
    counted(
      count,
      '1 new event is a draft: only staff see it.',
      '# new events are drafts: only staff see them.',
    ),
  publish: (count: number) => counted(count, 'Publish 1 event', 'Publish # events'),
  published: (count: number) => counted(count, '1 event is published.', '# events are published.'),
  repeated: 'The file has these records twice: correct it, and choose it again',
  trying: 'Checking what the file changes …',
  notLoaded: 'Not loaded',
  changedMeanwhile: 'Someone else changed it after you saw this preview.',
  partly: (written: number, total: number) =>
    `${number(written)} of ${counted(total, '1 record', '# records')} are loaded, as listed under “Loaded”. The others are not.`,
  goOn: 'Check the rest and go on',
  loadRest: 'Load the rest',
  corrected: 'Corrected rows',
  problems: (count: number) => counted(count, '1 row cannot be read', '# rows cannot be read'),
  problemsHelp: 'They are left out, and the other rows can be loaded. Correct them here, or in the file.',
  warnings: 'Assumptions',
  load: 'Load',
  toEvents: 'Show events',
};

const entries = (count: number) => counted(count, '1 entry', '# entries');

export const chart = {
  range: 'Range',
  ranges: (days: number) => (days === 0 ? 'All days' : days === 365 ? 'Last year' : `Last ${days} days`),
  cumulative: 'Running total',
  source: 'Source',
  all: 'All sources',
  entries: 'Entries',
  sources: { website: 'Website', api: 'API', dashboard: 'Staff' },
  values: (day: string, count: number, cumulative: boolean) =>
    cumulative ? `${entries(count)} by ${day}` : `${day}: ${entries(count)}`,
  before: (edition: string, count: string) => `${edition}, as long before: ${count}`,
  previous: (edition: string) => `${edition}, as many days before the race`,
  table: 'Show as a table',
};
