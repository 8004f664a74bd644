/**
 * What moves with a change, and the change events that say so. An event exists if and only if its change committed: triggers write it in
 * the same transaction. A record moves its `updated_at` whenever something that its response shows changes, and its event names the
 * property. What belongs to the record moves it in the same transaction. A change of a shared record, which any number of entries may show,
 * is noted in `pending_refreshes`, and workers move the entries.
 */

/** The properties that a touch announces. Empty in other updates. */
const named = (table: string) =>
  `coalesce(nullif(current_setting('startline.changed_${table}', true), '')::text[], '{}')`;

/**
 * Moves the times of rows that show something else that has changed, and announces `names`. Locks in the order of ids. A session
 * that fills an empty database keeps the plans of empty tables, which would read all rows.
 */
const touching = (table: string, name: string) => /* sql */ `
CREATE FUNCTION ${name}(organization uuid, ids uuid[], names text[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM ${table} WHERE organization_id = organization AND id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  PERFORM set_config('startline.changed_${table}', names::text, true);
  UPDATE ${table} SET updated_at = clock_timestamp() WHERE organization_id = organization AND id = ANY (ids);
  PERFORM set_config('startline.changed_${table}', '', true);
END $$`;

const TOUCHING = [
  touching('start_list_entries', 'touch_entries'),
  touching('bookings', 'touch_bookings'),
  touching('partners', 'touch_partners'),
];

/**
 * Writes `changes (organization_id, type, subject_id, event_occurrence_id, data, changed)`. If this transaction
 * already announced an `updated` of the row, the new change is merged into that event, which no other session can
 * have seen. The xmin of the row identifies the transaction.
 */
const WRITE = /* sql */ `
  merged AS (
    UPDATE change_events e SET data = jsonb_set(e.data, '{changed}', (
      SELECT coalesce(jsonb_agg(name ORDER BY name), '[]') FROM (
        SELECT jsonb_array_elements_text(e.data->'changed') AS name UNION SELECT unnest(c.changed)) names))
    FROM changes c
    WHERE right(c.type, 7) = 'updated' AND right(e.type, 7) = 'updated' AND e.type = c.type
      AND e.organization_id = c.organization_id AND e.subject_id = c.subject_id
      AND e.occurred_at >= transaction_timestamp() AND e.xmin = pg_current_xact_id()::xid
    RETURNING e.organization_id, e.subject_id, e.type
  )
  INSERT INTO change_events (organization_id, id, type, subject_id, event_occurrence_id, data)
  SELECT c.organization_id, uuid_v7(), c.type, c.subject_id, c.event_occurrence_id,
    jsonb_strip_nulls(c.data) || CASE WHEN c.changed IS NULL THEN '{}' ELSE jsonb_build_object('changed', to_jsonb(c.changed)) END
  FROM changes c
  WHERE NOT EXISTS (SELECT FROM merged m
    WHERE m.organization_id = c.organization_id AND m.subject_id = c.subject_id AND m.type = c.type)
`;

/**
 * The function of a statement trigger. It costs almost nothing if no organization of the rows has a feed. Otherwise
 * the statements are planned for the current rows: a cached plan for a single row would compare a thousand rows with
 * a thousand. With few events in the table, PostgreSQL would scan it instead of using its index.
 *
 * @param inserted, updated SELECTs of `changes`; rows are `n`, before the update `o`
 */
const announcing = (name: string, inserted: string, updated: string): string => /* sql */ `
CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $body$
BEGIN
  PERFORM FROM (SELECT DISTINCT organization_id FROM new_rows) n
    JOIN change_event_feeds f ON f.organization_id = n.organization_id LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    EXECUTE $sql$ WITH changes AS MATERIALIZED (${inserted}), ${WRITE} $sql$;
  ELSE
    EXECUTE $sql$ WITH changes AS MATERIALIZED (${updated}), ${WRITE} $sql$;
  END IF;
  RETURN NULL;
END $body$`;

