import { counted, rows as countOf, number } from './words';

export const rows = {
  title: 'Failed rows',
  row: 'Row',
  rowName: (row: number) => `${number(row)}`,
  loading: (done: number) => `${countOf(done)} …`,
  all: (count: number) => `All (${number(count)})`,
  byCode: 'Show rows by reason',
  allColumns: 'All columns',
  keys: 'Arrow keys move, Enter edits, Tab saves and goes on to the right, Escape keeps the cell as it was. Paste cells from a spreadsheet.',
  applyToAll: (count: number) => `Apply to all ${countOf(count)} with this value`,
  instead: (before: string, after: string) => `“${after}” instead of “${before}”`,
  changed: (count: number) =>
    counted(count, '1 row is changed and not sent.', '# rows are changed and not sent.'),
  mistaken: (count: number) => counted(count, '1 of them has a mistake.', '# of them have mistakes.'),
  check: (count: number) => counted(count, 'Check this row', 'Check these # rows'),
  checkHelp: 'A dry run: nothing is imported.',
  send: (count: number) => counted(count, 'Send this row again', 'Send these # rows again'),
  sending: 'Sending …',
  sent: (count: number) => counted(count, '1 row was sent.', '# rows were sent.'),
  checking: (done: number, all: number) => `Checking: ${number(done)} of ${number(all)}`,
  checked: (fine: number, failed: number) =>
    failed === 0
      ? counted(fine, 'The row would be imported.', 'All # rows would be imported.')
      : `${counted(fine, '1 row would be imported', '# rows would be imported')}, ${number(failed)} would fail.`,
  gone: 'The content of the rows was removed. Import the file again, with the rows corrected.',
  allCorrected: 'All failed rows are corrected.',
  allSent: 'All failed rows were sent again. Those that fail come back here.',
  insteadOf: (field: string, value: string, count: number) =>
    `${field} instead of “${value}” (${countOf(count)})`,
  choose: 'Choose',
  bibOf: (bib: string) => `Bib ${bib}:`,
  takeFreeBibs: (count: number) => counted(count, 'Take the next free bib', 'Take the next # free bibs'),
  leaveBibsEmpty: 'Leave bibs empty',
  capacityOf: (group: string) => `Capacity of ${group}`,
  capacityUsed: (used: number, all: number, more: number) =>
    `${number(used)} of ${number(all)} places are used. These rows need ${number(more)}.`,
  limitOf: (code: string) => `Limit of ${code}`,
  limitUsed: (used: number, all: number, more: number) =>
    `${number(used)} of ${number(all)} uses are taken. These rows need ${number(more)}.`,
  newWave: (race: string) => `Or create a wave of ${race}`,
  createWave: 'Create wave',
  newTicket: 'Or create a ticket',
  raceOfTicket: 'Race',
  createTicket: 'Create ticket',
  openEditor: 'More about the tickets on the page of the event',
  raiseTo: (capacity: string) => `Raise to ${capacity}`,
  raised: (capacity: string) => `Raised to ${capacity}`,
};
