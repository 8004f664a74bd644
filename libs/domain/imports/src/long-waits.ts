import { statement } from '#platform/database';
import { WAITING_FOR } from './import-resources';

const LONG_WAIT_MINUTES = 10;
const MOST = 100;

/** Jobs of an organization that wait unusually long are announced, each once: a trigger writes the event. */
export const ANNOUNCE_WAITING = statement({
  parameters: ['uuid'],
  sql: `
    UPDATE import_jobs SET waiting_since = clock_timestamp()
    WHERE organization_id = $1 AND id IN (
      SELECT t.id FROM import_jobs t
      WHERE t.organization_id = $1 AND t.status IN ('QUEUED', 'RUNNING') AND t.waiting_since IS NULL AND NOT t.dry_run
        AND t.created_at < statement_timestamp() - interval '${LONG_WAIT_MINUTES} minutes' AND ${WAITING_FOR} IS NOT NULL
      ORDER BY t.created_at LIMIT ${MOST} FOR NO KEY UPDATE SKIP LOCKED)
  `,
});
