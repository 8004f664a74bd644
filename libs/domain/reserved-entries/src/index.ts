export { GROUP_FOR_STAFF, GROUPS_FOR_STAFF } from './groups-for-staff.resource';
export { GROUPS_OF_EVENT, GROUPS_OF_OCCURRENCE } from './reserved-entries.resource';