const INSERTED = `new_rows n JOIN change_event_feeds f ON f.organization_id = n.organization_id`;
/** An update without changes does not change the updated_at of the row. */
const UPDATED = `${INSERTED} JOIN old_rows o
      ON o.organization_id = n.organization_id AND o.id = n.id AND o.updated_at <> n.updated_at`;

/** The columns behind a property, or an expression of a row. */
type Shown = Record<string, string | ((row: string) => string)>;

const changed = (shown: Shown, [before, after] = ['o', 'n']): string =>
  `array_remove(ARRAY[${Object.entries(shown)
    .map(([name, by]) => {
      const value = (row: string) =>
        typeof by === 'function'
          ? by(row)
          : `ROW(${by
              .split(' ')
              .map((column) => `${row}.${column}`)
              .join(', ')})`;
      return `CASE WHEN ${value(before as string)} IS DISTINCT FROM ${value(after as string)} THEN '${name}' END`;
    })
    .join(', ')}]::text[], NULL)`;

const OF_RACE_DAY: Shown = {
  bibNumber: 'bib_number bib_written',
  raceDayDetails: 'shipping_status shipped_at shipping_carrier tracking_number tracking_url race_day_fields',
  shipping: 'shipping_status shipped_at shipping_carrier tracking_number tracking_url',
  customFields: 'race_day_fields',
  raceDayErrors: (row) =>
    `(${row}.bib_claim IS NOT NULL AND ${row}.bib_claim IS DISTINCT FROM ${row}.bib_number)`,
  metadata: 'bib_changed_at shipping_changed_at',
};

const ofReservedGroup = Object.fromEntries(
  ['Url', 'GroupCode', 'GroupName', 'PartnerName', 'PartnerExternalIds'].map((part) => [
    `reservedEntry${part}`,
    'reserved_entry_group_id',
  ]),
);
const ofRace = Object.fromEntries(
  [
    'raceId',
    'raceName',
    'raceStartDate',
    'ageOnRaceDay',
    'sportId',
    'distanceId',
    'distances',
    'disciplineLabel',
    'course',
  ].map((name) => [name, 'race_id']),
);

const OF_ENTRY: Shown = {
  participantIndex: 'participant_index',
  bookingId: 'booking_id',
  externalParticipantId: 'external_participant_id',
  eventOccurrenceId: 'event_occurrence_id',
  ...ofRace,
  ticketId: 'ticket_id',
  ticketTitle: 'ticket_id',
  competitorSize: 'ticket_id',
  waves: 'wave_id',
  team: 'team_id team_roles',
  applicationResolutionType: 'application_resolution_type',
  ballotDraw: 'ballot_draw',
  notes: 'application_notes participant_notes',
  hasDonated: 'has_donated',
  fields: 'fields::text',
  tags: 'tags',
  originalTicketPrice: 'original_price_value original_price_currency',
  incrementalStatus: 'incremental',
  ...ofReservedGroup,
  bookingCodesUsed: 'reserved_entry_group_id',
  partnerMarketingOptIns: 'partner_marketing_opt_ins',
  charityOptIn: 'partner_marketing_opt_ins',
  resultSubmission: 'result_url result_submitted_at',
  metadata: 'metadata external_participant_id external_assignment_id',
};

const ENTRY_DATA = `jsonb_build_object('applicationId', n.id,
        'participantId', CASE WHEN n.approval_status = 'APPROVED' THEN n.participant_id END, 'bookingId', n.booking_id,
        'eventId', n.event_id, 'eventOccurrenceId', n.event_occurrence_id, 'raceId', n.race_id, 'ticketId', n.ticket_id)`;

const BOOKING_DATA = `jsonb_build_object('bookingId', n.id, 'eventId', n.event_id, 'eventOccurrenceId', n.event_occurrence_id)`;

const OCCURRENCE_DATA = `jsonb_build_object('eventOccurrenceId', n.id, 'eventId', n.event_id)`;

const PARTNER_DATA = `jsonb_build_object('partnerId', n.id)`;

/**
 * One update can have several types. `redacted` excludes others, because it covers everything else that was removed.
 * Remaining changes are `updated`, and so is a row that only signals a change of something that it shows.
 */
