export const log = {
  title: 'Audit log',
  at: 'Time',
  action: 'Action',
  what: 'What',
  anyAction: 'All actions',
  origin: 'From',
  only: 'Show only these',
  onlyThis: (id: string) => `Only …${id}`,
  none: 'No records match the filters',
  noneAdvice: 'Choose other filters. Changes by staff, keys and operators appear here.',
};
