import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers that write change events in the transaction of the change: an event exists if and only if its change
 * committed. Without a surrounding transaction, so that only one table is locked at a time; every statement can be
 * repeated.
 */
export class AnnounceChanges1795000000071 implements MigrationInterface {
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const sql of [ENTRIES, BOOKINGS, OCCURRENCES, PARTNERS, IMPORTS, KEYS]) await queryRunner.query(sql);
    for (const [table, announce] of TABLES) {
      for (const sql of triggersOf(table, announce)) await queryRunner.query(sql);
    }
    for (const sql of ROW_TRIGGERS) await queryRunner.query(sql);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, announce] of TABLES) {
      await queryRunner.query(`DROP TRIGGER IF EXISTS announce_inserted ON ${table}`);
      await queryRunner.query(`DROP TRIGGER IF EXISTS announce_updated ON ${table}`);
      await queryRunner.query(`DROP FUNCTION IF EXISTS ${announce}`);
    }
    await queryRunner.query('DROP TRIGGER IF EXISTS announce_finished ON import_jobs');
    await queryRunner.query('DROP TRIGGER IF EXISTS announce_revoked ON api_keys');
    await queryRunner.query('DROP FUNCTION IF EXISTS announce_import_finished, announce_key_revoked');
  }
}

const TABLES = [
  ['start_list_entries', 'announce_entries'],
  ['bookings', 'announce_bookings'],
  ['event_occurrences', 'announce_occurrences'],
  ['partners', 'announce_partners'],
] as const;

const triggersOf = (table: string, announce: string): string[] => [
  /* sql */ `CREATE OR REPLACE TRIGGER announce_inserted AFTER INSERT ON ${table}
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ${announce}()`,
  /* sql */ `CREATE OR REPLACE TRIGGER announce_updated AFTER UPDATE ON ${table}
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ${announce}()`,
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
export const announcing = (name: string, inserted: string, updated: string): string => /* sql */ `
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

export const INSERTED = `new_rows n JOIN change_event_feeds f ON f.organization_id = n.organization_id`;
/** An update without changes does not change the updated_at of the row. */
export const UPDATED = `${INSERTED} JOIN old_rows o
      ON o.organization_id = n.organization_id AND o.id = n.id AND o.updated_at <> n.updated_at`;

/** The API names of the differing properties. `columns`: the columns behind the name. */
const changed = (names: Record<string, string>): string =>
  `array_remove(ARRAY[${Object.entries(names)
    .map(([name, columns]) => {
      const list = columns.split(' ');
      const row = (alias: string) => `ROW(${list.map((column) => `${alias}.${column}`).join(', ')})`;
      return `CASE WHEN ${row('o')} IS DISTINCT FROM ${row('n')} THEN '${name}' END`;
    })
    .join(', ')}], NULL)`;

export const ENTRY_DATA = `jsonb_build_object('applicationId', n.id,
        'participantId', CASE WHEN n.approval_status = 'APPROVED' THEN n.participant_id END, 'bookingId', n.booking_id,
        'eventId', n.event_id, 'eventOccurrenceId', n.event_occurrence_id, 'raceId', n.race_id, 'ticketId', n.ticket_id)`;

/**
 * One update can have several types. `redacted` excludes others, because it covers everything else that was removed.
 * Remaining changes are `updated`, and so is a row that only signals a change of something that it shows.
 */
export const ENTRIES = announcing(
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
      ${changed({
        bibNumber: 'bib_number',
        shipping: 'shipping_status shipped_at shipping_carrier tracking_number tracking_url',
        customFields: 'race_day_fields',
        metadata: 'bib_claim bib_changed_at shipping_changed_at',
      })} AS race_day,
      ${changed({
        participantIndex: 'participant_index',
        bookingId: 'booking_id',
        eventOccurrenceId: 'event_occurrence_id',
        raceId: 'race_id',
        ticketId: 'ticket_id',
        waves: 'wave_id',
        team: 'team_id team_roles',
        applicationResolutionType: 'application_resolution_type',
        ballotDraw: 'ballot_draw',
        notes: 'application_notes participant_notes',
        fields: 'fields::text email_normalized',
        tags: 'tags',
        originalTicketPrice: 'original_price_value original_price_currency',
        incrementalStatus: 'incremental',
        reservedEntryGroup: 'reserved_entry_group_id partner_id',
        partnerMarketingOptIns: 'partner_marketing_opt_ins',
        resultSubmission: 'result_url result_submitted_at',
        metadata: 'metadata external_participant_id external_assignment_id',
      })} AS fields,
      ${changed({ statusDetails: 'status_details holds_reserved_place cancelled_at approval_status gdpr_redacted' })} AS status
    ) was
    CROSS JOIN LATERAL (SELECT
      CASE WHEN was.participant THEN n.participant_id ELSE n.id END AS subject_id,
      CASE WHEN was.participant THEN 'participant' ELSE 'application' END AS prefix,
      was.participant AND NOT was.decided AND NOT was.redacted AND was.race_day <> '{}' AS race_day_updated,
      was.fields || CASE WHEN was.decided OR was.cancelled THEN '{}' ELSE was.status END
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
);

export const BOOKING_DATA = `jsonb_build_object('bookingId', n.id, 'eventId', n.event_id, 'eventOccurrenceId', n.event_occurrence_id)`;

export const BOOKINGS = announcing(
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
        status: 'status cancelled_at',
        total: 'total_value currency_code',
        booker: 'booker_first_name booker_last_name booker_email booker_phone',
        bookerType: 'booker_type',
        partnerId: 'partner_id',
        discountCode: 'discount_code_id',
        referralCodes: 'referral_codes',
        tracking: 'tracking',
      })} AS changed) was`,
);

const OCCURRENCE_DATA = `jsonb_build_object('eventOccurrenceId', n.id, 'eventId', n.event_id)`;

const OCCURRENCES = announcing(
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
        discoverable: 'discoverable',
      })} AS changed
    FROM ${UPDATED}`,
);

export const PARTNER_DATA = `jsonb_build_object('partnerId', n.id)`;

export const PARTNERS = announcing(
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
      })} AS changed
    FROM ${UPDATED}`,
);

const IMPORTS = /* sql */ `
CREATE OR REPLACE FUNCTION announce_import_finished() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'import.finished', NEW.id, jsonb_build_object('importJobId', NEW.id, 'surface', NEW.surface,
    'status', NEW.status, 'totalRows', NEW.total_rows, 'succeededRows', NEW.succeeded_rows,
    'alreadyImportedRows', NEW.already_imported_rows, 'failedRows', NEW.failed_rows)
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  RETURN NULL;
END $$`;

const KEYS = /* sql */ `
CREATE OR REPLACE FUNCTION announce_key_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change_events (organization_id, id, type, subject_id, data)
  SELECT NEW.organization_id, uuid_v7(), 'key.revoked', NEW.id, jsonb_build_object('keyId', NEW.id, 'kind', NEW.kind)
  FROM change_event_feeds f WHERE f.organization_id = NEW.organization_id;
  RETURN NULL;
END $$`;

/** These changes happen to single rows, and most updates of these tables are of other kinds. */
const ROW_TRIGGERS = [
  /* sql */ `CREATE OR REPLACE TRIGGER announce_finished AFTER UPDATE ON import_jobs FOR EACH ROW
    WHEN (OLD.status <> NEW.status AND NEW.status IN ('COMPLETED', 'FAILED')) EXECUTE FUNCTION announce_import_finished()`,
  /* sql */ `CREATE OR REPLACE TRIGGER announce_revoked AFTER UPDATE ON api_keys FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION announce_key_revoked()`,
];
