import { freeText, id, type ListDeclaration } from '#platform/queries';
import { compared } from '#platform/validation';
import { ownKeyOf } from './timing-status';
import { UnidentifiedMessage } from './timing-status.dto';
import { writtenBib } from './written-bib';

const { read, ...bib } = freeText('Only messages that wait for this bib, in any spelling.', { max: 20 });

/** Whether the occurrence in a column is one of the message's key. */
const within = (column: string) =>
  `(t.event_occurrence_ids IS NULL OR ${column} = ANY (t.event_occurrence_ids))`;

/** Two races in which the bib has a holder are enough. Participants outside of the key's occurrences are unknown to it. */
const REASON = /* sql */ `
  CASE WHEN t.named_by_bib THEN CASE WHEN (
      SELECT count(*) FROM (SELECT FROM bib_claims c WHERE c.organization_id = t.organization_id
        AND c.bib_number = t.bib_number AND c.holds_last AND ${within('c.event_occurrence_id')} LIMIT 2) held
    ) > 1 THEN 'BIB_IN_SEVERAL_RACES' ELSE 'BIB_UNKNOWN' END
  WHEN EXISTS (SELECT FROM start_list_entries e WHERE e.organization_id = t.organization_id
    AND e.participant_id = t.participant_id AND e.approval_status <> 'APPROVED' AND ${within('e.event_occurrence_id')})
  THEN 'PARTICIPANT_NOT_APPROVED' ELSE 'PARTICIPANT_UNKNOWN' END`;

/** Timing messages that wait for their bib or participant, of the key, or of all timing keys of the organization. */
export const UNIDENTIFIED: ListDeclaration = {
  name: 'unidentifiedMessages',
  schemaName: 'PagedUnidentifiedMessages',
  of: {
    schema: UnidentifiedMessage,
    from: 'race_day_log t',
    where: "t.waiting_for IS NOT NULL AND t.source = 'TIMING'",
    // Messages have no uuid: their place is a unique order.
    id: 't.organization_id',
    select: `
      t.seq::text AS "id",
      t.received_at AS "receivedAt",
      t.changed_at AS "changedAt",
      t.participant_id AS "participantId",
      ${writtenBib('t')} AS "bibNumber",
      t.shipping_status AS "shippingStatus",
      ${REASON} AS "reason"`,
  },
  where: (bind, _, caller) => {
    const key = ownKeyOf(caller);
    return key ? `t.api_key_id = ${bind(key)}` : '';
  },
  order: { sql: 't.seq', type: 'bigint' },
  newestFirst: true,
  counter: 'timingWaiting',
  counts: (caller) => ownKeyOf(caller) ?? caller.organizationId,
  filters: {
    bibNumber: {
      parameter: { ...bib, read: (value) => compared(read(value)) },
      where: (value) => `t.waiting_for = 'bib:' || ${value}`,
    },
    participantId: {
      parameter: id('Only messages that wait for this participant.'),
      where: (value) => `t.waiting_for = ${value}::text`,
    },
  },
};
