import { type FileMapping, type ImportKind, planOf, readSheet, withAmounts, withAnswers } from '#libs/sheets';
import {
  bookingForm,
  bookingFormField,
  DIRTY_QUESTIONS,
  DIRTY_RECORDS,
  dirtySheet,
  discountCode,
  partner,
  wave,
} from '#libs/testing';
import { IMPORT_SHAPES } from '../../libs/client/src/import-shapes';
import { asking, lookUp } from '../../libs/client/src/rows/look-up';
import { sharedApi, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';

/** `.ci/release` takes all. */
const [FILES, COUNTS] = process.env.ALL_DIRTY_FILES
  ? [30, { rows: 1_467, bookings: 1_200, stored: 1_161, refusedByPlan: 36, refusedByImport: 3 }]
  : [10, { rows: 469, bookings: 400, stored: 388, refusedByPlan: 11, refusedByImport: 1 }];
const SEEDS = Array.from({ length: FILES }, (_, i) => 211 + i);
const plain: ImportKind = {
  collection: 'bookings',
  identity: ['externalBookingId'],
  fields: withAmounts(IMPORT_SHAPES['/v0/bookings/import']?.fields ?? []),
};
const kind = withAnswers(plain, DIRTY_QUESTIONS);

let api: TestApi;
let fieldIds: string[];
beforeAll(async () => {
  api = await sharedApi();
  for (const key of ['firstName', 'lastName', 'email', 'dateOfBirth'])
    await bookingFormField(api.dataSource, { organizationId: api.organizationId, key });
  const { organizationId } = api;
  const asked = DIRTY_QUESTIONS.map(({ options, ...question }) =>
    bookingFormField(api.dataSource, { organizationId, ...question, options: [...options] }),
  );
  for (const name of DIRTY_RECORDS.partnerId) await partner(api.dataSource, { organizationId, name });
  for (const code of DIRTY_RECORDS.discountCode) await discountCode(api.dataSource, { organizationId, code });
  fieldIds = (await Promise.all(asked)).map(({ id }) => id);
});
afterAll(() => api.close());

/** A booking of the truth as it is stored: answers under their keys, beside the other properties. */
function flattened(booking: any) {
  const participants = booking.participants.map(({ fields = [], ...person }: any) => ({
    ...person,
    ...Object.fromEntries(fields.map(({ key, value }: any) => [key, value])),
  }));
  return { ...booking, participants };
}

/** What is stored of the bookings of an occurrence, in the shape of their import rows. */
async function storedOf(eventOccurrenceId: string): Promise<Map<string, object>> {
  const rows: { id: string; booking: object }[] = await api.dataSource.query(
    `SELECT b.external_booking_id AS id, jsonb_strip_nulls(jsonb_build_object(
       'externalBookingId', b.external_booking_id,
       'booker', jsonb_build_object('email', b.booker_email, 'firstName', b.booker_first_name, 'lastName', b.booker_last_name),
       'discountCode', (SELECT d.code FROM discount_codes d WHERE d.organization_id = b.organization_id AND d.id = b.discount_code_id),
       'bookerType', nullif(b.booker_type, 'CONSUMER'),
       'partnerId', (SELECT p.name FROM partners p WHERE p.organization_id = b.organization_id AND p.id = b.partner_id),
       'metadata', nullif(b.metadata::jsonb - 'startline', '{}'),
       'bookedAt', to_char(b.booked_at AT TIME ZONE 'Europe/London', 'YYYY-MM-DD"T"HH24:MI:SS'),
       'participants', (SELECT jsonb_agg(jsonb_build_object(
         'bibNumber', e.bib_number,
         'waveId', (SELECT w.title FROM waves w WHERE w.organization_id = e.organization_id AND w.id = e.wave_id),
         'tags', nullif(to_jsonb(e.tags), '[]'),
         'team', (SELECT jsonb_build_object('name', t.name) FROM teams t
           WHERE t.organization_id = e.organization_id AND t.id = e.team_id),
         'price', (SELECT jsonb_build_object('value', l.amount_value, 'currencyCode', l.currency_code) FROM line_items l
           WHERE l.organization_id = e.organization_id AND l.booking_id = e.booking_id AND l.participant_id = e.participant_id
             AND l.item_type = 'TICKET')
         ) || (SELECT jsonb_object_agg(f ->> 'key', f -> 'value') FROM jsonb_array_elements(e.fields::jsonb) f WHERE f -> 'value' <> 'null') ORDER BY e.participant_index)
         FROM start_list_entries e WHERE e.organization_id = b.organization_id AND e.booking_id = b.id))) AS booking
     FROM bookings b WHERE b.organization_id = $1 AND b.event_occurrence_id = $2`,
    [api.organizationId, eventOccurrenceId],
  );
  return new Map(rows.map(({ id, booking }) => [id, booking]));
}

it('stores no altered value: each field of each record is the known one, or its row is refused', async () => {
  const counts = { rows: 0, bookings: 0, stored: 0, refusedByPlan: 0, refusedByImport: 0 };
  for (const seed of SEEDS) {
    const { bytes, paths, currency, order, decimal, truth, spoiled, about } = dirtySheet(seed);
    const { ticket } = await sale(api, { currencyCode: currency });
    const { eventOccurrenceId, raceId } = ticket;
    const waves = DIRTY_RECORDS.waveId.map((title) =>
      wave(api.dataSource, { organizationId: api.organizationId, raceId, title }),
    );
    await Promise.all(waves);
    const names = Object.keys(DIRTY_RECORDS);
    const lookups = {
      ...(await lookUp(asking(api.client()), { names, occurrences: [eventOccurrenceId] })),
      // Only staff can list codes.
      discountCode: DIRTY_RECORDS.discountCode.map((code) => ({ id: code, names: [code] })),
    };
    await bookingForm(api.dataSource, {
      organizationId: api.organizationId,
      ...{ fieldIds, ticketIds: [ticket.id] },
    });
    const mapping: FileMapping = {
      columns: paths,
      ...{ dateOrder: order, decimal },
      values: {
        eventOccurrenceId,
        'participants[0].ticketId': ticket.id,
        'participants[0].price.currencyCode': currency,
      },
    };
    const sheet = await readSheet(bytes);
    const plan = planOf(sheet, kind, mapping, { lookups, today: '2026-11-23' });
    const bookings = plan.items.map(({ body }) => body);
    const job = await importRows(api, 'bookings/import', { bookings });
    const failed = new Set(job.errors.map(({ row }) => bookings[row]?.externalBookingId));
    const stored = await storedOf(eventOccurrenceId);
    for (const [id, booking] of stored)
      expect({ about, booking }).toEqual({ about, booking: flattened(truth.get(id)) });
    const missing = [...truth.keys()].filter((id) => !stored.has(id));
    expect({ about, missing }).toEqual({
      about,
      missing: [...truth.keys()].filter((id) => spoiled.has(id) || failed.has(id)),
    });
    expect(job.errors.filter(({ code }) => code !== 'BIB_NUMBER_TAKEN')).toEqual([]);
    counts.rows += sheet.rows.length;
    counts.bookings += truth.size;
    counts.stored += stored.size;
    counts.refusedByPlan += spoiled.size;
    counts.refusedByImport += failed.size;
  }
  expect(counts).toEqual(COUNTS);
});
