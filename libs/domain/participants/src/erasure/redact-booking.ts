import type { EntityManager } from 'typeorm';
import { lockRaceDay } from '#domain/race-day';
import { statement } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { answerTo } from '../entry.sql';
import { CLEARED } from '../entry-metadata';
import { COLUMNS } from './columns';
import { mentionInIdsOf, mentionOf, mentions, type Names, withoutMention } from './mention';
import { eraseOwnIds, type IdErasure } from './own-ids';
import type { Removal } from './removal';

const LOCK_BOOKING = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    SELECT FROM bookings WHERE organization_id = $1 AND id = $2 FOR UPDATE
  `,
});

const LOCK_ENTRIES = statement({
  parameters: ['uuid', 'uuid'],
  sql: `
    SELECT FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2 ORDER BY id FOR NO KEY UPDATE
  `,
});

/** Only the origin of an entry stays, and that its place was transferred. Other metadata is free text of imports. */
const OUR_METADATA = /* sql */ `jsonb_strip_nulls(jsonb_build_object('startline', nullif(jsonb_strip_nulls(jsonb_build_object(
        'importJobId', metadata #> '{startline,importJobId}', 'importRow', metadata #> '{startline,importRow}',
        '${CLEARED}', metadata #> '{startline,${CLEARED}}')), '{}')))`;

/** Of these personal columns, a part stays. */
const KEPT_IN_PART = ['status_details', 'metadata'];
/** Sets the personal columns of an entry to their defaults. @param others that the statement sets itself */
export const clearsPerson = (...others: string[]): string =>
  (COLUMNS.start_list_entries?.personal ?? [])
    .filter((column) => ![...KEPT_IN_PART, ...others].includes(column))
    .map((column) => `${column} = DEFAULT`)
    .join(', ');

/** Statuses and times stay. */
export const WITHOUT_REASONS = /* sql */ `(SELECT coalesce(jsonb_agg(detail || '{"reason": null}' ORDER BY place), '[]')
        FROM jsonb_array_elements(status_details) WITH ORDINALITY details (detail, place))`;

/** Ids, places, bib, status and times stay, because they do not identify a person. */
const REDACT_ENTRIES = statement({
  parameters: ['uuid', 'uuid[]', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE start_list_entries SET
      gdpr_redacted = true, result_submitted_at = NULL, ${clearsPerson()},
      status_details = ${WITHOUT_REASONS},
      metadata = ${OUR_METADATA}, ballot_draw = ${withoutMention('ballot_draw', '$3')}
    WHERE organization_id = $1 AND id = ANY ($2)
    RETURNING id
  `,
});

/** Of line items `l`: names from the catalogue stay. Other names are free text of imports and are replaced by their type. */
export const HAS_FREE_NAME = /* sql */ `l.name <> l.item_type
      AND NOT EXISTS (SELECT FROM start_list_entries e
        JOIN tickets t ON t.organization_id = e.organization_id AND t.id = e.ticket_id
        WHERE e.organization_id = l.organization_id AND e.booking_id = l.booking_id AND t.title = l.name)
      AND NOT EXISTS (SELECT FROM add_on_allocations a
        JOIN add_ons o ON o.organization_id = a.organization_id AND o.id = a.add_on_id
        WHERE a.organization_id = l.organization_id AND a.booking_id = l.booking_id AND o.title = l.name)`;

const REDACT_LINE_ITEMS = statement({
  parameters: ['uuid', 'uuid', 'uuid[]', 'boolean'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE line_items l SET name = item_type
    WHERE organization_id = $1 AND booking_id = $2
      AND (participant_id IN (SELECT participant_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($3))
        OR participant_id IS NULL AND $4)
      AND ${HAS_FREE_NAME}
    RETURNING id
  `,
});

const REDACT_BOOKER = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE bookings SET booker_first_name = NULL, booker_last_name = NULL, booker_email = NULL, booker_phone = NULL,
      tracking = '{}', metadata = '{}'
    WHERE organization_id = $1 AND id = $2
      AND (coalesce(booker_first_name, booker_last_name, booker_email, booker_phone) IS NOT NULL OR tracking <> '{}'
        OR metadata <> '{}')
    RETURNING id
  `,
});

/**
 * Other entries of the booking show its booker, so they change as well: entries without an email lose the booker's, and
 * all lose the metadata of the import, which may name the booker.
 */
const REDACT_BOOKER_OF_OTHERS = statement({
  parameters: ['uuid', 'uuid', 'uuid[]', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE start_list_entries e SET
      email_normalized = CASE WHEN email_normalized <> ALL ($4) OR ${answerTo("'email'", 'e')} IS NOT NULL THEN email_normalized END,
      metadata = ${OUR_METADATA}
    WHERE organization_id = $1 AND booking_id = $2 AND id <> ALL ($3)
    RETURNING id
  `,
});

/** What the log says of a person. */
export const LOGGED_OF_PERSON = ['custom_fields', 'tracking_number', 'tracking_url', 'shipping_carrier'];
export const LOGS_PERSON = `num_nonnulls(${LOGGED_OF_PERSON.join(', ')}) > 0`;

/** The projection of the remaining log gives the same bib and shipping. */
const REDACT_RACE_DAY_LOG = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { seq: 'bigint' },
  sql: `
    UPDATE race_day_log SET ${LOGGED_OF_PERSON.map((column) => `${column} = NULL`).join(', ')}
    WHERE organization_id = $1
      AND participant_id IN (SELECT participant_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2))
      AND ${LOGS_PERSON}
    RETURNING seq
  `,
});

/** Race-day fields are stored separately from the log. */
const REDACT_RACE_DAY_FIELDS = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { participant_id: 'uuid', field_id: 'text' },
  sql: `
    DELETE FROM race_day_fields
    WHERE organization_id = $1
      AND participant_id IN (SELECT participant_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2))
    RETURNING participant_id, field_id
  `,
});

