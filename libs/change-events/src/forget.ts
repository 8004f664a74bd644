/** Deletes events older than $1 days, in batches, because lists by `updatedAt` wait for each transaction. */
export const FORGET_CHANGE_EVENTS = 'SELECT forget_change_events($1)';
