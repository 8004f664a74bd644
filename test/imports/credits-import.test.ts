import { event, key, organization } from '#libs/testing';
import { Credit, newId } from '#platform/database';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

const PATH = 'credits/import';
let serial = 0;
const row = (given: object = {}) => ({
  externalCreditId: `credit-${++serial}`,
  email: 'Ada@Example.com',
  amount: { value: 2500, currencyCode: 'GBP' },
  ...given,
});
const post = (credits: object[]) => importRows(api, PATH, { credits });

describe('POST /v0/credits/import', () => {
  it('stores each credit, and reports its id', async () => {
    const { id: eventId } = await event(api.dataSource, { organizationId: api.organizationId });
    const rows = [row({ eventId, reason: 'Cancelled swim', expiresAt: '2030-01-02T03:04:05+01:00' }), row()];
    const job = await post(rows);
    expect(job).toMatchObject({ surface: 'creditsImport', succeededRows: 2, errors: [] });
    expect(job.results).toEqual(
      rows.map(({ externalCreditId }, i) => ({
        row: i,
        outcome: 'IMPORTED',
        alreadyImported: false,
        externalCreditId,
        creditId: expect.any(String),
      })),
    );
    const [first, second] = await Promise.all(
      job.results.map(({ creditId: id }: any) =>
        api.dataSource.getRepository(Credit).findOneByOrFail({ organizationId: api.organizationId, id }),
      ),
    );
    expect(first).toMatchObject({
      externalCreditId: rows[0]?.externalCreditId,
      email: 'Ada@Example.com',
      emailNormalized: 'ada@example.com',
      amountValue: '2500',
      currencyCode: 'GBP',
      reason: 'Cancelled swim',
      expiresAt: new Date('2030-01-02T02:04:05Z'),
      eventId,
    });
    expect(second).toMatchObject({ reason: null, expiresAt: null, eventId: null });
  });

  it('reports a row whose id exists, and changes nothing', async () => {
    const one = row();
    const [first] = (await post([one])).results;
    const job = await post([{ ...one, amount: { value: 1, currencyCode: 'EUR' } }, row()]);
    expect(job).toMatchObject({ alreadyImportedRows: 1, succeededRows: 1 });
    expect(job.results[0]).toEqual({ ...first, outcome: 'ALREADY_IMPORTED', alreadyImported: true });
    const kept = await api.dataSource.getRepository(Credit).findOneByOrFail({ id: first.creditId });
    expect(kept).toMatchObject({ amountValue: '2500', currencyCode: 'GBP' });
  });

  it('separates ids of organizations', async () => {
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    const one = row();
    await post([one]);
    const job = await importRows(api, PATH, { credits: [one] }, { token });
    expect(job).toMatchObject({ succeededRows: 1, alreadyImportedRows: 0 });
  });

  it('fails only the row whose event is unknown or belongs to another organization', async () => {
    const { id: strangers } = await organization(api.dataSource);
    const foreign = await event(api.dataSource, { organizationId: strangers });
    const job = await post([row({ eventId: newId() }), row(), row({ eventId: foreign.id })]);
    expect(errorsOf(job)).toEqual([
      [0, 'EVENT_NOT_FOUND'],
      [2, 'EVENT_NOT_FOUND'],
    ]);
    expect(job.succeededRows).toBe(1);
  });

  it('rejects a malformed batch, naming row and field', async () => {
    const good = row();
    const wrong: [object[], string][] = [
      [
        [good, row({ amount: { value: 0, currencyCode: 'GBP' } })],
        'credits[1].amount.value must be greater than 0',
      ],
      [
        [row({ amount: { value: -5, currencyCode: 'GBP' } })],
        'credits[0].amount.value must be greater than 0',
      ],
      [[row({ email: 'nobody' })], 'credits[0].email must be an email address'],
      [[row({ expiresAt: '2030-02-30T00:00:00Z' })], 'credits[0].expiresAt must be an ISO 8601 date-time'],
      [[row({ externalCreditId: '' })], 'credits[0].externalCreditId must not be blank'],
      [[good, good], 'credits[1].externalCreditId is the same as in credits[0]'],
    ];
    for (const [credits, message] of wrong) {
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { credits });
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('does not support PUT', async () => {
    expect((await api.send('PUT', `/v0/${PATH}`, { credits: [row()] })).status).toBe(405);
  });
});
