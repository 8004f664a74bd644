import { freeText, id, type ListDeclaration } from '#platform/queries';
import { AuditEntryItem } from './audit-log.dto';
import { ACTOR_NAME } from './audit-log.resource';

/**
 * What happened to records: the audit log, the race-day log, and the imports that made entries. `kind` is a constant of each part,
 * so that the planner leaves out the conditions of the others.
 */
const HAPPENED = `(
  SELECT a.organization_id, a.id, a.at, a.actor_type, a.actor_id, a.origin, a.action, a.object_type, a.object_id, a.details, a.changes,
    'AUDIT' AS kind, NULL::uuid AS participant_id, NULL::bigint AS seq
  FROM audit_log a
  UNION ALL
  SELECT l.organization_id, ('00000000-0000-7000-8000-' || lpad(to_hex(l.seq), 12, '0'))::uuid, l.changed_at,
    CASE WHEN l.api_key_id IS NULL THEN 'SYSTEM'
      WHEN EXISTS (SELECT FROM staff_members m WHERE m.organization_id = l.organization_id AND m.id = l.api_key_id) THEN 'STAFF'
      ELSE 'KEY' END, l.api_key_id::text, NULL, 'race_day.' || lower(l.source), 'participant', l.participant_id::text, '{}'::jsonb, NULL,
    'MESSAGE', l.participant_id, l.seq
  FROM race_day_log l
  UNION ALL
  SELECT e.organization_id, e.id, e.created_at, 'IMPORT', e.metadata #>> '{startline,importJobId}', NULL, 'participant.import',
    'participant', e.participant_id::text,
    jsonb_build_object('row', e.metadata #> '{startline,importRow}'), NULL, 'ENTRY', e.participant_id, NULL
  FROM start_list_entries e WHERE e.metadata #>> '{startline,importJobId}' IS NOT NULL
) t`;

/** The participants that a record consists of: it is one, an application, or a booking. */
const participantsOf = (subject: string, organization: string): string => `ARRAY(
  SELECT e.participant_id FROM start_list_entries e WHERE e.organization_id = ${organization} AND e.participant_id = ${subject}
  UNION SELECT e.participant_id FROM start_list_entries e WHERE e.organization_id = ${organization} AND e.id = ${subject}
  UNION SELECT e.participant_id FROM start_list_entries e WHERE e.organization_id = ${organization} AND e.booking_id = ${subject})`;

/** The record, and those that its page shows with it: the booking of a participant; event, races and tickets of an occurrence. */
const recordsOf = (subject: string, organization: string): string => `ARRAY(
  SELECT ${subject}::text
  UNION SELECT unnest(ARRAY[e.id, e.booking_id])::text FROM start_list_entries e
    WHERE e.organization_id = ${organization} AND e.participant_id = ${subject}
  UNION SELECT unnest(ARRAY[e.participant_id, e.booking_id])::text FROM start_list_entries e
    WHERE e.organization_id = ${organization} AND e.id = ${subject}
  UNION SELECT unnest(ARRAY[e.id, e.participant_id])::text FROM start_list_entries e
    WHERE e.organization_id = ${organization} AND e.booking_id = ${subject}
  UNION SELECT o.event_id::text FROM event_occurrences o WHERE o.organization_id = ${organization} AND o.id = ${subject}
  UNION SELECT r.id::text FROM races r WHERE r.organization_id = ${organization} AND r.event_occurrence_id = ${subject}
  UNION SELECT k.id::text FROM tickets k WHERE k.organization_id = ${organization} AND k.event_occurrence_id = ${subject})`;

/** The value that an earlier message of the participant gave; `value` of message `p`, if `says` of it. */
const before = (value: string, says: string): string => `(
  SELECT ${value} FROM race_day_log p
  WHERE p.organization_id = t.organization_id AND p.participant_id = t.participant_id AND ${says}
    AND (p.changed_at, p.seq) < (l.changed_at, l.seq)
  ORDER BY p.changed_at DESC, p.seq DESC LIMIT 1)`;

const said = (field: string, value: string, says: string): string => {
  const [valueBefore, saidBefore] = [value, says].map((of) => of.replaceAll('l.', 'p.')) as [string, string];
  return `SELECT '${field}', ${before(valueBefore, saidBefore)}, ${value} WHERE ${says}`;
};

const CHANGES_OF_MESSAGE = `(
  SELECT jsonb_agg(jsonb_build_object('field', c.field, 'from', c.was, 'to', c.is_now)) FROM race_day_log l
  CROSS JOIN LATERAL (
    ${said('bibNumber', 'coalesce(l.bib_written, l.bib_number)', 'l.sets_bib')}
    UNION ALL ${said('shippingStatus', 'l.shipping_status', 'l.shipping_status IS NOT NULL')}
    UNION ALL ${said('shippingCarrier', 'l.shipping_carrier', 'l.shipping_carrier IS NOT NULL')}
    UNION ALL ${said('trackingNumber', 'l.tracking_number', 'l.tracking_number IS NOT NULL')}
    UNION ALL (
      SELECT 'raceDayFields.' || (f.field->>'id'),
        ${before(
          `(SELECT left(g->>'value', 500) FROM jsonb_array_elements(p.custom_fields) g WHERE g->>'id' = f.field->>'id' LIMIT 1)`,
          `p.custom_fields @> jsonb_build_array(jsonb_build_object('id', f.field->'id'))`,
        )},
        left(f.field->>'value', 500)
      FROM jsonb_array_elements(l.custom_fields) f (field) LIMIT 50)
  ) c (field, was, is_now)
  WHERE l.organization_id = t.organization_id AND l.seq = t.seq)`;

/** What happened to a record and to what belongs to it, newest first. */
export const HISTORY: ListDeclaration = {
  name: 'history',
  schemaName: 'PagedHistory',
  of: {
    schema: AuditEntryItem,
    from: HAPPENED,
    select: `
      t.id AS "id",
      t.at AS "at",
      t.actor_type AS "actorType",
      t.actor_id AS "actorId",
      CASE t.kind WHEN 'ENTRY' THEN (SELECT j.source FROM import_jobs j
          WHERE j.organization_id = t.organization_id AND j.id = t.actor_id::uuid)
        ELSE ${ACTOR_NAME} END AS "actorName",
      t.origin AS "origin",
      t.action AS "action",
      t.object_type AS "objectType",
      t.object_id AS "objectId",
      t.details AS "details",
      CASE WHEN t.kind = 'MESSAGE' THEN ${CHANGES_OF_MESSAGE} ELSE t.changes END AS "changes"`,
  },
  order: { sql: 't.at', type: 'timestamptz' },
  newestFirst: true,
  moment: 'at',
  filters: {
    subjectId: {
      parameter: {
        ...id(
          'The record: a participant, application, booking, event, occurrence, race, ticket, group, code, partner, key or endpoint.',
        ),
        required: true,
      },
      where: (value, bind, { organizationId }) => {
        const organization = `${bind(organizationId)}::uuid`;
        const subject = `${value}::uuid`;
        return `(t.kind = 'AUDIT' AND t.object_id = ANY (${recordsOf(subject, organization)})
          OR t.kind <> 'AUDIT' AND t.participant_id = ANY (${participantsOf(subject, organization)}))`;
      },
    },
    actorId: {
      parameter: freeText('Only what this staff member, key, import or operating system user did.', {
        max: 255,
      }),
      where: (value) => `t.actor_id = ${value}`,
    },
  },
};
