export { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from './reserved-entries.resource';
