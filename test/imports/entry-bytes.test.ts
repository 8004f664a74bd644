import { bookingForm, bookingFormField } from '#libs/testing';
import { MOST_BYTES } from '#platform/validation';
import { sharedApi, type TestApi } from '../harness';
import { errorsOf, importRows, sale } from './import';

let api: TestApi;
let sold: Awaited<ReturnType<typeof sale>>;
let question: string;
beforeAll(async () => {
  api = await sharedApi();
  sold = await sale(api);
  const { id } = await bookingFormField(api.dataSource, {
    organizationId: api.organizationId,
    ...{ key: 'story', label: 'Your story', type: 'TEXT' as const },
  });
  question = id;
  await bookingForm(api.dataSource, {
    organizationId: api.organizationId,
    fieldIds: [id],
    ticketIds: [sold.ticket.id],
  });
});
afterAll(() => api.close());

const importing = (bookings: object[], method = 'POST') =>
  importRows(api, 'bookings/import', { bookings }, { method });
const large = (text: string, count: number) => ({ text: text.repeat(count) });
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
/** Six bytes in JSON. */
const CONTROL = '\u0001';

describe('the bytes of an entry', () => {
  it.each([
    ['characters of three bytes', () => ({ metadata: large('東', 5_500), tracking: large('東', 5_500) })],
    [
      'escapes',
      () => ({
        metadata: large(CONTROL, 1_600),
        tracking: large('"', 4_900),
        participants: [{ fields: CONTROL, count: 3_200 }],
      }),
    ],
    ['numbers with exponents', () => ({ metadata: { list: Array.from({ length: 800 }, () => 1e39) } })],
    [
      'answers, metadata and tracking together',
      () => ({
        metadata: large('m', 9_900),
        tracking: large('t', 9_900),
        participants: [{ fields: 'a', count: 19_000 }],
      }),
    ],
  ])('are limited: %s', async (_, given) => {
    const { participants: [asked] = [], ...booking } = given() as any;
    const fields = asked && [{ id: question, value: asked.fields.repeat(asked.count) }];
    const participants = [sold.participant(), sold.participant({ fields })];
    const job = await importing([sold.row({ ...booking, participants }), sold.row()]);
    expect(errorsOf(job)).toEqual([[0, 'TOO_LARGE']]);
    expect(job.errors[0].message).toMatch(/^participants\[[01]\] would have \d+ bytes .* more than 29500$/);
    expect(job.succeededRows).toBe(1);
  });

  it('keep a page of the largest entries under 24 MB, whatever they consist of', async () => {
    const texts = ['x', '東', CONTROL];
    // The participants share what their booking says.
    const row = (n: number) => {
      const text = texts[n % 3] as string;
      const each = bytesOf(text) - 2;
      return sold.row({
        metadata: large(text, 9_800 / each),
        tracking: large(text, 9_800 / each),
        participants: Array.from({ length: 20 }, () =>
          sold.participant({ fields: [{ id: question, value: text.repeat(7_500 / each) }] }),
        ),
      });
    };
    const job = await importing(Array.from({ length: 25 }, (_, n) => row(n)));
    expect(job).toMatchObject({ succeededRows: 25, failedRows: 0 });
    const occurrence = sold.ticket.eventOccurrenceId;
    const page = await api.get(
      `/v0/participants?eventOccurrenceId=${occurrence}&page[size]=500&extendMetadata=true&sort[createdAt]=-1`,
    );
    expect(page.body.data).toHaveLength(500);
    const bytes = Buffer.byteLength(page.text);
    expect(bytes).toBeGreaterThan(500 * (MOST_BYTES.entry - 3_000));
    expect(bytes).toBeLessThan(24_000_000);
  });

  it('are limited in corrections, where an entry that is larger already may shrink', async () => {
    const row = sold.row({ metadata: large('東', 3_000) });
    const first = await importing([row]);
    const [{ participantIds, bookingId }] = first.results;
    const [id] = participantIds;
    const tooLarge = await importing(
      [
        {
          ...row,
          tracking: large('東', 9_900 / 3),
          metadata: large(CONTROL, 1_600),
          participants: [sold.participant({ fields: [{ id: question, value: '東'.repeat(5_000) }] })],
        },
      ],
      'PUT',
    );
    expect(errorsOf(tooLarge)).toEqual([[0, 'TOO_LARGE']]);
    const answer = { fields: [{ id: question, value: '東'.repeat(6_000) }], metadata: large('東', 5_000) };
    const refused = await api.send('PATCH', `/v0/participants/${id}`, answer);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(/^The participant would have \d+ bytes .* more than 29500/);

    await api.dataSource.query('UPDATE bookings SET tracking = $2 WHERE id = $1', [
      bookingId,
      large('東', 12_000),
    ]);
    expect((await api.get(`/v0/participants/${id}`)).body.tracking.text).toHaveLength(12_000);
    expect((await api.send('PATCH', `/v0/participants/${id}`, { tags: ['more'] })).status).toBe(400);
    const shrunk = await importing([{ ...row, tracking: large('東', 11_000 / 4), metadata: {} }], 'PUT');
    expect(shrunk.results).toMatchObject([{ outcome: 'UPDATED' }]);
    expect((await api.send('PATCH', `/v0/participants/${id}`, { tags: ['more'] })).status).toBe(200);
  });

  it('are limited in the paths of what a correction changed: of many, the participants are named', async () => {
    const mine = { organizationId: api.organizationId };
    const other = await sale(api);
    const fields = [];
    for (let n = 0; n < 101; n++)
      fields.push(
        await bookingFormField(api.dataSource, { ...mine, key: `q${n}`, label: 'Q', type: 'TEXT' }),
      );
    const fieldIds = fields.map(({ id }) => id);
    await bookingForm(api.dataSource, { ...mine, fieldIds, ticketIds: [other.ticket.id] });
    const asked = (value: string) => other.participant({ fields: fieldIds.map((id) => ({ id, value })) });
    const row = other.row({ participants: [asked('a'), asked('a')] });
    await importing([row]);
    const many = await importing([{ ...row, participants: [asked('b'), asked('b')] }], 'PUT');
    expect(many.results[0].differs).toEqual(['participants[0]', 'participants[1]']);
    const fewer = await importing([{ ...row, participants: [asked('c'), asked('b')] }], 'PUT');
    expect(fewer.results[0].differs).toHaveLength(101);
  });
});
