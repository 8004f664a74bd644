import { Injectable } from '@nestjs/common';
import { RACE_DAY_MESSAGES_OF_PARTICIPANT, raceDayStateOf } from '#domain/race-day';
import type { Caller } from '#platform/access';
import { Database, isId, type SHIPPING_STATUSES, statement, typed } from '#platform/database';
import { type Cursors, JsonText, Lists, listRequestOf } from '#platform/queries';
import { errors, searchedWords, trimmed } from '#platform/validation';
import { answerTo, STAFF_COLUMNS, STAFF_JOINS } from './entry.sql';
import type { FoundParticipants } from './staff-participants.dto';

const MOST = 50;
const MOST_AT_DESK = 20;
/** The messages that a participant is shown with. */
const MOST_MESSAGES = 500;

export interface ParticipantSearch {
  search: string;
  eventOccurrenceId?: string;
  raceId?: string;
  ticketId?: string;
  status?: 'CONFIRMED' | 'CANCELLED';
  tag?: string;
}

const FOUND = {
  id: 'uuid',
  firstName: 'text?',
  lastName: 'text?',
  email: 'text?',
  dateOfBirth: 'text?',
  bibNumber: 'text?',
  eventOccurrenceId: 'uuid',
  eventTitle: 'text',
  raceTitle: 'text',
  ticketTitle: 'text',
  timeZone: 'text',
  cancelled: 'boolean',
  gdprRedacted: 'boolean',
  checkIn: 'jsonb',
  shippingStatus: typed<(typeof SHIPPING_STATUSES)[number] | null>('text?'),
  trackingNumber: 'text?',
  raceDayPending: 'boolean',
} as const;

/** Names with race, ticket and occurrence. `$2`: include the fields that the race-day desk must not see. */
const found = (ids: string) => /* sql */ `
  SELECT t.participant_id AS id,
    ${STAFF_COLUMNS},
    CASE WHEN $2 THEN ${answerTo("'email'")} END AS email,
    CASE WHEN $2 THEN ${answerTo("'dateOfBirth'")} END AS "dateOfBirth",
    (SELECT field->'value' FROM jsonb_array_elements(t.race_day_fields) field WHERE field->>'id' = 'checkIn' LIMIT 1)
      AS "checkIn",
    t.shipping_status AS "shippingStatus", t.tracking_number AS "trackingNumber",
    -- OFFSET 0: by participant, because all pending messages of a busy organization may be many.
    EXISTS (SELECT FROM (
      SELECT l.applied_at FROM race_day_log l
      WHERE l.organization_id = t.organization_id AND l.participant_id = t.participant_id OFFSET 0
    ) said WHERE said.applied_at IS NULL) AS "raceDayPending"
  FROM start_list_entries t
  ${STAFF_JOINS}
  WHERE t.organization_id = $1 AND ${ids}
  ORDER BY t.created_at DESC, t.id DESC
`;

/**
 * The words first, by their index, and the order after that: with the index of the order, PostgreSQL would compare
 * the words of each row. The view contains the policy's condition as an ordinary condition, so that this one can use
 * an index.
 */
const SEARCH = statement({
  parameters: ['uuid', 'boolean', 'tsquery', 'uuid?', 'uuid?', 'uuid?', 'text?', 'text?', 'int', 'tsquery?'],
  columns: FOUND,
  sql: found(`t.id = ANY (ARRAY(
    WITH found AS MATERIALIZED (
      SELECT w.id, w.created_at, $10::tsquery IS NULL OR w.search_words @@ $10 AS matches FROM own_start_list_entries w
      WHERE w.organization_id = $1 AND w.approval_status = 'APPROVED' AND w.search_words @@ $3::tsquery
        AND ($4::uuid IS NULL OR w.event_occurrence_id = $4)
        AND ($5::uuid IS NULL OR w.race_id = $5)
        AND ($6::uuid IS NULL OR w.ticket_id = $6)
        AND ($7::text IS NULL OR (w.cancelled_at IS NOT NULL) = ($7 = 'CANCELLED'))
        AND ($8::text IS NULL OR w.tags @> ARRAY[$8])
    )
    SELECT id FROM found WHERE matches ORDER BY created_at DESC, id DESC LIMIT $9::int))`),
  prepared: true,
});
/** Entries by an id of theirs or of their booking: what other systems and the pages of the console show. */
const NAMED = statement({
  parameters: ['uuid', 'boolean', 'text', 'uuid?', 'uuid?', 'uuid?', 'uuid?', 'text?', 'text?', 'int'],
  columns: FOUND,
  sql: found(`t.id = ANY (ARRAY(
    SELECT e.id FROM start_list_entries e
    WHERE e.organization_id = $1 AND e.approval_status = 'APPROVED'
      AND e.id = ANY (ARRAY(
        SELECT id FROM start_list_entries WHERE organization_id = $1 AND id = $4
        UNION SELECT id FROM start_list_entries WHERE organization_id = $1 AND participant_id = $4
        UNION SELECT id FROM start_list_entries WHERE organization_id = $1 AND external_participant_id = $3
        UNION SELECT id FROM start_list_entries
          WHERE organization_id = $1 AND external_assignment_id = $3 AND cancelled_at IS NULL
        UNION SELECT id FROM start_list_entries WHERE organization_id = $1 AND booking_id = ANY (ARRAY(
          SELECT b.id FROM bookings b WHERE b.organization_id = $1 AND b.external_booking_id = $3
          UNION SELECT $4))))
      AND ($5::uuid IS NULL OR e.event_occurrence_id = $5)
      AND ($6::uuid IS NULL OR e.race_id = $6)
      AND ($7::uuid IS NULL OR e.ticket_id = $7)
      AND ($8::text IS NULL OR (e.cancelled_at IS NOT NULL) = ($8 = 'CANCELLED'))
      AND ($9::text IS NULL OR e.tags @> ARRAY[$9])
    ORDER BY e.created_at DESC, e.id DESC LIMIT $10::int))`),
  prepared: true,
});
const ONE = statement({
  parameters: ['uuid', 'boolean', 'uuid'],
  columns: FOUND,
  sql: found("t.participant_id = $3 AND t.approval_status = 'APPROVED'"),
});

