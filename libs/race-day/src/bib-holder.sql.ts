/** Messages that count: applied, and about a participant that is known. */
export const applied = (log: string) => `${log}.applied_at IS NOT NULL AND ${log}.waiting_for IS NULL`;

/** Whether the organization has the participant that message `m` names, and the message's key may name them. */
export const isKnown = (m: string) => /* sql */ `
  EXISTS (SELECT FROM start_list_entries known
    WHERE known.organization_id = ${m}.organization_id AND known.participant_id = ${m}.participant_id
      AND known.approval_status = 'APPROVED'
      AND (${m}.event_occurrence_ids IS NULL OR known.event_occurrence_id = ANY (${m}.event_occurrence_ids)))`;

/**
 * Up to two rows of `bib_claims` that name message `m`'s bib, within the occurrences of the message's key. Two of
 * different races are enough to know that the bib is ambiguous. An occurrence is looked up by itself, so that the
 * index leads to its rows alone.
 */
const upToTwo = (m: string, column: string, condition: string) => /* sql */ `
  (SELECT c.${column} FROM own_bib_claims c
   WHERE ${m}.event_occurrence_ids IS NULL
     AND c.organization_id = ${m}.organization_id AND c.bib_number = ${m}.bib_number AND ${condition}
   LIMIT 2)
  UNION ALL
  (SELECT within.${column} FROM unnest(${m}.event_occurrence_ids) occurrence (id)
   CROSS JOIN LATERAL (
     SELECT c.${column} FROM own_bib_claims c
     WHERE c.organization_id = ${m}.organization_id AND c.bib_number = ${m}.bib_number
       AND c.event_occurrence_id = occurrence.id AND ${condition}
     LIMIT 2
   ) within
   LIMIT 2)`;

/**
 * Who held the bib that message `m` names, as of its `changed_at`; where nobody did, who held it first after that;
 * null where that is nobody, or where several races fit (decisions, section 10). A few looks into indexes, however
 * many participants claimed the bib, however often it changed holders: holdings of a race don't overlap.
 *
 * Where nobody held the bib at that time, nobody who claimed it by then holds it later. So the first holder after
 * it is the first of those with a later claim.
 */
export const bibHolderOf = (m: string) => /* sql */ `(
  SELECT CASE count(*) WHEN 1 THEN (array_agg(held.participant_id))[1] WHEN 0 THEN (
    SELECT CASE WHEN count(*) = 1 THEN (
      SELECT first.participant_id FROM bib_claims first
      WHERE first.organization_id = ${m}.organization_id AND first.race_id = (array_agg(later.race_id))[1]
        AND first.bib_number = ${m}.bib_number AND first.held_from IS NOT NULL AND first.changed_at > ${m}.changed_at
      ORDER BY first.changed_at, first.participant_id, first.seq LIMIT 1
    ) END
    FROM (${upToTwo(m, 'race_id', `c.holds_last AND c.held_from > ${m}.changed_at`)}) later
  ) END
  FROM (${upToTwo(
    m,
    'participant_id',
    `c.held_until IS NOT NULL AND tstzrange(c.held_from, c.held_until) @> ${m}.changed_at`,
  )}) held
)`;
