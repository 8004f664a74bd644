import { type RunsOn, statement } from '#platform/database';
import { instant } from '#platform/queries';
import { mostAwaited, timingStatusJson } from './timing-status';
import { writtenBib } from './written-bib';

/** How far back messages are counted. */
const MINUTES = 5;
/** The most messages that are counted: reading more would cost a busy organization too much at each look. */
const MOST_COUNTED = 20_000;
const MOST_WAITING = 10_000;
const LATEST = 50;

/**
 * The live feed of an organization, as JSON text. Each part reads a bounded number of rows by an index. A participant's
 * custom fields and tracking numbers are left out.
 */
const FEED = statement({
  parameters: ['uuid'],
  columns: { feed: 'text' },
  sql: `
  WITH recent AS MATERIALIZED (
    SELECT * FROM (
      SELECT l.received_at FROM race_day_log l WHERE l.organization_id = $1 ORDER BY l.seq DESC LIMIT ${MOST_COUNTED}
    ) newest
    WHERE received_at > clock_timestamp() - interval '${MINUTES} minutes'
  ), waiting AS MATERIALIZED (
    SELECT l.waiting_for, ${writtenBib('l')} AS bib, l.received_at FROM race_day_log l
    WHERE l.organization_id = $1 AND l.waiting_for IS NOT NULL LIMIT ${MOST_WAITING}
  ), pending AS MATERIALIZED (
    SELECT FROM race_day_log l WHERE l.organization_id = $1 AND l.applied_at IS NULL LIMIT ${MOST_WAITING}
  ), latest AS MATERIALIZED (
    SELECT l.* FROM race_day_log l WHERE l.organization_id = $1 ORDER BY l.seq DESC LIMIT ${LATEST}
  )
  SELECT json_build_object(
    'at', ${instant('clock_timestamp()')},
    'countedSince', (SELECT ${instant(`CASE WHEN count(*) < ${MOST_COUNTED}
      THEN clock_timestamp() - interval '${MINUTES} minutes' ELSE min(received_at) END`)} FROM recent),
    'perSecond', (SELECT coalesce(json_agg(json_build_object('second', ${instant('second')}, 'messages', messages)
        ORDER BY second), '[]')
      FROM (SELECT date_trunc('second', received_at) AS second, count(*) AS messages FROM recent GROUP BY 1) counted),
    'pending', (SELECT count(*) FROM pending),
    'waiting', json_build_object(
      'forBibs', (SELECT count(*) FROM waiting WHERE waiting_for LIKE 'bib:%'),
      'forParticipants', (SELECT count(*) FROM waiting WHERE waiting_for NOT LIKE 'bib:%'),
      'most', ${mostAwaited('waiting')}),
    'timing', ${timingStatusJson('NULL::uuid')},
    'latest', (SELECT coalesce(json_agg(json_build_object(
        'id', l.seq::text, 'source', l.source, 'receivedAt', ${instant('l.received_at')},
        'changedAt', ${instant('l.changed_at')}, 'participantId', l.participant_id, 'bibNumber', ${writtenBib('l')},
        'setsBib', l.sets_bib, 'shippingStatus', l.shipping_status, 'hasFields', l.custom_fields IS NOT NULL,
        'state', CASE WHEN l.applied_at IS NULL THEN 'PENDING' WHEN l.waiting_for IS NOT NULL THEN 'WAITING' ELSE 'APPLIED' END)
        ORDER BY l.seq DESC), '[]')
      FROM latest l))::text AS feed
  `,
  prepared: true,
});

/** @param on connections of the organization */
export const raceDayFeed = async (on: RunsOn, organizationId: string): Promise<string> =>
  (await FEED.one(on, [organizationId])).feed;