/** The name of a team is cleared if it contains a name of the person, or if the person is its last member. */
const REDACT_TEAMS = statement({
  parameters: ['uuid', 'uuid[]', 'text'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE teams t SET name = 'Team ' || t.id
    WHERE t.organization_id = $1 AND t.name <> 'Team ' || t.id
      AND t.id IN (SELECT team_id FROM start_list_entries WHERE organization_id = $1 AND id = ANY ($2))
      AND (t.name ~* $3 OR NOT EXISTS (SELECT FROM start_list_entries other
        WHERE other.organization_id = $1 AND other.event_occurrence_id = t.event_occurrence_id AND other.team_id = t.id
          AND NOT other.gdpr_redacted))
    RETURNING id
  `,
});

const each = (column: string): string => `ARRAY(SELECT ${withoutMention('each', '$4')}
        FROM unnest(${column}) WITH ORDINALITY u (each, place) ORDER BY place)`;

/** What others in the booking say about the person. */
const SCRUB_COMPANIONS = statement({
  parameters: ['uuid', 'uuid', 'uuid[]', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE start_list_entries SET
      tags = ${each('tags')}, participant_notes = ${each('participant_notes')},
      application_notes = ${withoutMention('application_notes', '$4')}, ballot_draw = ${withoutMention('ballot_draw', '$4')},
      status_details = ${withoutMention('status_details::text', '$4')}::jsonb,
      metadata = ${withoutMention('metadata::text', '$4')}::jsonb
    WHERE organization_id = $1 AND booking_id = $2 AND id <> ALL ($3) AND (
      ${['tags', 'participant_notes', 'application_notes', 'ballot_draw', 'status_details', 'metadata']
        .map((column) => mentions(`${column}::text`, '$4'))
        .join(' OR ')})
    RETURNING id
  `,
});

const SCRUB_BOOKING = statement({
  parameters: ['uuid', 'uuid', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE bookings SET tracking = ${withoutMention('tracking::text', '$3')}::jsonb,
      metadata = ${withoutMention('metadata::text', '$3')}::jsonb
    WHERE organization_id = $1 AND id = $2
      AND (${mentions('tracking::text', '$3')} OR ${mentions('metadata::text', '$3')})
    RETURNING id
  `,
});

/** The name of a discount is its code, in which a hyphen before the address begins no other address. */
const SCRUB_LINE_ITEMS = statement({
  parameters: ['uuid', 'uuid', 'text[]', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE line_items SET name = item_type
    WHERE organization_id = $1 AND booking_id = $2
      AND (${mentions('name', '$3')} OR item_type = 'DISCOUNT' AND ${mentions('name', '$4')})
    RETURNING id
  `,
});

/** The teams of companions. */
const SCRUB_TEAMS = statement({
  parameters: ['uuid', 'uuid', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE teams SET name = ${withoutMention('name', '$3')}
    WHERE organization_id = $1 AND ${mentions('name', '$3')}
      AND id IN (SELECT team_id FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2)
    RETURNING id
  `,
});

/** Credits of the booking's people that stay, such as one of an address that others share. */
const SCRUB_CREDITS = statement({
  parameters: ['uuid', 'uuid', 'text[]', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE credits SET reason = ${withoutMention('reason', '$3')}
    WHERE organization_id = $1 AND ${mentions('reason', '$3')} AND (email_normalized = ANY ($4)
      OR email_normalized IN (SELECT email_normalized FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2)
      OR email_normalized IN (SELECT lower(normalize(trimmed(booker_email), NFC)) FROM bookings WHERE organization_id = $1 AND id = $2))
    RETURNING id
  `,
});

/** The values in the audit log of what was changed of the person, and of companions where they name the person. */
const FORGET_AUDITED_VALUES = statement({
  parameters: ['uuid', 'uuid', 'uuid[]', 'boolean', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    WITH records AS (
      SELECT unnest(ARRAY[id, participant_id])::text AS id, id = ANY ($3) AS own
      FROM start_list_entries WHERE organization_id = $1 AND booking_id = $2
      UNION ALL
      SELECT $2::text, $4
    )
    UPDATE audit_log a SET changes = NULL FROM records r
    WHERE a.organization_id = $1 AND a.object_id = r.id AND a.changes IS NOT NULL
      AND (r.own OR ${mentions('a.changes::text', '$5')})
    RETURNING a.id
  `,
});

export interface BookingRedaction {
  organizationId: string;
  bookingId: string;
  entryIds: readonly string[];
  /** Whether the booker is the person, or no other entry is left. */
  takesBooker: boolean;
  /** The addresses of the person, from `normalizeEmail`. */
  emails: readonly string[];
  /** The booker's, which others in the booking have for lack of one. */
  bookerEmail?: string | null;
  /** The names of the person. */
  names: readonly Names[];
  secret: IdErasure['secret'];
}

/** Locks a booking and its entries in the order that CONTRIBUTING.md gives, until the transaction ends. */
export async function lockBooking(
  manager: EntityManager,
  organizationId: string,
  bookingId: string,
): Promise<void> {
  await lockRaceDay(manager, organizationId);
  await LOCK_BOOKING.run(manager, [organizationId, bookingId]);
  await LOCK_ENTRIES.run(manager, [organizationId, bookingId]);
}

/** Redacts the person in a booking and its entries. Call it after `lockBooking`, in its transaction. */
export async function redactBooking(
  manager: EntityManager,
  removal: Removal,
  { organizationId, bookingId, entryIds, takesBooker, emails, bookerEmail, names, secret }: BookingRedaction,
): Promise<{ bookerRedacted: boolean }> {
  const booking = [organizationId, bookingId] as const;
  const entries = [organizationId, entryIds] as const;
  const person = mentionOf(emails, names);
  // Before the addresses of the booking are gone.
  removal.add('credits', await SCRUB_CREDITS.rows(manager, [...booking, person, emails]));
  removal.add('start_list_entries', await SCRUB_COMPANIONS.rows(manager, [...booking, entryIds, person]));
  removal.add('start_list_entries', await REDACT_ENTRIES.rows(manager, [...entries, person]));
  removal.add('line_items', await REDACT_LINE_ITEMS.rows(manager, [...booking, entryIds, takesBooker]));
  const bookerRedacted =
    takesBooker && removal.add('bookings', await REDACT_BOOKER.rows(manager, booking)) > 0;
  if (bookerRedacted) {
    const gone = bookerEmail ? [...emails, normalizeEmail(bookerEmail)] : emails;
    const others = [...booking, entryIds, gone] as const;
    removal.add('start_list_entries', await REDACT_BOOKER_OF_OTHERS.rows(manager, others));
  }
  removal.add('bookings', await SCRUB_BOOKING.rows(manager, [...booking, person]));
  removal.add(
    'line_items',
    await SCRUB_LINE_ITEMS.rows(manager, [...booking, person, mentionInIdsOf(emails)]),
  );
  removal.add('race_day_fields', await REDACT_RACE_DAY_FIELDS.rows(manager, entries));
  removal.add('race_day_log', await REDACT_RACE_DAY_LOG.rows(manager, entries));
  removal.add(
    'audit_log',
    await FORGET_AUDITED_VALUES.rows(manager, [...booking, entryIds, takesBooker, person]),
  );
  await eraseOwnIds(
    manager,
    removal,
    { organizationId, emails, secret },
    {
      bookings: [bookingId],
      line_items: [bookingId],
      add_on_allocations: [bookingId],
      start_list_entries: entryIds,
    },
  );
  const words = names.flatMap(({ firstName, lastName }) => [firstName ?? '', lastName ?? '']);
  const teams = [...entries, wordsOf(words)] as const;
  removal.add('teams', await REDACT_TEAMS.rows(manager, teams));
  removal.add('teams', await SCRUB_TEAMS.rows(manager, [...booking, person]));
  return { bookerRedacted };
}

/** Matches whole words of at least three letters. */
function wordsOf(names: readonly string[]): string {
  const words = names
    .map((name) => name.trim())
    .filter((name) => name.length >= 3)
    .map((name) => name.replace(/[^\p{L}\p{N}\s]/gu, '\\$&'));
  return words.length ? `(?<![[:alnum:]])(?:${words.join('|')})(?![[:alnum:]])` : '(?!)';
}
