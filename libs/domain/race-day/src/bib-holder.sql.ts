/** Applied messages about a known participant. */
export const applied = (log: string) => `${log}.applied_at IS NOT NULL AND ${log}.waiting_for IS NULL`;

/** Whether the participant of message `m` exists, and the message's key may access it. */
export const isKnown = (m: string) => /* sql */ `
  EXISTS (SELECT FROM start_list_entries known
    WHERE known.organization_id = ${m}.organization_id AND known.participant_id = ${m}.participant_id
      AND known.approval_status = 'APPROVED'
      AND (${m}.event_occurrence_ids IS NULL OR known.event_occurrence_id = ANY (${m}.event_occurrence_ids)))`;

/** Whether message `m` with a participant counts: it is applied, or its key may access the participant, so that it will be. */
export const reaches = (m: string) => `(${applied(m)} OR ${isKnown(m)})`;

/**
 * Up to two rows of `bib_claims` with the bib of message `m`, in the occurrences of the message's key. Two rows of
 * different races are enough to know that the bib is ambiguous. Each occurrence is looked up separately, to use the index,
 * and once: a key can name it twice.
 */
const upToTwo = (m: string, column: string, condition: string) => /* sql */ `
  (SELECT c.${column} FROM own_bib_claims c
   WHERE ${m}.event_occurrence_ids IS NULL
     AND c.organization_id = ${m}.organization_id AND c.bib_number = ${m}.bib_number AND ${condition}
   LIMIT 2)
  UNION ALL
  (SELECT within.${column} FROM (SELECT DISTINCT unnest(${m}.event_occurrence_ids)) occurrence (id)
   CROSS JOIN LATERAL (
     SELECT c.${column} FROM own_bib_claims c
     WHERE c.organization_id = ${m}.organization_id AND c.bib_number = ${m}.bib_number
       AND c.event_occurrence_id = occurrence.id AND ${condition}
     LIMIT 2
   ) within
   LIMIT 2)`;

/**
 * The holder of the bib of message `m` at its `changed_at`; if there was none, the first holder after that; if there was
 * none either, the last one before; `null` if there is none, or if several races match (docs/domain-rules.md#race-day). Needs
 * a few index lookups, independent of the number of claims, because the periods of a race do not overlap.
 *
 * If the bib had no holder at that time, no earlier claimant holds it later. So the first holder after it is the first
 * with a later claim; without one, the last holder of each race is an earlier one.
 */
export const bibHolderOf = (m: string) => /* sql */ `(
  SELECT CASE count(*) WHEN 1 THEN (array_agg(held.participant_id))[1] WHEN 0 THEN (
    SELECT CASE count(*) WHEN 1 THEN (
      SELECT first.participant_id FROM bib_claims first
      WHERE first.organization_id = ${m}.organization_id AND first.race_id = (array_agg(later.race_id))[1]
        AND first.bib_number = ${m}.bib_number AND first.held_from IS NOT NULL AND first.changed_at > ${m}.changed_at
      ORDER BY first.changed_at, first.participant_id, first.seq LIMIT 1
    ) WHEN 0 THEN (
      SELECT CASE count(*) WHEN 1 THEN (array_agg(earlier.participant_id))[1] END
      FROM (${upToTwo(m, 'participant_id', 'c.holds_last')}) earlier
    ) END
    FROM (${upToTwo(m, 'race_id', `c.holds_last AND c.held_from > ${m}.changed_at`)}) later
  ) END
  FROM (${upToTwo(
    m,
    'participant_id',
    `c.held_until IS NOT NULL AND tstzrange(c.held_from, c.held_until) @> ${m}.changed_at`,
  )}) held
)`;