const ANNOUNCING = [
  announcing(
    'announce_entries',
    /* sql */ `
    SELECT n.organization_id, happened.type, happened.subject_id, n.event_occurrence_id, ${ENTRY_DATA} AS data, NULL::text[] AS changed
    FROM ${INSERTED}
    CROSS JOIN LATERAL (VALUES
      ('application.created', n.id, true),
      ('participant.created', n.participant_id, n.approval_status = 'APPROVED')
    ) happened (type, subject_id, holds)
    WHERE happened.holds`,
    /* sql */ `
    SELECT n.organization_id, happened.type, is_now.subject_id, n.event_occurrence_id, ${ENTRY_DATA} AS data, happened.changed
    FROM ${UPDATED}
    CROSS JOIN LATERAL (SELECT
      n.approval_status = 'APPROVED' AS participant,
      o.approval_status <> n.approval_status AS decided,
      o.cancelled_at IS NULL AND n.cancelled_at IS NOT NULL AS cancelled,
      NOT o.gdpr_redacted AND n.gdpr_redacted AS redacted,
      ${changed(OF_RACE_DAY)} AS race_day,
      ${changed(OF_ENTRY)} AS fields,
      ${changed({ statusDetails: 'status_details holds_reserved_place cancelled_at approval_status gdpr_redacted' })} AS status
    ) was
    CROSS JOIN LATERAL (SELECT
      CASE WHEN was.participant THEN n.participant_id ELSE n.id END AS subject_id,
      CASE WHEN was.participant THEN 'participant' ELSE 'application' END AS prefix,
      was.participant AND NOT was.decided AND NOT was.redacted AND was.race_day <> '{}' AS race_day_updated,
      was.fields || ${named('start_list_entries')}
        || CASE WHEN was.decided OR was.cancelled THEN '{}' ELSE was.status END
        || CASE WHEN was.participant THEN '{}' ELSE was.race_day END AS rest
    ) is_now
    CROSS JOIN LATERAL (VALUES
      (is_now.prefix || '.redacted', was.redacted, NULL::text[]),
      ('application.decided', was.decided, NULL),
      ('participant.created', was.decided AND was.participant, NULL),
      (is_now.prefix || '.cancelled', was.cancelled, NULL),
      ('participant.race_day_updated', is_now.race_day_updated, was.race_day),
      (is_now.prefix || '.updated', NOT was.redacted AND (is_now.rest <> '{}'
        OR NOT (was.decided OR was.cancelled OR is_now.race_day_updated)), is_now.rest)
    ) happened (type, holds, changed)
    WHERE happened.holds`,
  ),
  announcing(
    'announce_bookings',
    /* sql */ `
    SELECT n.organization_id, 'booking.created' AS type, n.id AS subject_id, n.event_occurrence_id, ${BOOKING_DATA} AS data,
      NULL::text[] AS changed
    FROM ${INSERTED}`,
    /* sql */ `
    SELECT n.organization_id, CASE WHEN was.cancelled THEN 'booking.cancelled' ELSE 'booking.updated' END AS type,
      n.id AS subject_id, n.event_occurrence_id, ${BOOKING_DATA} AS data, CASE WHEN NOT was.cancelled THEN was.changed END AS changed
    FROM ${UPDATED}
    CROSS JOIN LATERAL (SELECT o.status <> 'CANCELLED' AND n.status = 'CANCELLED' AS cancelled,
      ${changed({
        externalBookingId: 'external_booking_id',
        source: 'source',
        status: 'status',
        total: 'total_value currency_code',
        currencyCode: 'currency_code',
        booker: 'booker_first_name booker_last_name booker_email booker_phone',
        bookerType: 'booker_type',
        partnerId: 'partner_id',
        discountCode: 'discount_code_id',
        referralCodes: 'referral_codes',
        tracking: 'tracking',
        metadata: 'metadata',
        bookedAt: 'booked_at',
        cancelledAt: 'cancelled_at',
      })} || ${named('bookings')} AS changed) was`,
  ),
  announcing(
    'announce_occurrences',
    /* sql */ `
      SELECT n.organization_id, 'event_occurrence.created' AS type, n.id AS subject_id, n.id AS event_occurrence_id,
        ${OCCURRENCE_DATA} AS data, NULL::text[] AS changed
      FROM ${INSERTED}`,
    /* sql */ `
      SELECT n.organization_id, 'event_occurrence.updated' AS type, n.id AS subject_id, n.id AS event_occurrence_id,
        ${OCCURRENCE_DATA} AS data,
        ${changed({
          title: 'title title_by_locale',
          tags: 'tags',
          content: 'content',
          startDate: 'start_date time_zone',
          location: 'latitude longitude address',
          images: 'hero_url logo_url image_urls',
          published: 'published',
          status: 'called_off',
          discoverable: 'discoverable',
        })} AS changed
      FROM ${UPDATED}`,
  ),
  announcing(
    'announce_partners',
    /* sql */ `
    SELECT n.organization_id, 'partner.created' AS type, n.id AS subject_id, NULL::uuid AS event_occurrence_id,
      ${PARTNER_DATA} AS data, NULL::text[] AS changed
    FROM ${INSERTED}`,
    /* sql */ `
    SELECT n.organization_id, 'partner.updated' AS type, n.id AS subject_id, NULL::uuid AS event_occurrence_id,
      ${PARTNER_DATA} AS data,
      ${changed({
        name: 'name',
        description: 'description',
        type: 'type',
        contacts: 'contacts',
        defaultMarketing: 'default_marketing',
        specificMarketings: 'specific_marketings',
        canCreateSubPartners: 'can_create_sub_partners',
      })} || ${named('partners')} AS changed
    FROM ${UPDATED}`,
  ),
];