/** Operations on participants for staff beyond the public API. */
@Injectable()
export class StaffParticipantsService {
  constructor(
    private readonly database: Database,
    private readonly lists: Lists,
  ) {}

  async search(caller: Caller, asked: ParticipantSearch): Promise<FoundParticipants> {
    const { organizationId, role } = caller;
    const atDesk = role === 'RACE_DAY';
    const most = atDesk ? MOST_AT_DESK : MOST;
    const words = queryOf(asked.search, atDesk);
    if (!words) return { data: [], hasMore: false };
    const { eventOccurrenceId = null, raceId = null, ticketId = null, status = null, tag = null } = asked;
    const database = this.database.of(organizationId);
    const within = [eventOccurrenceId, raceId, ticketId, status, tag && trimmed(tag), most + 1] as const;
    const text = trimmed(asked.search);
    const [named, matching] = await Promise.all([
      atDesk ? [] : NAMED.rows(database, [organizationId, true, text, isId(text) ? text : null, ...within]),
      SEARCH.rows(database, [organizationId, !atDesk, words.index, ...within, words.filter]),
    ]);
    const ids = new Set(named.map(({ id }) => id));
    const rows = [...named, ...matching.filter(({ id }) => !ids.has(id))];
    return { data: rows.slice(0, most), hasMore: rows.length > most };
  }

  /** @throws ApiError 404 if the organization has no such participant */
  async one(caller: Caller, id: string, cursors: Cursors): Promise<JsonText> {
    const { organizationId, role } = caller;
    const [participant, log] = await this.database
      .of(organizationId)
      .transaction(async (manager): Promise<[string, string]> => {
        const found = await ONE.first(manager, [organizationId, role !== 'RACE_DAY', id]);
        const state = found && (await raceDayStateOf(manager, id));
        if (!found || state?.organizationId !== organizationId) throw errors.notFound();
        const { entry, foldedMessages, messageCount } = state;
        const { bibClaim = null, holder = null } = entry ?? {};
        return [JSON.stringify(found), JSON.stringify({ bibClaim, holder, foldedMessages, messageCount })];
      });
    // Read last, so that a message whose effect is shown is not shown as pending.
    const newest = listRequestOf(
      RACE_DAY_MESSAGES_OF_PARTICIPANT,
      caller,
      { 'page[size]': MOST_MESSAGES },
      { id },
      cursors,
    );
    const messages = (await this.lists.walk(RACE_DAY_MESSAGES_OF_PARTICIPANT, newest).next()).value ?? [];
    // The messages are JSON already, and can be megabytes.
    return new JsonText([
      `${participant.slice(0, -1)},"raceDayLog":${log.slice(0, -1)},"messages":[`,
      messages.reverse().join(','),
      ']}}',
    ]);
  }
}

/** The shortest part of an email before its `@` that finds few participants. */
const SELECTIVE = 3;
const DOMAIN = /([^\s@]*)@\S+/gu;

/**
 * Every word must be a prefix of a word of the participant; for the desk, of their name or bib. Undefined without
 * words.
 *
 * Nearly all participants share the words of email domains, such as `com`. So the index only finds what precedes the
 * `@`, and `filter` compares all words with what it found.
 */
function queryOf(text: string, atDesk: boolean): { index: string; filter: string | null } | undefined {
  const all = prefixesOf(text, atDesk);
  if (!all) return undefined;
  const short = text.replace(DOMAIN, (email, local) => (local.length < SELECTIVE ? email : local));
  const index = prefixesOf(short, atDesk);
  return index && index !== all ? { index, filter: all } : { index: all, filter: null };
}

export const prefixesOf = (text: string, atDesk: boolean): string | undefined =>
  searchedWords(text)
    .map((ways) => ways.map((word) => `'${word}':*${atDesk ? 'AC' : ''}`).join(' | '))
    .map((ways) => (ways.includes('|') ? `(${ways})` : ways))
    .join(' & ') || undefined;
