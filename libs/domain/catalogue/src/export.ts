import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { type Row, type RunsOn, statement } from '#platform/database';
import { type ApiError, MOST_BYTES } from '#platform/validation';

const INSTANT = (column: string) =>
  `regexp_replace(to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '\\.?0*Z$', 'Z')`;
const GIVEN = (json: string) => `CASE WHEN ${json}::text NOT IN ('{}', '[]') THEN ${json} END`;
const TRUE = (column: string) => `CASE WHEN ${column} THEN true END`;
const FALSE = (column: string) => `CASE WHEN NOT ${column} THEN false END`;
const UNLESS = (usual: string, column: string) => `nullif(${column}, '${usual}')`;
const OF = (table: string, alias: string, owner: string) =>
  `FROM ${table} ${alias} WHERE ${alias}.organization_id = $1 AND ${alias}.${owner}`;
/** `$3`: whether to include ids. */
const ID = (alias: string) => `'id', CASE WHEN $3 THEN ${alias}.id END`;
/** A name that is not unique can't be a reference: use the id instead. */
const NAME = (table: string, alias: string, column: string, rivals = 'true') => `
  CASE WHEN $3 AND EXISTS (SELECT FROM ${table} x WHERE x.organization_id = $1
    AND x.${column} = ${alias}.${column} AND x.id <> ${alias}.id AND ${rivals})
  THEN ${alias}.id::text ELSE ${alias}.${column} END`;

/** A partner that is no sub-partner. */
const PARTNER = (alias: string) => NAME('partners', alias, 'name', 'x.parent_partner_id IS NULL');

const ADD_ONS = (owner: string) => `
  (SELECT json_agg(json_build_object(${ID('a')}, 'title', a.title,
      'price', json_build_object('value', a.price_value, 'currencyCode', a.currency_code),
      'variants', (SELECT json_agg(json_build_object(${ID('v')}, 'title', v.title) ORDER BY v.position, v.id)
        ${OF('add_on_variants', 'v', 'add_on_id = a.id')})) ORDER BY a.id)
    ${OF('add_ons', 'a', owner)})`;

const TICKETS = `
  (SELECT json_agg(json_build_object(${ID('t')}, 'ticketSlug', t.slug, 'title', t.title,
      'titleByLocale', ${GIVEN('t.title_by_locale')}, 'description', ${UNLESS('', 't.description')},
      'price', json_build_object('value', t.price_value, 'currencyCode', t.currency_code),
      'saleStart', ${INSTANT('t.sale_start')}, 'saleEnd', ${INSTANT('t.sale_end')},
      'maxCapacity', t.max_capacity, 'approval', ${UNLESS('INSTANT', 't.approval')},
      'competitorSize', nullif(t.unit_size, 1), 'asksDonation', ${TRUE('t.asks_donation')},
      'isDeleted', CASE WHEN t.deleted_at IS NOT NULL THEN true END,
      'bookingForms', (SELECT json_agg(${NAME('booking_forms', 'f', 'title')} ORDER BY f.id)
        FROM ticket_booking_forms tf JOIN booking_forms f ON f.organization_id = $1 AND f.id = tf.booking_form_id
        WHERE tf.organization_id = $1 AND tf.ticket_id = t.id)) ORDER BY t.position, t.id)
    ${OF('tickets', 't', 'race_id = r.id')})`;

const RACES = `
  (SELECT json_agg(json_build_object(${ID('r')}, 'title', r.title,
      'titleByLocale', ${GIVEN('r.title_by_locale')}, 'discipline', r.discipline,
      'distance', ${GIVEN("json_strip_nulls(json_build_object('value', r.distance_value, 'unit', r.distance_unit))")},
      'startDate', r.start_date, 'startTime', r.start_time, 'maxCapacity', r.max_capacity,
      'course', CASE WHEN r.course_title IS NOT NULL THEN
        json_build_object('id', CASE WHEN $3 THEN r.course_id END, 'title', r.course_title) END,
      'waves', (SELECT json_agg(json_build_object(${ID('w')}, 'title', w.title,
          'startDateTime', ${INSTANT('w.start_date_time')}, 'capacity', w.capacity) ORDER BY w.position, w.id)
        ${OF('waves', 'w', 'race_id = r.id')}),
      'tickets', ${TICKETS}) ORDER BY r.position, r.id)
    ${OF('races', 'r', 'event_occurrence_id = o.id')})`;