const TABLES = [
  ['start_list_entries', 'announce_entries'],
  ['bookings', 'announce_bookings'],
  ['event_occurrences', 'announce_occurrences'],
  ['partners', 'announce_partners'],
] as const;

/** The names of these triggers sort before those of versions, which run last. */
const trigger = (table: string, name: string, when: string, run: string) =>
  /* sql */ `
CREATE TRIGGER ${name} AFTER ${when} EXECUTE FUNCTION ${run}()`.replace(' ON_TABLE', ` ON ${table}`);

const AS_STATEMENT = {
  INSERT: 'INSERT ON_TABLE REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT',
  UPDATE: 'UPDATE ON_TABLE REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT',
  DELETE: 'DELETE ON_TABLE REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT',
};

const BOTH = `new_rows n JOIN old_rows o ON o.organization_id = n.organization_id AND o.id = n.id`;

/** Planned for the rows of the statement. */
const PLANNED = 'LANGUAGE plpgsql SET enable_seqscan = off';

/** What entries show of their booking. A redacted entry shows neither booker nor tracking. */
const BY_BOOKING: Shown = {
  externalBookingId: 'external_booking_id',
  transactionId: 'transaction_id',
  booker: 'booker_first_name booker_last_name booker_email booker_phone',
  bookerType: 'booker_type',
  bookingCodesUsed: 'discount_code_id referral_codes',
  tracking: 'tracking',
  bookingSource: 'source',
  metadata: 'booked_at',
};

