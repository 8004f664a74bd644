/** Deletes events older than $1 days, a bounded number at a time: the lists that end at the watermark wait for it. */
export const FORGET_CHANGE_EVENTS = 'SELECT forget_change_events($1)';
