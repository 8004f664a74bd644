export * from './assignment-row.dto';
export { importReservedEntries } from './reserved-entries.import';
export { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from './reserved-entries.resource';
