import { statement } from '#libs/database';
/** Deletes up to $2 events older than $1 days, and returns how many. */
export const FORGET_CHANGE_EVENTS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_some_change_events($1, $2) AS deleted',
});
