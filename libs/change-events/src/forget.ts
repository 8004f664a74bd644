import { statement } from '#libs/database';
/** Deletes up to $2 events older than $1 days. It returns how many it deleted. */
export const FORGET_CHANGE_EVENTS = statement({
  parameters: ['int', 'int'],
  columns: { deleted: 'int' },
  sql: 'SELECT forget_some_change_events($1, $2) AS deleted',
});
