import type { INestApplicationContext } from '@nestjs/common';
import { type FileMapping, type ImportKind, planOf, readSheet, withAmounts } from '#libs/sheets';
import { bookingFormField, dirtySheet } from '#libs/testing';
import { IMPORT_SHAPES } from '../../libs/client/src/import-shapes';
import { startApi, startWorker, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';

const SEEDS = Array.from({ length: 10 }, (_, i) => 201 + i);
const kind: ImportKind = {
  collection: 'bookings',
  identity: ['externalBookingId'],
  fields: withAmounts(IMPORT_SHAPES['/v0/bookings/import']?.fields ?? []),
};

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api);
  for (const key of ['firstName', 'lastName', 'email', 'dateOfBirth'])
    await bookingFormField(api.dataSource, { organizationId: api.organizationId, key });
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

/** What is stored of the bookings of an occurrence, in the shape of their import rows. */
async function storedOf(eventOccurrenceId: string): Promise<Map<string, object>> {
  const rows: { id: string; booking: object }[] = await api.dataSource.query(
    `SELECT b.external_booking_id AS id, jsonb_strip_nulls(jsonb_build_object(
       'externalBookingId', b.external_booking_id,
       'booker', jsonb_build_object('email', b.booker_email, 'firstName', b.booker_first_name, 'lastName', b.booker_last_name),
       'metadata', nullif(b.metadata::jsonb - 'startline', '{}'),
       'participants', (SELECT jsonb_agg(jsonb_build_object(
         'bibNumber', e.bib_number,
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
  const counts = { bookings: 0, stored: 0, refusedByPlan: 0, refusedByImport: 0 };
  for (const seed of SEEDS) {
    const { bytes, paths, currency, order, decimal, truth, spoiled, about } = dirtySheet(seed);
    const { ticket } = await sale(api, { currencyCode: currency });
    const { eventOccurrenceId } = ticket;
    const mapping: FileMapping = {
      columns: paths,
      ...{ dateOrder: order, decimal },
      values: {
        eventOccurrenceId,
        'participants[0].ticketId': ticket.id,
        'participants[0].price.currencyCode': currency,
      },
    };
    const plan = planOf(await readSheet(bytes), kind, mapping, { today: '2026-11-23' });
    const bookings = plan.items.map(({ body }) => body);
    const job = await importRows(api, 'bookings/import', { bookings });
    const failed = new Set(job.errors.map(({ row }) => bookings[row]?.externalBookingId));
    const stored = await storedOf(eventOccurrenceId);
    for (const [id, booking] of stored) expect({ about, booking }).toEqual({ about, booking: truth.get(id) });
    const missing = [...truth.keys()].filter((id) => !stored.has(id));
    expect({ about, missing }).toEqual({
      about,
      missing: [...truth.keys()].filter((id) => spoiled.has(id) || failed.has(id)),
    });
    counts.bookings += truth.size;
    counts.stored += stored.size;
    counts.refusedByPlan += spoiled.size;
    counts.refusedByImport += failed.size;
  }
  expect(counts).toEqual({ bookings: 400, stored: 388, refusedByPlan: 9, refusedByImport: 3 });
});
