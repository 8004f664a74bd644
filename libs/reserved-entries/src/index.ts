export { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from './reserved-entries.resource';
export { importReservedEntries } from './reserved-entries.import';
export * from './assignment-row.dto';