const OWN = [
  /* sql */ `
CREATE FUNCTION touch_entries_of_bookings() RETURNS trigger ${PLANNED} AS $body$
DECLARE
  moved record;
BEGIN
  FOR moved IN EXECUTE $sql$
    SELECT e.organization_id, shown.names, array_agg(e.id) AS ids
    FROM ${BOTH} AND o.updated_at <> n.updated_at
    CROSS JOIN LATERAL (SELECT ${changed(BY_BOOKING)} AS names OFFSET 0) shown
    JOIN start_list_entries e ON e.organization_id = n.organization_id AND e.booking_id = n.id
    WHERE shown.names <> '{}' AND NOT (e.gdpr_redacted AND shown.names <@ '{booker,tracking}')
    GROUP BY 1, 2 ORDER BY 1, 2
  $sql$ LOOP
    PERFORM touch_entries(moved.organization_id, moved.ids, moved.names);
  END LOOP;
  RETURN NULL;
END $body$`,
  trigger('bookings', 'touch_entries', AS_STATEMENT.UPDATE, 'touch_entries_of_bookings'),
  // Whoever changes this has locked the booking before.
  /* sql */ `
CREATE FUNCTION touch_bookings_of_entries() RETURNS trigger ${PLANNED} AS $body$
DECLARE
  moved record;
BEGIN
  FOR moved IN EXECUTE $sql$
    SELECT organization_id, names, array_agg(booking_id) AS ids FROM (
      SELECT n.organization_id, n.booking_id, array_remove(ARRAY[
        CASE WHEN bool_or((o.approval_status = 'APPROVED') <> (n.approval_status = 'APPROVED')) THEN 'participantIds' END,
        CASE WHEN bool_or(o.metadata <> n.metadata OR o.gdpr_redacted <> n.gdpr_redacted) THEN 'metadata' END], NULL) AS names
      FROM ${BOTH}
      WHERE o.approval_status <> n.approval_status OR o.metadata <> n.metadata OR o.gdpr_redacted <> n.gdpr_redacted
      GROUP BY 1, 2) shown
    WHERE names <> '{}' GROUP BY 1, 2 ORDER BY 1, 2
  $sql$ LOOP
    PERFORM touch_bookings(moved.organization_id, moved.ids, moved.names);
  END LOOP;
  RETURN NULL;
END $body$`,
  trigger('start_list_entries', 'touch_bookings', AS_STATEMENT.UPDATE, 'touch_bookings_of_entries'),
  /* sql */ `
CREATE FUNCTION touch_partners_of_external_ids() RETURNS trigger ${PLANNED} AS $body$
DECLARE
  moved record;
BEGIN
  FOR moved IN EXECUTE format('SELECT organization_id, array_agg(DISTINCT partner_id) AS ids FROM (%s) changed GROUP BY 1',
    CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT * FROM new_rows'
      WHEN 'DELETE' THEN 'SELECT * FROM old_rows'
      ELSE 'SELECT * FROM new_rows EXCEPT SELECT * FROM old_rows'
    END) LOOP
    PERFORM touch_partners(moved.organization_id, moved.ids, '{externalIds}');
    PERFORM request_refresh(moved.organization_id, 'partners', id, NULL, '{reservedEntryPartnerExternalIds}')
      FROM (SELECT unnest(moved.ids) AS id ORDER BY 1) partners;
  END LOOP;
  RETURN NULL;
END $body$`,
  ...(['INSERT', 'UPDATE', 'DELETE'] as const).map((when) =>
    trigger(
      'partner_external_ids',
      `touch_partners_on_${when.toLowerCase()}`,
      AS_STATEMENT[when],
      'touch_partners_of_external_ids',
    ),
  ),
];

/**
 * One pending refresh for each shared record. The names of a change during a refresh wait in `changed_since`, so that the running
 * walk reaches its end however often the record changes. Only the transaction that holds the lock of the record comes here,
 * and workers do not wait for the row, so it can't be part of a deadlock.
 */
const REQUEST = /* sql */ `
CREATE FUNCTION request_refresh(organization uuid, shared text, record uuid, event uuid, names text[])
RETURNS void LANGUAGE sql AS $$
  INSERT INTO pending_refreshes AS pending (organization_id, source, source_id, event_id, changed)
  VALUES (organization, shared, record, event, names)
  ON CONFLICT (organization_id, source, source_id) DO UPDATE SET
    changed = CASE WHEN pending.after_id IS NULL
      THEN array(SELECT unnest(pending.changed) UNION SELECT unnest(EXCLUDED.changed) ORDER BY 1) ELSE pending.changed END,
    changed_since = CASE WHEN pending.after_id IS NOT NULL
      THEN array(SELECT unnest(pending.changed_since) UNION SELECT unnest(EXCLUDED.changed) ORDER BY 1) END,
    requested_at = CASE WHEN pending.after_id IS NULL THEN clock_timestamp() ELSE pending.requested_at END
$$`;

interface SharedTable {
  /** The event of the entries that show the row; null if they can be anywhere. */
  event: string;
  shown: Shown;
  /** The name in `pending_refreshes`, if it is not the table's. */
  source?: string;
  when?: string;
}

