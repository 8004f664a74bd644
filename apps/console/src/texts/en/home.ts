import { counted, number } from './words';

interface Item {
  title: string;
  count: number;
  total: number;
}

export const home = {
  title: 'Home',
  attention: 'Needs a hand',
  nothing: 'Nothing right now.',
  kinds: {
    IMPORT_FAILURES: ({ title, count, total }: Item) =>
      `${title}: ${counted(count, '1 row', '# rows')} of ${number(total)} failed`,
    IMPORT_WARNINGS: ({ title, count }: Item) =>
      `${title}: ${counted(count, '1 imported row has warnings', '# imported rows have warnings')}`,
    IMPORT_WAITING: ({ title, count }: Item) =>
      `${title}: has waited for ${counted(count, '1 minute', '# minutes')}`,
    ENDPOINT_FAILING: ({ title, count }: Item) =>
      `${title}: ${counted(count, '1 delivery', '# deliveries')} in a row failed`,
    ENDPOINT_DISABLED: ({ title }: Item) => `${title}: disabled, because its deliveries failed`,
    RACE_NEARLY_FULL: ({ title, count, total }: Item) =>
      `${title}: ${number(count)} of ${number(total)} places are taken`,
    RACE_OVERBOOKED: ({ title, count, total }: Item) =>
      `${title}: overbooked, ${number(count)} for ${number(total)} places`,
    APPLICATIONS: ({ title, count }: Item) =>
      `${title}: ${counted(count, '1 application waits', '# applications wait')} for a decision`,
    UNIDENTIFIED_MESSAGES: ({ count }: Item) =>
      `${counted(count, '1 timing message names', '# timing messages name')} nobody yet`,
    FEED_LAG: ({ count }: Item) => `Race-day messages are ${number(count)} s behind`,
  },
  entries: 'Entries of the last 30 days',
  events: 'Next events',
  stepsDone: (done: number, all: number) => `First steps: ${done} of ${all} done`,
  steps: {
    event: { title: 'Create an event', help: 'By hand, from a race calendar, or from a catalogue file.' },
    people: { title: 'Import people', help: 'From a spreadsheet, or as your shop sends them.' },
    key: { title: 'Create a key', help: 'For the programs that read or send bookings.' },
  },
  done: 'Done',
  noEvents: 'There is no event to come.',
};
