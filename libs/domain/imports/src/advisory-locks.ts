import { LOCKS } from '#platform/database';

const ofDatabase = 'l.database = (SELECT oid FROM pg_database WHERE datname = current_database())';

/** An SQL condition: whether a process has the job. */
export const isProcessed = (id: string): string => `EXISTS (
      SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = ${LOCKS.jobs}
        AND l.objid = hashtext(${id}::text)::bit(32)::bigint::oid AND l.granted AND ${ofDatabase})`;

/** An SQL condition: whether the process that has the job waits for what another job competes for. */
export const isQueued = (id: string): string => `EXISTS (
      SELECT FROM pg_locks l JOIN pg_locks w ON w.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.classid = ${LOCKS.jobs}
        AND l.objid = hashtext(${id}::text)::bit(32)::bigint::oid AND l.granted AND ${ofDatabase}
        AND w.locktype = 'advisory' AND w.classid = ${LOCKS.competition} AND NOT w.granted)`;
