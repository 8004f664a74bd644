/** Another transaction came first: the same rows again see what it did. */
const AGAIN = new Set(['23505', '40P01', '40001']);
/** A lock that another transaction held for too long. */
const LOCKED = '55P03';
/** A statement that took too long. */
const SLOW = '57014';
/** The database went away, or is short of something: the rows are not the cause. */
const AWAY = /^(08|57P|53(?!200)|58|25P0[34])|^E[A-Z]+$/;
/** The driver's errors about a lost connection have no code. */
const LOST = /connection (terminated|error)|not queryable|timeout exceeded when trying to connect/i;

/** What to do after an error in a transaction of an import. */
export type Failure =
  /** Try the same rows again. */
  | 'AGAIN'
  /** The same; the wait is over for now. */
  | 'LOCKED'
  /** Try fewer rows. */
  | 'SLOW'
  /** Try the job later. */
  | 'AWAY'
  /** The same; but the rows may have ended PostgreSQL's process, or kept ours from answering it. */
  | 'LOST'
  /** A row is at fault. */
  | 'ROW';

export function failureOf(error: Error & { code?: string }): Failure {
  const { code = '', message } = error;
  if (AGAIN.has(code)) return 'AGAIN';
  if (code === LOCKED) return 'LOCKED';
  if (code === SLOW) return 'SLOW';
  if (code === '25P03' || (!code && LOST.test(message))) return 'LOST';
  return AWAY.test(code) ? 'AWAY' : 'ROW';
}