/** The columns that entries show of shared records, by property. */
const SHOWN_BY_ENTRIES: Record<string, SharedTable[]> = {
  events: [{ event: 'NEW.id', shown: { eventName: 'title' } }],
  event_occurrences: [
    {
      event: 'NEW.event_id',
      shown: {
        raceStartDate: 'time_zone',
        // In the timing list, for races without a date of their own.
        ageOnRaceDay: 'start_date',
        eventLocation: 'latitude longitude address',
      },
    },
  ],
  races: [
    {
      event: 'NEW.event_id',
      shown: {
        raceName: 'title',
        raceStartDate: 'start_date start_time',
        ageOnRaceDay: 'start_date',
        sportId: 'discipline',
        disciplineLabel: 'discipline',
        distanceId: 'distance_value distance_unit',
        distances: 'distance_value distance_unit',
        course: 'course_id course_title distance_value distance_unit',
      },
    },
  ],
  tickets: [
    {
      event: 'NEW.event_id',
      shown: { ticketTitle: 'title', competitorSize: 'unit_size', hasDonated: 'asks_donation' },
    },
  ],
  waves: [
    {
      event: '(SELECT event_id FROM races WHERE organization_id = NEW.organization_id AND id = NEW.race_id)',
      shown: { waves: 'title start_date_time capacity' },
    },
  ],
  teams: [
    {
      event: `(SELECT event_id FROM event_occurrences
        WHERE organization_id = NEW.organization_id AND id = NEW.event_occurrence_id)`,
      shown: { team: 'name' },
    },
  ],
  reserved_entry_groups: [
    {
      event: 'NEW.event_id',
      shown: {
        reservedEntryUrl: 'url',
        reservedEntryGroupCode: 'code',
        bookingCodesUsed: 'code',
        reservedEntryGroupName: 'name',
        reservedEntryPartnerName: 'partner_id',
        reservedEntryPartnerExternalIds: 'partner_id',
      },
    },
  ],
  partners: [
    { event: 'NULL', shown: { reservedEntryPartnerName: 'name' } },
    {
      event: 'NULL',
      shown: { charityOptIn: 'name type' },
      source: 'charities',
      when: `'CHARITY' IN (OLD.type, NEW.type)`,
    },
  ],
};

const FUNCTION_OF = (source: string) => `refresh_entries_of_${source}`;

/**
 * For single rows, because their condition costs less than a function call for each statement: most updates of these rows change
 * counters and times.
 */
const SHARED = Object.entries(SHOWN_BY_ENTRIES).flatMap(([table, parts]) =>
  parts.flatMap(({ event, shown, source = table, when }) => {
    const columns = [...new Set(Object.values(shown).flatMap((by) => (by as string).split(' ')))];
    const row = (name: string) => `(${columns.map((column) => `${name}.${column}`).join(', ')})`;
    const differs = `${row('OLD')} IS DISTINCT FROM ${row('NEW')}${when ? ` AND ${when}` : ''}`;
    return [
      /* sql */ `
CREATE FUNCTION ${FUNCTION_OF(source)}() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  given record;
BEGIN
  SELECT ${event}::uuid AS event_id, ${changed(shown, ['OLD', 'NEW'])} AS names INTO given;
  PERFORM request_refresh(NEW.organization_id, '${source}', NEW.id, given.event_id, given.names);
  RETURN NULL;
END $body$`,
      trigger(
        table,
        `refresh_${source}`,
        `UPDATE ON_TABLE FOR EACH ROW WHEN (${differs})`,
        FUNCTION_OF(source),
      ),
    ];
  }),
);

export const announcements: string[] = [
  ...TOUCHING,
  ...ANNOUNCING,
  ...TABLES.flatMap(([table, announce]) => [
    trigger(table, 'announce_inserted', AS_STATEMENT.INSERT, announce),
    trigger(table, 'announce_updated', AS_STATEMENT.UPDATE, announce),
  ]),
  REQUEST,
  ...OWN,
  ...SHARED,
];
