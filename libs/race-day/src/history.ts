import type { EntityManager } from 'typeorm';
import { type RACE_DAY_SOURCES, statement, typed } from '#libs/database';

/** A message about a participant, and its state. */
export interface HistoryMessage {
  seq: string;
  source: (typeof RACE_DAY_SOURCES)[number];
  receivedAt: string;
  changedAt: string;
  /** The bib of the message, if it has no participant. */
  sentToBib: string | null;
  setsBib: boolean;
  bibNumber: string | null;
  status: string | null;
  shippedAt: string | null;
  carrier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  customFields: { id: string; value: unknown }[] | null;
  state: 'APPLIED' | 'PENDING' | 'WAITING';
}

export interface RaceDayHistory {
  organizationId: string;
  participantId: string;
  /** `null` if the participant does not exist and messages wait for it. */
  entry: {
    race: string;
    bibNumber: string | null;
    bibClaim: string | null;
    cancelled: boolean;
    approvalStatus: string;
    /** The holder of the bib that this participant claims without success. */
    holder: { participantId: string; since: string } | null;
  } | null;
  /** The number of superseded messages that were deleted after RACE_DAY_LOG_DAYS. */
  foldedMessages: number;
  /** By `changedAt`, then in the order of receipt. */
  messages: HistoryMessage[];
}

const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Searches one organization after the other, because every index begins with it. */
const FIND = statement({
  parameters: ['uuid'],
  columns: {
    organizationId: 'uuid',
    participantId: 'uuid',
    entry: typed<{
      race: string;
      bibNumber: string | null;
      bibClaim: string | null;
      cancelled: boolean;
      approvalStatus: string;
      /** The holder of the bib that this participant claims without success. */
      holder: { participantId: string; since: string } | null;
    } | null>('json?'),
    foldedMessages: 'int',
  },
  sql: `
    SELECT o.id AS "organizationId", coalesce(e.participant_id, $1) AS "participantId",
      CASE WHEN e.id IS NOT NULL THEN json_build_object(
        'race', (SELECT r.title FROM races r WHERE r.organization_id = o.id AND r.id = e.race_id),
        'bibNumber', e.bib_number, 'bibClaim', e.bib_claim, 'cancelled', e.cancelled_at IS NOT NULL,
        'approvalStatus', e.approval_status,
        'holder', (SELECT json_build_object('participantId', h.participant_id, 'since', ${instant('h.bib_changed_at')})
          FROM start_list_entries h WHERE h.organization_id = o.id AND h.race_id = e.race_id AND h.bib_number = e.bib_claim
            AND h.id <> e.id)) END AS entry,
      coalesce((SELECT f.messages FROM race_day_folded f WHERE f.organization_id = o.id
        AND f.participant_id = coalesce(e.participant_id, $1)), 0)::int AS "foldedMessages"
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

const MESSAGES = statement({
  parameters: ['uuid', 'uuid'],
  columns: {
    seq: 'bigint',
    source: typed<HistoryMessage['source']>('text'),
    receivedAt: 'text',
    changedAt: 'text',
    sentToBib: 'text?',
    setsBib: 'boolean',
    bibNumber: 'text?',
    status: 'text?',
    shippedAt: 'text?',
    carrier: 'text?',
    trackingNumber: 'text?',
    trackingUrl: 'text?',
    customFields: typed<{ id: string; value: unknown }[] | null>('jsonb?'),
    state: typed<HistoryMessage['state']>('text'),
  },
  sql: `
    SELECT l.seq, l.source, ${instant('l.received_at')} AS "receivedAt", ${instant('l.changed_at')} AS "changedAt",
      CASE WHEN l.named_by_bib THEN l.bib_number END AS "sentToBib", l.sets_bib AS "setsBib",
      CASE WHEN l.sets_bib THEN l.bib_number END AS "bibNumber", l.shipping_status AS status,
      ${instant('l.shipped_at')} AS "shippedAt", l.shipping_carrier AS carrier, l.tracking_number AS "trackingNumber",
      l.tracking_url AS "trackingUrl", l.custom_fields AS "customFields",
      CASE WHEN l.applied_at IS NULL THEN 'PENDING' WHEN l.waiting_for IS NOT NULL THEN 'WAITING' ELSE 'APPLIED' END AS state
    FROM race_day_log l WHERE l.organization_id = $1 AND l.participant_id = $2
    ORDER BY l.changed_at, l.seq
  `,
});

/**
 * All messages about a participant.
 *
 * @param id the id of a participant or an application
 * @returns `undefined` if no organization has the participant or messages for it
 */
export async function historyOf(manager: EntityManager, id: string): Promise<RaceDayHistory | undefined> {
  const found = await FIND.first(manager, [id]);
  if (!found) return undefined;
  return { ...found, messages: await MESSAGES.rows(manager, [found.organizationId, found.participantId]) };
}
