/** A conflict with a concurrent transaction: a retry sees its changes. */
const AGAIN = new Set(['23505', '40P01', '40001']);
/** A lock timeout. */
const LOCKED = '55P03';
/** A statement timeout. */
const SLOW = '57014';
/** The connection was closed: by the server, such as for an operator, or by the network. */
const CUT = /^(08|57P0[15]|25P04)|^E[A-Z]+$/;
/** The database is unavailable or out of a resource; the rows are not the cause. */
const AWAY = /^(57P|53(?!200)|58)/;
/** The driver's errors about a lost connection have no code. */
const LOST =
  /connection (terminated|error)|not queryable|timeout exceeded when trying to connect|query read timeout/i;

/** The reaction to an error in a transaction of an import. */
export type Failure =
  /** Retry the same rows. */
  | 'AGAIN'
  /** Retry the same rows, after a lock timeout. */
  | 'LOCKED'
  /** Retry fewer rows. */
  | 'SLOW'
  /** Retry the job later. */
  | 'AWAY'
  /** Retry the job later: the connection was closed, for a reason that does not concern the rows. */
  | 'CUT'
  /**
   * Retry the job later: the connection was lost without a reason. The rows may be the cause: they may have crashed PostgreSQL's
   * process or blocked this one.
   */
  | 'LOST'
  /** A row caused the error. */
  | 'ROW';

export function failureOf(error: Error & { code?: string }): Failure {
  const { code = '', message } = error;
  if (AGAIN.has(code)) return 'AGAIN';
  if (code === LOCKED) return 'LOCKED';
  if (code === SLOW) return 'SLOW';
  if (code === '25P03' || (!code && LOST.test(message))) return 'LOST';
  if (CUT.test(code)) return 'CUT';
  return AWAY.test(code) ? 'AWAY' : 'ROW';
}