const GROUPS = `
  (SELECT json_agg(json_build_object(${ID('g')}, 'code', g.code, 'name', g.name, 'description', g.description,
      'url', g.url, 'type', ${UNLESS('MULTI_USE', 'g.type')}, 'maxCapacity', g.max_capacity,
      'partner', (SELECT ${PARTNER('top')} ${OF(
        'partners',
        'top',
        `id IN (
        SELECT coalesce(p.parent_partner_id, p.id) ${OF('partners', 'p', 'id = g.partner_id')})`,
      )}),
      'subPartner', (SELECT CASE WHEN $3 THEN p.id::text ELSE p.name END
        ${OF('partners', 'p', 'id = g.partner_id')} AND p.parent_partner_id IS NOT NULL),
      'settings', ${GIVEN(`json_strip_nulls(json_build_object(
        'canPartnerCancel', ${TRUE('g.can_partner_cancel')},
        'reserveCapacity', ${UNLESS('RESERVE_CAPACITY', 'g.reserve_capacity')},
        'reallocateOnCancel', ${TRUE('g.reallocate_on_cancel')},
        'domainRestriction', g.domain_restriction, 'deadline', ${INSTANT('g.deadline')}))`)},
      'tickets', (SELECT json_agg(json_build_object('ticketSlug', t.slug, 'maxCapacity', gt.max_capacity,
          'discount', gt.discount, 'startDateTime', ${INSTANT('gt.start_date_time')}) ORDER BY gt.position, t.id)
        FROM reserved_entry_group_tickets gt JOIN tickets t ON t.organization_id = $1 AND t.id = gt.ticket_id
        WHERE gt.organization_id = $1 AND gt.reserved_entry_group_id = g.id)) ORDER BY g.id)
    ${OF('reserved_entry_groups', 'g', 'event_occurrence_id = o.id')})`;

/** One SELECT per kind of record, in the order in which records can be loaded. */
const RECORDS = [
  `SELECT f.id, json_build_object('record', 'bookingFormField', ${ID('f')}, 'key', f.key, 'label', f.label,
     'type', f.type, 'options', ${GIVEN('f.options')}, 'required', ${TRUE('f.required')}, 'helpText', f.help_text)
   ${OF('booking_form_fields', 'f', 'id = ANY ($2)')}`,
  `SELECT b.id, json_build_object('record', 'bookingForm', ${ID('b')}, 'title', b.title,
     'fields', (SELECT json_agg(f.key ORDER BY e.position, f.id) FROM booking_form_entries e
       JOIN booking_form_fields f ON f.organization_id = $1 AND f.id = e.field_id
       WHERE e.organization_id = $1 AND e.booking_form_id = b.id))
   ${OF('booking_forms', 'b', 'id = ANY ($2)')}`,
  `SELECT e.id, json_build_object('record', 'event', ${ID('e')}, 'slug', e.slug, 'title', e.title,
     'addOns', ${ADD_ONS('event_id = e.id AND a.event_occurrence_id IS NULL')})
   ${OF('events', 'e', 'id = ANY ($2)')}`,
  `SELECT p.id, json_build_object('record', 'partner', ${ID('p')}, 'name', p.name, 'description', p.description,
     'type', p.type, 'contacts', ${GIVEN('p.contacts')}, 'defaultMarketing', p.default_marketing,
     'specificMarketings', (SELECT json_agg(jsonb_build_object('event', e.slug) || (m.marketing - 'eventId')
         ORDER BY m.place)
       FROM jsonb_array_elements(p.specific_marketings) WITH ORDINALITY AS m (marketing, place)
       JOIN events e ON e.organization_id = $1 AND e.id = (m.marketing->>'eventId')::uuid),
     'externalIds', (SELECT json_object_agg(x.type, x.external_id ORDER BY x.type)
       ${OF('partner_external_ids', 'x', 'partner_id = p.id')}),
     'canCreateSubPartners', ${TRUE('p.can_create_sub_partners')},
     'parentPartner', (SELECT ${PARTNER('top')} ${OF('partners', 'top', 'id = p.parent_partner_id')}))
   ${OF('partners', 'p', 'id = ANY ($2)')}`,
  `SELECT o.id, json_build_object('record', 'occurrence', ${ID('o')},
     'event', (SELECT e.slug ${OF('events', 'e', 'id = o.event_id')}), 'slug', o.slug, 'title', o.title,
     'titleByLocale', ${GIVEN('o.title_by_locale')}, 'tags', ${GIVEN('to_json(o.tags)')},
     'content', ${GIVEN('o.content')}, 'startDate', o.start_date, 'timeZone', o.time_zone,
     'location', ${GIVEN(`json_strip_nulls(json_build_object(
       'coordinates', CASE WHEN o.latitude IS NOT NULL AND o.longitude IS NOT NULL THEN
         json_build_object('latitude', o.latitude, 'longitude', o.longitude) END,
       'address', ${GIVEN('o.address')}))`)},
     'images', ${GIVEN(`json_strip_nulls(json_build_object('hero', o.hero_url, 'logo', o.logo_url,
       'all', ${GIVEN('to_json(o.image_urls)')}))`)},
     'published', ${FALSE('o.published')}, 'status', o.called_off, 'discoverable', ${FALSE('o.discoverable')},
     'races', ${RACES}, 'addOns', ${ADD_ONS('event_occurrence_id = o.id')},
     'referralPrograms', (SELECT json_agg(json_build_object(${ID('rp')}, 'title', rp.title) ORDER BY rp.id)
       ${OF('referral_programs', 'rp', 'event_occurrence_id = o.id')}),
     'reservedEntryGroups', ${GROUPS})
   ${OF('event_occurrences', 'o', 'id = ANY ($2)')}`,
];

