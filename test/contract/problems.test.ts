import { newId } from '#platform/validation';
import { type Asker, startAsker } from './asker';
import { BODIES } from './bodies';
import { operation, pathOf } from './document';
import { expectRefused, raw } from './refused';

let asker: Asker;
beforeAll(async () => {
  asker = await startAsker();
});
afterAll(() => asker.api.close());

const send = (name: string, body: unknown) => {
  const of = operation(name);
  return raw(asker.api, of.method, pathOf(of, asker.whole.ids), {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    token: asker.tokenFor(of),
  });
};

const problemsOf = async (name: string, body: unknown) => {
  const answer = await send(name, body);
  expectRefused(answer, 400);
  return answer.body.problems.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
};

/** Protects programs that show problems where they are: they rely on path and code, and people on the message. */
describe('a rejected body reports all its problems', () => {
  it('of every row of a batch, with the row and its external id', async () => {
    const [good] = (BODIES.importCredits as (whole: object) => { credits: object[] })(asker.whole).credits;
    const { body } = await send('importCredits', {
      credits: [
        good,
        { ...good, externalCreditId: 'b', email: 'nobody', amount: { value: 1.5, currencyCode: 'XXX' } },
        { ...good, externalCreditId: 'c', amount: { value: 0, currencyCode: 'GBP' } },
        good,
        5,
        { externalCreditId: 7, colour: 'red' },
      ],
    });
    const mark = (good as { externalCreditId: string }).externalCreditId;
    expect(
      body.problems.map((one: Record<string, unknown>) => [one.row, one.externalId, one.path, one.code]),
    ).toEqual([
      [1, 'b', 'credits[1].email', 'INVALID_FORMAT'],
      [1, 'b', 'credits[1].amount.value', 'INVALID_TYPE'],
      [1, 'b', 'credits[1].amount.currencyCode', 'INVALID_VALUE'],
      [2, 'c', 'credits[2].amount.value', 'OUT_OF_RANGE'],
      [3, mark, 'credits[3].externalCreditId', 'DUPLICATE'],
      [4, null, 'credits[4]', 'INVALID_TYPE'],
      [5, null, 'credits[5].colour', 'UNKNOWN_PROPERTY'],
      [5, null, 'credits[5].email', 'REQUIRED'],
      [5, null, 'credits[5].amount', 'REQUIRED'],
      [5, null, 'credits[5].externalCreditId', 'INVALID_TYPE'],
    ]);
    expect(body.message).toBe('credits[1].email must be an email address');
  });

  it('up to 100', async () => {
    const { body } = await send('importCredits', { credits: Array(5_000).fill({}) });
    expect(body.problems).toHaveLength(100);
    expect(body.problems[99].row).toBe(33);
  });

  it('of timing messages', async () => {
    const good = BODIES.ingestTiming?.(asker.whole) as { data: object };
    expect(
      await problemsOf('ingestTiming', [
        good,
        { ...good, schemaVersion: 2, changedAt: 'soon' },
        { ...good, data: { bibNumber: 5, shipping: { status: 'LOST' } } },
      ]),
    ).toEqual([
      '[1].schemaVersion INVALID_VALUE',
      '[1].changedAt INVALID_FORMAT',
      '[2].data.bibNumber INVALID_TYPE',
      '[2].data.shipping.shippedAt REQUIRED',
      '[2].data.shipping.status INVALID_VALUE',
    ]);
    expect(
      await problemsOf('ingestTiming', [
        { ...good, changedAt: '1969-01-01' },
        { ...good, changedAt: '1969-01-01T00:00:00Z' },
        { ...good, data: { participantId: asker.whole.ids.participants } },
      ]),
    ).toEqual(['[0].changedAt INVALID_FORMAT']);
  });

  it('of partners', async () => {
    expect(
      await problemsOf('createPartner', {
        name: null,
        contacts: [{ firstName: ' ', lastName: 5, email: 'x' }, {}],
        externalIds: { FACEBOOK: 'x' },
        specificMarketings: 7,
        canCreateSubPartners: 'yes',
      }),
    ).toEqual(
      expect.arrayContaining([
        'name INVALID_TYPE',
        'contacts[0].firstName TOO_SHORT',
        'contacts[0].lastName INVALID_TYPE',
        'contacts[0].email INVALID_FORMAT',
        'contacts[1].firstName REQUIRED',
        'contacts[1].lastName REQUIRED',
        'contacts[1].email REQUIRED',
        'externalIds.FACEBOOK UNKNOWN_PROPERTY',
        'specificMarketings INVALID_TYPE',
        'canCreateSubPartners INVALID_TYPE',
      ]),
    );
  });

  it('of race-day updates, discount codes and registration checks', async () => {
    expect(await problemsOf('updateRaceDay', { bibNumber: 5, customFields: [5, { value: 1 }] })).toEqual([
      'bibNumber INVALID_TYPE',
      'customFields[0] INVALID_TYPE',
      'customFields[1].id REQUIRED',
    ]);
    expect(await problemsOf('updateDiscountCode', { group: 5, code: 'X' })).toEqual([
      'code UNKNOWN_PROPERTY',
      'group INVALID_TYPE',
    ]);
    expect(await problemsOf('registrationStatus', { mail: 'a@b.example' })).toEqual([
      'mail UNKNOWN_PROPERTY',
      'email REQUIRED',
    ]);
  });
});

describe('a message describes the problem', () => {
  const ID = newId();
  const [code] = (BODIES.importDiscountCodes as any)({
    ids: { 'event-occurrences': ID, tickets: ID, partners: ID },
  }).discountCodes;
  const discount = (value: unknown) => ({ discountCodes: [{ ...code, discount: value }] });
  it.each([
    [
      'importDiscountCodes',
      discount({ type: 'X' }),
      'discountCodes[0].discount.type must be one of FLAT_RATE, PERCENTAGE',
    ],
    ['importDiscountCodes', discount({}), 'discountCodes[0].discount.type is missing'],
    ['importDiscountCodes', discount(5), 'discountCodes[0].discount must be an object'],
    ['importDiscountCodes', discount({ type: 'PERCENTAGE' }), 'discountCodes[0].discount.amount is missing'],
    ['updateDiscountCode', { group: 5 }, 'group must be a string or null'],
    ['updateDiscountCode', { limitUsage: 1 }, 'limitUsage is not a known property'],
    ['importDiscountCodes', { codes: [] }, 'codes is not a known property'],
    [
      'importDiscountCodes',
      { discountCodes: [{ name: 'X' }] },
      'discountCodes[0].name is not a known property',
    ],
    ['updatePartner', { name: null }, 'name must be a string'],
    ['updatePartner', { defaultMarketing: 5 }, 'defaultMarketing must be an object'],
    ['updatePartner', { defaultMarketing: {} }, 'defaultMarketing.optInText is missing'],
    ['updateRaceDay', { customFields: [5] }, 'customFields[0] must be an object'],
  ])('%s %j', async (name, body, message) => {
    const answer = await send(name, body);
    expectRefused(answer, 400, message);
  });
});
