import type { EntityManager } from 'typeorm';
import { type RACE_DAY_SOURCES, type Row, statement, typed } from '#platform/database';
import { instant } from '#platform/queries';
import { writtenBib } from './written-bib';

/** Counting all would take as long as there are messages. */
const MOST_COUNTED = 10_000;

/** Searches one organization after the other, because every index begins with it. */
const FIND = statement({
  parameters: ['uuid'],
  columns: {
    organizationId: 'uuid',
    participantId: 'uuid',
    /** `null` if the participant does not exist and messages wait for it. */
    entry: typed<{
      race: string;
      bibNumber: string | null;
      bibClaim: string | null;
      cancelled: boolean;
      approvalStatus: string;
      /** The holder of the bib that this participant claims without success. */
      holder: { participantId: string; since: string } | null;
    } | null>('json?'),
    /** The number of superseded messages that were deleted after RACE_DAY_LOG_DAYS. */
    foldedMessages: 'int',
    /** The number of messages in the log, or `MOST_COUNTED` if there are more. */
    messageCount: 'int',
  },
  sql: `
    SELECT o.id AS "organizationId", coalesce(e.participant_id, $1) AS "participantId",
      CASE WHEN e.id IS NOT NULL THEN json_build_object(
        'race', (SELECT r.title FROM races r WHERE r.organization_id = o.id AND r.id = e.race_id),
        'bibNumber', CASE WHEN e.bib_number IS NOT NULL THEN ${writtenBib('e')} END,
        'bibClaim', coalesce(e.bib_written, e.bib_claim), 'cancelled', e.cancelled_at IS NOT NULL,
        'approvalStatus', e.approval_status,
        'holder', (SELECT json_build_object('participantId', h.participant_id, 'since', ${instant('h.bib_changed_at')})
          FROM start_list_entries h WHERE h.organization_id = o.id AND h.race_id = e.race_id AND h.bib_number = e.bib_claim
            AND h.id <> e.id)) END AS entry,
      coalesce((SELECT f.messages FROM race_day_folded f WHERE f.organization_id = o.id
        AND f.participant_id = coalesce(e.participant_id, $1)), 0)::int AS "foldedMessages",
      (SELECT count(*) FROM (SELECT FROM race_day_log l WHERE l.organization_id = o.id
        AND l.participant_id = coalesce(e.participant_id, $1) LIMIT ${MOST_COUNTED}) counted)::int AS "messageCount"
    FROM organizations o
    LEFT JOIN LATERAL (
      (SELECT * FROM start_list_entries WHERE organization_id = o.id AND participant_id = $1)
      UNION ALL
      (SELECT * FROM start_list_entries WHERE organization_id = o.id AND id = $1)
    ) e ON true
    WHERE e.id IS NOT NULL
      OR EXISTS (SELECT FROM race_day_log l WHERE l.organization_id = o.id AND l.participant_id = $1)
    ORDER BY e.id IS NULL
    LIMIT 1
  `,
});

/** What the log says about a participant, without its messages. */
export type RaceDayState = Row<typeof FIND>;

/** The properties of a message, of rows of `race_day_log` aliased `t`. */
export const RACE_DAY_MESSAGE = /* sql */ `
  t.seq::text AS seq, t.source, ${instant('t.received_at')} AS "receivedAt", ${instant('t.changed_at')} AS "changedAt",
  CASE WHEN t.named_by_bib THEN ${writtenBib('t')} END AS "sentToBib", t.sets_bib AS "setsBib",
  CASE WHEN t.sets_bib THEN ${writtenBib('t')} END AS "bibNumber", t.shipping_status AS status,
  ${instant('t.shipped_at')} AS "shippedAt", t.shipping_carrier AS carrier, t.tracking_number AS "trackingNumber",
  t.tracking_url AS "trackingUrl", t.custom_fields AS "customFields",
  CASE WHEN t.applied_at IS NULL THEN 'PENDING' WHEN t.waiting_for IS NOT NULL THEN 'WAITING' ELSE 'APPLIED' END AS state`;

const MESSAGES = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    seq: 'text',
    source: typed<(typeof RACE_DAY_SOURCES)[number]>('text'),
    receivedAt: 'text',
    changedAt: 'text',
    /** The bib of the message, if it has no participant. */
    sentToBib: 'text?',
    setsBib: 'boolean',
    bibNumber: 'text?',
    status: 'text?',
    shippedAt: 'text?',
    carrier: 'text?',
    trackingNumber: 'text?',
    trackingUrl: 'text?',
    customFields: typed<{ id: string; value: unknown }[] | null>('jsonb?'),
    state: typed<'APPLIED' | 'PENDING' | 'WAITING'>('text'),
  },
  sql: `
    SELECT ${RACE_DAY_MESSAGE}
    FROM race_day_log t WHERE t.organization_id = $1 AND t.participant_id = $2
    ORDER BY t.changed_at, t.seq
  `,
});

/** A message about a participant, and its state. */
export type HistoryMessage = Row<typeof MESSAGES>;

export interface RaceDayHistory extends RaceDayState {
  /** By `changedAt`, then in the order of receipt. */
  messages: HistoryMessage[];
}

/**
 * @param id the id of a participant or an application
 * @returns `undefined` if no organization has the participant or messages for it
 */
export const raceDayStateOf = (manager: EntityManager, id: string): Promise<RaceDayState | undefined> =>
  FIND.first(manager, [id]);

/** The same with all messages, of which there can be any number: not for requests. */
export async function historyOf(manager: EntityManager, id: string): Promise<RaceDayHistory | undefined> {
  const found = await raceDayStateOf(manager, id);
  if (!found) return undefined;
  return { ...found, messages: await MESSAGES.rows(manager, [found.organizationId, found.participantId]) };
}
