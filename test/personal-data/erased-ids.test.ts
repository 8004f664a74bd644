import type { INestApplicationContext } from '@nestjs/common';
import { copiesOf, ERASURE_SECRET, reservedEntryGroup } from '#libs/testing';
import { type CommandLine, commandLine } from '../cli/startline';
import { startApi, startWorker, type TestApi } from '../harness';
import { importRows } from '../imports/import';
import { type StartLists, startLists } from '../start-list/fixture';

const HASH = /^erased-[\w-]{32}$/;

let api: TestApi;
let worker: INestApplicationContext;
let cli: CommandLine;
beforeAll(async () => {
  api = await startApi({ ERASURE_SECRET });
  worker = await startWorker(api, { ERASURE_SECRET });
  cli = await commandLine(api.databaseUrl, { ERASURE_SECRET });
});
afterAll(async () => {
  await cli.close();
  await worker.close();
  await api.close();
});

const erase = ({ slug }: StartLists, email: string) =>
  cli.run('person', 'erase', '--organization', slug, '--email', email, '--yes');

const load = ({ slug }: StartLists, rows: object[], ...options: string[]) => {
  const file = cli.file('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  const words = ['start-list', 'load', file, '--organization', slug, ...options];
  return cli.run(...words);
};

/** Its organization may use the imports. */
async function organizationWithLists(): Promise<StartLists> {
  const lists = await startLists(api, cli);
  const surfaces = ['bookingsImport', 'creditsImport', 'lineItemsImport', 'reservedEntriesImport'];
  await cli.run('organization', 'enable', lists.slug, ...surfaces);
  return lists;
}

const price = { value: 500, currencyCode: 'GBP' };

it('makes no team of an erased person again when start-list load gets the row again', async () => {
  const lists = await organizationWithLists();
  const person = { email: 'racer@example.com', firstName: 'Ada', lastName: 'Racer' };
  const friend = { email: 'friend-of-racer@example.com', firstName: 'Bea', lastName: 'Friend' };
  const participants = [
    lists.participant({ ...person, team: { name: "Ada Racer's team" } }),
    lists.participant(friend),
  ];
  const row = lists.row('with-a-team', { booker: friend, participants });
  await load(lists, [row]);
  await erase(lists, person.email);
  expect((await load(lists, [row])).answer).toMatchObject({ unchanged: 1, failed: 0 });
  const teams = await api.dataSource.query('SELECT name FROM teams WHERE organization_id = $1', [
    lists.organizationId,
  ]);
  expect(teams).toEqual([{ name: expect.stringMatching(/^Team /) }]);
});

describe('an external id that contains the address of an erased person', () => {
  it('is recognized by start-list load, which stores nothing of its row', async () => {
    const lists = await organizationWithLists();
    const booker = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const friend = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
    const tags = ['friend of Ada Lovelace'];
    const participants = [lists.participant({ email: booker.email }), lists.participant({ ...friend, tags })];
    const row = lists.row('order-ada@example.com-1', { booker, participants, metadata: { by: 'Ada' } });
    const other = lists.row('order-ada@example.com.au-2', { booker: friend });
    expect((await load(lists, [row, other])).answer).toMatchObject({ created: 2 });
    const { booking } = await lists.read('order-ada%40example.com-1');
    await erase(lists, booker.email);
    const before = await lists.state();
    expect(JSON.stringify(before)).not.toMatch(/ada@example\.com[^.]/i);

    const again = await load(lists, [row, { ...other, metadata: { corrected: true } }]);
    expect(again).toMatchObject({ code: 0, answer: { created: 0, updated: 1, unchanged: 1, failed: 0 } });
    expect(await load(lists, [row], '--dry-run')).toMatchObject({ code: 0, answer: { unchanged: 1 } });
    expect(await lists.state()).toEqual(before);
    const { body } = await api.get('/v0/bookings/external/order-ada%40example.com-1', lists.token);
    expect(body.data).toMatchObject([{ id: booking.id, externalBookingId: expect.stringMatching(HASH) }]);

    // A cancelled booking frees its id for another one, but not for the data that was erased.
    await cli.run('booking', 'cancel', booking.id);
    expect((await load(lists, [row])).answer).toMatchObject({ created: 0, cancelledBefore: 1 });
    expect((await lists.state()).length).toBe(before.length);
  });

  it('is found by the filters of lists', async () => {
    const lists = await organizationWithLists();
    const email = 'mary@example.com';
    const id = `order-${email}`;
    const credit = { externalCreditId: `credit-${email}`, email, amount: price };
    const { token } = lists;
    const bookings = [{ ...lists.row(id), booker: { email, firstName: 'M', lastName: 'S' } }];
    const [{ participantIds }] = (await importRows(api, 'bookings/import', { bookings }, { token })).results;
    const made = await importRows(api, 'credits/import', { credits: [credit] }, { token });
    await erase(lists, email);
    const found = async (path: string) =>
      (await api.get(path, token)).body.data.map((each: { id: string }) => each.id);
    const named = encodeURIComponent(id);
    expect(await found(`/v0/participants?externalBookingId=${named}`)).toEqual(participantIds);
    expect(await found(`/v0/applications?externalBookingId=${named}`)).toHaveLength(1);
    const credits = `/v0/credits?externalCreditId=${encodeURIComponent(credit.externalCreditId)}`;
    expect(await found(credits)).toEqual([made.results[0].creditId]);
    expect(await found(`/v0/participants?externalBookingId=x${named}`)).toEqual([]);
  });

  it('keeps what was spent of a credit, and what is spent later', async () => {
    const lists = await organizationWithLists();
    const { token } = lists;
    const email = 'joan@example.com';
    const externalCreditId = `credit-${email}-1`;
    const credits = [{ externalCreditId, email, amount: { ...price, value: 1000 } }];
    const { results } = await importRows(api, 'credits/import', { credits }, { token });
    const bookings = [lists.row('plain')];
    await importRows(api, 'bookings/import', { bookings }, { token });
    const spend = (serial: number) =>
      importRows(
        api,
        'bookings/line-items/import',
        {
          lineItems: [
            {
              ...{ externalLineItemId: `spent-${serial}`, externalBookingId: 'plain', itemType: 'CREDIT' },
              ...{ itemId: externalCreditId, name: 'Credit', amount: { ...price, value: -300 } },
            },
          ],
        },
        { token },
      );
    const balance = async () =>
      (await api.get(`/v0/credits/${results[0].creditId}`, token)).body.balance.value;
    await spend(1);
    expect(await balance()).toBe(700);
    await erase(lists, email);
    expect(await balance()).toBe(700);
    expect(await spend(2)).toMatchObject({ failedRows: 0 });
    expect(await balance()).toBe(400);
    const items = await api.dataSource.query(
      "SELECT DISTINCT item_id FROM line_items WHERE organization_id = $1 AND item_type = 'CREDIT'",
      [lists.organizationId],
    );
    expect(JSON.stringify(items)).not.toContain(email);
  });

  it('keeps what a person spent of a credit, if one of their two entries is redacted', async () => {
    const lists = await organizationWithLists();
    const { token } = lists;
    const email = 'karen@example.com';
    const externalCreditId = `credit-${email}`;
    const credits = [{ externalCreditId, email, amount: { ...price, value: 1000 } }];
    const { results } = await importRows(api, 'credits/import', { credits }, { token });
    const booker = { email, firstName: 'Karen', lastName: 'Jones' };
    const participants = [lists.participant(booker)];
    const bookings = ['one', 'two'].map((name) => ({ ...lists.row(name, { booker, participants }) }));
    const made = await importRows(api, 'bookings/import', { bookings }, { token });
    const spent = {
      ...{ externalLineItemId: 'spent', externalBookingId: 'one', itemType: 'CREDIT', name: 'Credit' },
      ...{ itemId: externalCreditId, amount: { ...price, value: -300 } },
    };
    await importRows(api, 'bookings/line-items/import', { lineItems: [spent] }, { token });
    const credit = async () => (await api.get(`/v0/credits/${results[0].creditId}`, token)).body;
    expect((await credit()).balance.value).toBe(700);
    const [participantId] = (made.results as any)[0].participantIds;
    expect((await cli.run('participant', 'redact', participantId)).code).toBe(0);
    expect(await credit()).toMatchObject({ externalCreditId, balance: { value: 700 } });
    const items = (await api.get(`/v0/bookings/${(made.results as any)[0].bookingId}/line-items`, token))
      .text;
    expect(items).not.toContain(email);
  });

  it('creates no person again after the record was cancelled, by bookings and assignments', async () => {
    const lists = await organizationWithLists();
    const { token, organizationId, instant } = lists;
    const email = 'edith@example.com';
    const person = { email, firstName: 'Edith', lastName: 'Clarke' };
    const group = await reservedEntryGroup(api.dataSource, { organizationId, ticketId: instant.id });
    const sent: [string, object][] = [
      ['bookings/import', { bookings: [{ ...lists.row(`order-${email}`), booker: person }] }],
      [
        'reserved-entries/participants/import',
        {
          assignments: [
            {
              ...{ externalAssignmentId: `place-${email}`, reservedEntryGroupId: group.id },
              ...{ ticketSlug: instant.slug, participant: person },
            },
          ],
        },
      ],
    ];
    for (const [path, body] of sent) {
      const { results } = await importRows(api, path, body, { token });
      await cli.run('booking', 'cancel', results[0].bookingId);
    }
    await erase(lists, email);
    const before = await lists.state();
    for (const [path, body] of sent) {
      expect(await importRows(api, path, body, { token })).toMatchObject({
        errors: [{ code: 'NOT_CORRECTABLE', externalId: expect.stringMatching(HASH) }],
      });
    }
    expect(await lists.state()).toEqual(before);
    const [{ kept }] = await api.dataSource.query(
      "SELECT count(*)::int AS kept FROM import_rows WHERE organization_id = $1 AND payload::text LIKE '%edith%'",
      [organizationId],
    );
    expect(kept).toBe(0);
  });

  it('is the id of another record that has it in plain text', async () => {
    const lists = await organizationWithLists();
    const { token } = lists;
    const email = 'hedy@example.com';
    const id = `order-${email}`;
    const bookings = [{ ...lists.row(id), booker: { email, firstName: 'H', lastName: 'L' } }];
    await importRows(api, 'bookings/import', { bookings }, { token });
    await erase(lists, email);
    // As a release without the secret makes it.
    await api.dataSource.query(
      `INSERT INTO bookings ${copiesOf(
        'b',
        `jsonb_build_object('id', uuid_v7(), 'external_booking_id', $2::text)`,
        'FROM bookings b WHERE organization_id = $1',
      )}`,
      [lists.organizationId, id],
    );
    const { results } = await importRows(api, 'bookings/import', { bookings }, { token });
    expect(results).toMatchObject([{ outcome: 'ALREADY_IMPORTED', externalBookingId: id }]);
  });
});