/** The records with the ids `$2`, of each kind. */
const BY_ID = RECORDS.map((select) =>
  statement({
    parameters: ['uuid', 'uuid[]', 'boolean'],
    columns: { id: 'uuid', record: 'text' },
    sql: `SELECT id, json_strip_nulls(json_build_object)::text AS record FROM (${select}) records ORDER BY id`,
  }),
);

/** The tables of the records, and how many of them are read at a time: some megabytes at most, as they can be written over HTTP. */
const KINDS = [
  { table: 'booking_form_fields', piece: 100 },
  { table: 'booking_forms', piece: 20 },
  { table: 'events', piece: 2 },
  { table: 'partners', piece: 50 },
  { table: 'event_occurrences', piece: 1 },
];

/** Which of the ids, or of all, are records of each kind. */
const OF_KINDS = statement({
  parameters: ['uuid', 'uuid[]?'],
  columns: { id: 'uuid!', kind: 'int!' },
  sql: `${KINDS.map(
    ({ table }, kind) =>
      `SELECT id, ${kind} AS kind FROM ${table} WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2))`,
  ).join(' UNION ALL ')} ORDER BY id`,
});

/** A record as it is stored, as a catalogue file has it with ids. */
export interface StoredRecord {
  id: string;
  /** Differs if and only if the text of the record does. */
  version: string;
  /** JSON. */
  text: string;
}

/**
 * The records of any kind with these ids, in the order in which they can be loaded. They are read in pieces, each in a turn of the
 * event loop of its own.
 *
 * @param tooLarge what is thrown as soon as they have more than the permitted bytes together
 */
export async function storedRecords(
  runsOn: RunsOn,
  organizationId: string,
  ids: readonly string[],
  tooLarge: (bytes: number) => ApiError,
): Promise<StoredRecord[]> {
  if (ids.length === 0) return [];
  const found: StoredRecord[] = [];
  let left: number = MOST_BYTES.records;
  for await (const piece of pieces(runsOn, organizationId, { among: [...ids], ids: true })) {
    for (const { id, record: text } of piece) {
      left -= Buffer.byteLength(text);
      found.push({ id, version: versionOf(text), text });
    }
    if (left < 0) throw tooLarge(MOST_BYTES.records);
  }
  return found;
}

/** Records in the order in which they can be loaded, a piece at a time. */
async function* pieces(
  runsOn: RunsOn,
  organizationId: string,
  { among, ids }: { among: string[] | null; ids: boolean },
): AsyncGenerator<Row<(typeof BY_ID)[number]>[]> {
  const known = await OF_KINDS.rows(runsOn, [organizationId, among]);
  for (const [at, { piece }] of KINDS.entries()) {
    const ofKind = known.filter(({ kind }) => kind === at).map(({ id }) => id);
    for (let from = 0; from < ofKind.length; from += piece)
      yield (await BY_ID[at]?.rows(runsOn, [organizationId, ofKind.slice(from, from + piece), ids])) ?? [];
  }
}

/** The texts of occurrences by id. */
export async function occurrenceTexts(
  runsOn: RunsOn,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const piece of pieces(runsOn, organizationId, { among: [...ids], ids: true }))
    for (const { id, record } of piece) texts.set(id, record);
  return texts;
}

const versionOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** The records of which an occurrence consists: the fields and forms of its tickets, its event, and itself. */
const PARTS = statement({
  parameters: ['uuid', 'uuid'],
  columns: { id: 'uuid!' },
  sql: `
    WITH forms AS (
      SELECT DISTINCT f.booking_form_id AS id FROM tickets t
      JOIN ticket_booking_forms f ON f.organization_id = t.organization_id AND f.ticket_id = t.id
      WHERE t.organization_id = $1 AND t.event_occurrence_id = $2)
    SELECT id FROM event_occurrences WHERE organization_id = $1 AND id = $2
    UNION ALL SELECT event_id FROM event_occurrences WHERE organization_id = $1 AND id = $2
    UNION ALL SELECT id FROM forms
    UNION ALL SELECT DISTINCT e.field_id FROM booking_form_entries e
      WHERE e.organization_id = $1 AND e.booking_form_id IN (SELECT id FROM forms)
  `,
});

/** The part of the catalogue that an occurrence consists of, without partners; empty if there is no such occurrence. */
export async function partOfOccurrence(
  runsOn: RunsOn,
  organizationId: string,
  id: string,
  tooLarge: (bytes: number) => ApiError,
): Promise<StoredRecord[]> {
  const parts = await PARTS.rows(runsOn, [organizationId, id]);
  const ids = parts.map((part) => part.id);
  return storedRecords(runsOn, organizationId, ids, tooLarge);
}

/**
 * A consistent snapshot of the organization's catalogue, one JSON text per record, as input of `loadCatalogue`.
 * Properties with their default value are omitted.
 *
 * @param ids whether to include ids; omit them to load the catalogue into another organization
 */
export async function* exportCatalogue(
  dataSource: DataSource,
  { organizationId, ids }: { organizationId: string; ids: boolean },
): AsyncGenerator<string> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction('REPEATABLE READ');
    for await (const piece of pieces(runner.manager, organizationId, { among: null, ids }))
      for (const { record } of piece) yield record;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}
