import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { lockRaceDay } from './apply';
import { NEWEST_MESSAGES } from './projection';

/**
 * Continues through the log of the organization in the order of receipt, up to the first message that is pending or not
 * old enough. Deletes messages that claim no bib and have no value that is still shown. Fields are stored separately.
 */
const FOLD = statement({
  parameters: ['uuid', 'int', 'bigint'],
  columns: { passed: 'int' },
  sql: `
    WITH passed AS MATERIALIZED (
      SELECT l.organization_id, l.seq, l.participant_id, l.applied_at IS NULL OR l.applied_at >= clock_timestamp() - make_interval(days => $2) AS young,
        l.waiting_for IS NULL AND NOT l.sets_bib AS may_go
      FROM race_day_log l
      WHERE l.organization_id = $1
        AND l.seq > coalesce((SELECT f.seq FROM race_day_folds f WHERE f.organization_id = $1), 0)
      ORDER BY l.seq LIMIT $3
    ), due AS MATERIALIZED (
      SELECT * FROM passed WHERE seq < coalesce((SELECT min(seq) FROM passed WHERE young), 9223372036854775807)
    ), participants AS MATERIALIZED (
      SELECT DISTINCT $1::uuid AS organization_id, participant_id FROM due WHERE may_go
    ), shown AS MATERIALIZED (
      SELECT unnest(ARRAY[said.status_seq, said.carrier_seq, said.number_seq, said.url_seq]) AS seq
      FROM participants e CROSS JOIN LATERAL (
        SELECT
          (array_agg(l.seq ORDER BY l.changed_at DESC, l.seq DESC) FILTER (WHERE l.shipping_status IS NOT NULL))[1] AS status_seq,
          (array_agg(l.seq ORDER BY l.changed_at DESC, l.seq DESC) FILTER (WHERE l.shipping_carrier IS NOT NULL))[1] AS carrier_seq,
          (array_agg(l.seq ORDER BY l.changed_at DESC, l.seq DESC) FILTER (WHERE l.tracking_number IS NOT NULL))[1] AS number_seq,
          (array_agg(l.seq ORDER BY l.changed_at DESC, l.seq DESC) FILTER (WHERE l.tracking_url IS NOT NULL))[1] AS url_seq
        ${NEWEST_MESSAGES}
      ) said
    ), gone AS (
      DELETE FROM race_day_log l USING due
      WHERE l.organization_id = due.organization_id AND l.seq = due.seq AND due.may_go
        AND l.seq NOT IN (SELECT seq FROM shown WHERE seq IS NOT NULL)
      RETURNING l.participant_id
    ), counted AS (
      INSERT INTO race_day_folded AS f (organization_id, participant_id, messages)
      SELECT $1, participant_id, count(*) FROM gone GROUP BY participant_id
      ON CONFLICT (organization_id, participant_id) DO UPDATE SET messages = f.messages + excluded.messages
    ), moved AS (
      INSERT INTO race_day_folds (organization_id, seq)
      SELECT $1, max(seq) FROM due HAVING count(*) > 0
      ON CONFLICT (organization_id) DO UPDATE SET seq = excluded.seq
    )
    SELECT count(*)::int AS passed FROM due
  `,
});

/**
 * Deletes and counts superseded messages that are older than `days`, in a bounded step. Bib claims stay.
 *
 * @param most the most messages to read
 * @returns the number of messages that were read
 */
export async function foldLog(
  manager: EntityManager,
  organizationId: string,
  days: number,
  most: number,
): Promise<number> {
  await lockRaceDay(manager, organizationId);
  const { passed } = await FOLD.one(manager, [organizationId, days, most]);
  return passed;
}
