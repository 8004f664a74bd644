import type { Caller } from '#platform/access';
import { type RunsOn, statement } from '#platform/database';
import { instant } from '#platform/queries';
import { writtenBib } from './written-bib';

/** The most messages that are read: reading more would cost a busy organization too much at each look. */
const MOST_READ = 10_000;
const LONGEST_WAITING = 20;

export const UNIDENTIFIED_URL = '/timing-inbound/v1/unidentified';
export const STATUS_URL = '/timing-inbound/v1/status';

/** Counters of the states of timing messages, by key, and by organization. */
const counter = (state: 'Pending' | 'Waiting' | 'Applied', key: string) =>
  `tally($1, 'timing${state}', coalesce(${key}, $1))`;

const own = (key: string) => `l.source = 'TIMING' AND (${key} IS NULL OR l.api_key_id = ${key})`;

/** The bibs and participants that most rows of `waiting` wait for. */
export const mostAwaited = (waiting: string): string => /* sql */ `
  (SELECT coalesce(json_agg(json_build_object(
      'bibNumber', CASE WHEN waiting_for LIKE 'bib:%' THEN bib END,
      'participantId', CASE WHEN waiting_for NOT LIKE 'bib:%' THEN waiting_for END,
      'messages', messages, 'since', ${instant('since')}) ORDER BY messages DESC, since, waiting_for), '[]')
    FROM (SELECT waiting_for, (array_agg(bib ORDER BY received_at))[1] AS bib, count(*) AS messages,
      min(received_at) AS since FROM ${waiting} GROUP BY 1
      ORDER BY messages DESC, since, waiting_for LIMIT ${LONGEST_WAITING}) counted)`;

/**
 * A `TimingStatus` as JSON, of organization $1: of the key, or of all its timing keys if `key` is null. Counters have the
 * numbers. The rest reads a bounded number of rows by an index: messages are processed in the order of receipt, so if other keys
 * have more than that before the key's first, its age is at most that of the last one read.
 *
 * @param key an SQL expression
 */
export const timingStatusJson = (key: string): string => /* sql */ `(
  WITH next AS MATERIALIZED (
    SELECT l.received_at, ${own(key)} AS own FROM race_day_log l
    WHERE l.organization_id = $1 AND l.applied_at IS NULL ORDER BY l.seq LIMIT ${MOST_READ}
  ), waiting AS MATERIALIZED (
    SELECT l.waiting_for, ${writtenBib('l')} AS bib, l.received_at FROM race_day_log l
    WHERE l.organization_id = $1 AND l.waiting_for IS NOT NULL AND ${own(key)} ORDER BY l.seq LIMIT ${MOST_READ}
  ), counted AS MATERIALIZED (
    SELECT ${counter('Pending', key)} AS pending, ${counter('Waiting', key)} AS waiting, ${counter('Applied', key)} AS applied
  )
  SELECT json_build_object(
    'at', ${instant('clock_timestamp()')},
    'accepted', pending + waiting + applied, 'applied', applied, 'pending', pending,
    'lagSeconds', CASE WHEN pending = 0 THEN 0 ELSE greatest(0, round(extract(epoch FROM clock_timestamp() - (
      SELECT coalesce(min(received_at) FILTER (WHERE own), max(received_at)) FROM next)), 3)) END,
    'waiting', waiting, 'waitingFor', ${mostAwaited('waiting')},
    'unidentifiedUrl', '${UNIDENTIFIED_URL}')
  FROM counted)`;

/** Not prepared: the plan must match the current number of pending messages. */
export const TIMING_STATUS = statement({
  parameters: ['uuid', 'uuid?'],
  columns: { status: 'text' },
  sql: `SELECT ${timingStatusJson('$2::uuid')}::text AS status`,
});

/** The key whose messages a caller may see: a key that is restricted to occurrences sees its own only. */
export const ownKeyOf = ({ keyId, eventOccurrenceIds }: Caller): string | null =>
  eventOccurrenceIds ? keyId : null;

/** @param on connections of the organization */
export const timingStatus = async (on: RunsOn, caller: Caller): Promise<string> =>
  (await TIMING_STATUS.one(on, [caller.organizationId, ownKeyOf(caller)])).status;
