/** The numbers of advisory locks. Any numbers; the same in every release. */

/** Slots of organizations. */
export const SLOT_LOCKS = 5_717_253;
/** Jobs: whoever processes a job has its lock. */
export const JOB_LOCKS = 5_717_254;
/** What jobs compete for. */
export const COMPETITION_LOCKS = 5_717_255;

const ofDatabase = 'l.database = (SELECT oid FROM pg_database WHERE datname = current_database())';

/** An SQL condition: whether a process has the job. */
export const isProcessed = (id: string): string => `EXISTS (
      SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${JOB_LOCKS}
        AND l.objid = hashtext(${id}::text)::bit(32)::bigint::oid AND l.granted AND ${ofDatabase})`;

/** An SQL condition: whether the process that has the job waits for what another job competes for. */
export const isQueued = (id: string): string => `EXISTS (
      SELECT FROM pg_locks l JOIN pg_locks w ON w.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.classid = ${JOB_LOCKS}
        AND l.objid = hashtext(${id}::text)::bit(32)::bigint::oid AND l.granted AND ${ofDatabase}
        AND w.locktype = 'advisory' AND w.classid = ${COMPETITION_LOCKS} AND NOT w.granted)`;
