/** Messages that count: dealt with, and about somebody we know. */
export const applied = (log: string) => `${log}.applied_at IS NOT NULL AND ${log}.waiting_for IS NULL`;

/** The same, and those that no worker has dealt with yet. */
export const received = (log: string) => `${log}.waiting_for IS NULL`;

/** Whether the key of a message may name entry `e`. */
const mayName = (message: string, e = 'e') =>
  `(${message}.event_occurrence_ids IS NULL OR ${e}.event_occurrence_id = ANY (${message}.event_occurrence_ids))`;

/** Whether the organization has the participant that message `m` names, where the message's key may name them. */
export const isKnown = (m: string) => /* sql */ `
  EXISTS (SELECT FROM start_list_entries known
    WHERE known.organization_id = ${m}.organization_id AND known.participant_id = ${m}.participant_id
      AND known.approval_status = 'APPROVED'
      AND ${mayName(m, 'known')})`;

/**
 * Who wore the bib that message `m` names, as of its `changed_at`; null where that is nobody, or where several
 * races fit. It depends on nothing but the set of messages that count and the entries:
 *
 * A participant claims the bib of its newest message up to then. Of a race's claimants who were not cancelled by
 * then, the one with the earliest claim wore it. Where nobody did, whoever came with the bib (by import or file,
 * with no message about its bib before) did: a message may precede the participant.
 *
 * Every step goes from the bib's few claimants by index, whatever the planner knows of tables that have just grown.
 *
 * @param counts which messages count: `applied` or `received`
 */
export const bibHolderOf = (m: string, counts: (log: string) => string) => /* sql */ `(
  SELECT CASE WHEN count(*) = 1 THEN (array_agg(bib_holder.participant_id))[1] END
  FROM (
    SELECT holder.participant_id, holder.later, min(holder.later) OVER () AS nearest
    FROM (
      SELECT DISTINCT ON (e.race_id) e.participant_id, claim.later
      FROM (
        SELECT DISTINCT c.participant_id FROM race_day_log c
        WHERE c.organization_id = ${m}.organization_id AND c.bib_number = ${m}.bib_number AND c.sets_bib
          AND ${counts('c')}
      ) claimant
      CROSS JOIN LATERAL (
        SELECT e.participant_id, e.race_id, e.event_occurrence_id FROM start_list_entries e
        WHERE e.organization_id = ${m}.organization_id AND e.participant_id = claimant.participant_id
          AND e.approval_status = 'APPROVED' AND (e.cancelled_at IS NULL OR e.cancelled_at > ${m}.changed_at)
          AND ${mayName(m)}
        LIMIT 1
      ) e
      CROSS JOIN LATERAL (
        SELECT said.* FROM (
          (SELECT 0 AS later, l.bib_number, l.changed_at FROM race_day_log l
           WHERE l.organization_id = ${m}.organization_id AND l.participant_id = claimant.participant_id AND l.sets_bib
             AND ${counts('l')} AND ${mayName('l')} AND l.changed_at <= ${m}.changed_at
           ORDER BY l.changed_at DESC, l.seq DESC LIMIT 1)
          UNION ALL
          (SELECT 1, came_with.bib_number, came_with.changed_at FROM (
             SELECT l.source, l.bib_number, l.changed_at FROM race_day_log l
             WHERE l.organization_id = ${m}.organization_id AND l.participant_id = claimant.participant_id AND l.sets_bib
               AND ${counts('l')} AND ${mayName('l')}
             ORDER BY l.changed_at, l.seq LIMIT 1
           ) came_with WHERE came_with.source IN ('IMPORT', 'CATALOGUE'))
        ) said ORDER BY said.later LIMIT 1
      ) claim
      WHERE claim.bib_number = ${m}.bib_number
      ORDER BY e.race_id, claim.later, claim.changed_at, e.participant_id
    ) holder
  ) bib_holder
  WHERE bib_holder.later = bib_holder.nearest
)`;
