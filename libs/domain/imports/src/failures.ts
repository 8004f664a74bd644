/** A conflict with a concurrent transaction: a retry sees its changes. */
const RETRY = new Set(['23505', '40P01', '40001']);
/** A lock timeout. */
const LOCK_TIMEOUT = '55P03';
/** A statement timeout. */
const SLOW = '57014';
/** The connection was closed: by the server, such as for an operator, or by the network. */
const CONNECTION_CLOSED = /^(08|57P0[15]|25P04)|^E[A-Z]+$/;
/** The database is unavailable or out of a resource; the rows are not the cause. */
const UNAVAILABLE = /^(57P|53(?!200)|58)/;
/** The driver's errors about a lost connection have no code. */
const CONNECTION_LOST =
  /connection (terminated|error)|not queryable|timeout exceeded when trying to connect|query read timeout/i;

/** The reaction to an error in a transaction of an import. */
export type Failure =
  /** Retry the same rows. */
  | 'RETRY'
  /** Retry the same rows, after a lock timeout. */
  | 'LOCK_TIMEOUT'
  /** Retry fewer rows. */
  | 'SLOW'
  /** Retry the job later. */
  | 'UNAVAILABLE'
  /** Retry the job later: the connection was closed, for a reason that does not concern the rows. */
  | 'CONNECTION_CLOSED'
  /**
   * Retry the job later: the connection was lost without a reason. The rows may be the cause: they may have crashed PostgreSQL's
   * process or blocked this one.
   */
  | 'CONNECTION_LOST'
  /** A row caused the error. */
  | 'ROW';

export function failureOf(error: Error & { code?: string }): Failure {
  const { code = '', message } = error;
  if (RETRY.has(code)) return 'RETRY';
  if (code === LOCK_TIMEOUT) return 'LOCK_TIMEOUT';
  if (code === SLOW) return 'SLOW';
  if (code === '25P03' || (!code && CONNECTION_LOST.test(message))) return 'CONNECTION_LOST';
  if (CONNECTION_CLOSED.test(code)) return 'CONNECTION_CLOSED';
  return UNAVAILABLE.test(code) ? 'UNAVAILABLE' : 'ROW';
}
