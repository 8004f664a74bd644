export const codeForm = {
  create: 'Create a code',
  title: 'New discount code',
  codeHelp: 'What people enter when they book. Upper and lower case are the same.',
  exists: 'There is a code like this already.',
  appliesPer: 'Applies',
  per: { TRANSACTION: 'Once to a booking', ENTRY: 'To each entry' },
  limitUsage: 'Most uses',
  limitPerBooking: 'Most entries of a booking',
  limitHelp: 'Empty: no limit.',
  eventsHelp: 'Empty: all events.',
  ticketsHelp: 'Empty: all tickets.',
  group: 'Internal name',
};
