import { sharedApi, type TestApi } from '../harness';
import { importRows, sale } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const TEXTS = ['a,b', '{a}', 'a"b', 'a\\b', "it's", 'NULL', 'null', 'ü 👟', 'line\nbreak\ttab', '$1', '\\"'];

describe('values of imported rows', () => {
  it('are stored as they were sent, in lists, objects and texts, beside rows without them', async () => {
    const { row, participant } = await sale(api);
    const bookings = [
      row(),
      ...TEXTS.map((text) =>
        row({
          booker: { email: 'ada@example.com', firstName: text, lastName: 'Lovelace' },
          participants: [participant({ tags: [text, 'other'] })],
          metadata: { [text]: text, none: null, list: [text, 1.5, true] },
          tracking: { source: text },
        }),
      ),
      row({ participants: [participant({ tags: TEXTS })] }),
    ];
    const job = await importRows(api, 'bookings/import', { bookings });
    expect(job).toMatchObject({ succeededRows: bookings.length, failedRows: 0 });
    const stored: {
      tags: string[];
      metadata: Record<string, unknown>;
      tracking: object;
      name: string;
    }[] = await api.dataSource.query(
      `SELECT e.tags, b.metadata, b.tracking, b.booker_first_name AS name FROM start_list_entries e
         JOIN bookings b ON b.organization_id = e.organization_id AND b.id = e.booking_id
         WHERE e.metadata->'startline'->>'importJobId' = $1
         ORDER BY (e.metadata->'startline'->>'importRow')::int`,
      [job.jobId],
    );
    expect(stored.map(({ tags }) => tags)).toEqual([[], ...TEXTS.map((text) => [text, 'other']), TEXTS]);
    expect(stored.map(({ metadata }) => metadata)).toEqual([
      {},
      ...TEXTS.map((text) => ({ [text]: text, none: null, list: [text, 1.5, true] })),
      {},
    ]);
    expect(stored.map(({ tracking }) => tracking)).toEqual([
      {},
      ...TEXTS.map((text) => ({ source: text })),
      {},
    ]);
    expect(stored.slice(1, -1).map(({ name }) => name)).toEqual(TEXTS);
  });

  it('are null where the row has none: limits and periods of discount codes', async () => {
    const discount = { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false };
    const { ticket } = await sale(api);
    const job = await importRows(api, 'discount-codes/import', {
      discountCodes: [
        { code: 'VALUES-1', discount },
        { code: 'VALUES-2', discount: { ...discount, amount: 15 }, limitUsage: 5, ticketIds: [ticket.id] },
      ],
    });
    expect(job).toMatchObject({ succeededRows: 2 });
    expect(
      await api.dataSource.query(
        `SELECT code, discount->'amount' AS amount, limit_usage, ticket_ids FROM discount_codes
         WHERE code LIKE 'VALUES-%' ORDER BY code`,
      ),
    ).toEqual([
      { code: 'VALUES-1', amount: 10, limit_usage: null, ticket_ids: null },
      { code: 'VALUES-2', amount: 15, limit_usage: 5, ticket_ids: [ticket.id] },
    ]);
  });
});
