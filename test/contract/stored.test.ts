import { randomBytes } from 'node:crypto';
import { type INestApplicationContext, Post } from '@nestjs/common';
import { key, storedBytes, type WholeOrganization, wholeOrganization } from '#libs/testing';
import {
  Operation,
  type OperationDeclaration,
  operationsOf,
  requireDeclaredRoutes,
  type Writes,
} from '#platform/http';
import { type Browser, signedIn } from '../console/console';
import { startApi, type TestApi, UNLIMITED } from '../harness';
import { BODIES } from './bodies';
import { ALL_OPERATIONS, type DocumentedOperation, operation, pathOf } from './document';

/** Relations grow by pages: a table, its indexes and the audit log. */
const PAGES = 200_000;
/** Of a file that is read, each in a process, or of hundreds of tickets, fewer. */
const timesOf = (body: object | undefined) =>
  JSON.stringify(body ?? '').length > 20_000 || (body && 'content' in body) ? 3 : 10;

let api: TestApi;
let whole: WholeOrganization;
let owner: Browser;
let ids: Record<string, string>;
const tokens: Record<string, string> = {};
let declared: Map<string, Writes | undefined>;
beforeAll(async () => {
  api = await startApi(UNLIMITED);
  whole = await wholeOrganization(api.dataSource, { mark: 'harbourmile' });
  ids = { ...whole.ids };
  const { organizationId } = whole;
  for (const kind of ['ORGANIZER', 'TIMING'] as const)
    tokens[kind] = (await key(api.dataSource, { organizationId, kind })).token;
  owner = (await signedIn(api, 'OWNER', undefined, organizationId)).browser;
  declared = new Map(operationsOf(api.app).map(({ name, writes }) => [name, writes]));
});
afterAll(() => api.close());

const send = (of: DocumentedOperation, body?: object) =>
  of.access.keys.length > 0
    ? api.send(of.method, pathOf(of, ids), body, tokens[of.access.keys[0] as string])
    : owner.ask(of.method as 'POST', pathOf(of, ids), body);

/** The bytes that requests stored, and the most that they may store. */
async function stored(name: string, body: () => object | undefined) {
  const of = operation(name);
  const { request, byte = 0, row } = declared.get(name) as Writes;
  let most = PAGES;
  let accepted = 0;
  const before = await storedBytes(api.dataSource);
  const times = timesOf(body());
  for (let n = 0; n < times; n++) {
    const sent = body();
    const { status, body: answer } = await send(of, sent);
    most += request + byte * JSON.stringify(sent ?? '').length;
    if (status !== 200) continue;
    accepted += 1;
    // What is created is changed and removed by the others.
    if (of.method === 'POST')
      ids[of.path.split('/').at(-1) as string] ??= answer?.id ?? (answer?.key ?? answer?.member)?.id;
    most += row ? row.bytes * row.rows(answer) : 0;
  }
  return { accepted, times, bytes: (await storedBytes(api.dataSource)) - before, most };
}

/** Text that can't be compressed. */
const text = (length: number) => randomBytes(length).toString('hex').slice(0, length);
/** After the others: they remove what those write, or the session. */
const LAST = [
  ...[
    'transferParticipant',
    'changeStaffRole',
    'resetStaff',
    'removeStaff',
    'restrictKey',
    'rotateKey',
    'revokeKey',
  ],
  ...['deleteFileMapping', 'deleteWebhookEndpoint', 'redactParticipant', 'erasePerson', 'cancelParticipant'],
  ...[
    'cancelBooking',
    'cancelImport',
    'redeemStaffLink',
    'signIn',
    'setPassword',
    'signOut',
    'mailSignInLink',
  ],
];
/** What is not there to be changed, or a session that has ended. */
const REFUSED = [
  ...['applyDryRun', 'undoImport', 'drawBallot', 'updateStaffDiscountCode'],
  ...['redeemStaffLink', 'signIn', 'setPassword', 'mailSignInLink'],
];
const NAMES = ALL_OPERATIONS.filter(({ method }) => method !== 'GET').map(({ name }) => name);

const occurrence = (slug: string, more: object) => ({
  records: [
    { record: 'event', slug, title: 'Run' },
    { record: 'occurrence', slug, event: slug, title: 'Run', timeZone: 'Europe/London', ...more },
  ],
});
const races = () =>
  Array.from({ length: 5 }, (_, race) => ({
    title: `R${race}`,
    tickets: Array.from({ length: 100 }, (_, n) => ({
      ...{ ticketSlug: `t-${race}-${n}`, title: text(4), price: { value: 0, currencyCode: 'ZERO' } },
    })),
  }));
const LARGE: [string, string, () => object][] = [
  ['a tag', 'correctParticipant', () => ({ tags: [text(8)] })],
  [
    'a long answer',
    'correctParticipant',
    () => ({ fields: [{ id: whole.ids['booking-form-fields'], value: text(9_000) }] }),
  ],
  ['a long text', 'updatePartner', () => ({ description: text(1_000) })],
  ['changed tickets', 'writeCatalogueAsStaff', () => occurrence('short', { races: races() })],
  ['new tickets', 'writeCatalogue', () => occurrence(`new-${text(8)}`, { races: races() })],
  [
    'long texts',
    'writeCatalogueAsStaff',
    () => occurrence('long', { content: { excerpt: text(20_000), travel: text(20_000) } }),
  ],
];

/** Each write counts for the day with what it stores at most: without a bound, one key can fill the disk of all organizations. */
describe('a write stores at most what it declares', () => {
  it.each(LARGE)('%s by %s', async (_, name, body) => {
    const { accepted, times, bytes, most } = await stored(name, body);
    expect(accepted).toBe(times);
    expect(bytes).toBeLessThan(most);
  });

  it.each([...NAMES.filter((name) => !LAST.includes(name)), ...LAST])('%s', async (name) => {
    const { accepted, bytes, most } = await stored(name, () => BODIES[name]?.(whole));
    expect(bytes).toBeLessThan(most);
    if (!REFUSED.includes(name)) expect(accepted).toBeGreaterThan(0);
  });
});

it('must be declared by an action, or the API does not start', () => {
  class Rotations {
    rotate() {}
  }
  const declaration = {
    ...{ name: 'rotate', group: 'Console', summary: 'Rotate' },
    keys: [],
    rate: 'wide',
    answers: Object,
  } as OperationDeclaration;
  const action = Object.getOwnPropertyDescriptor(Rotations.prototype, 'rotate') as PropertyDescriptor;
  for (const decorate of [Post(':id/rotate'), Operation(declaration)])
    decorate(Rotations.prototype, 'rotate', action);
  const controllers = [{ instance: new Rotations(), metatype: Rotations }];
  const app = { get: () => ({ getControllers: () => controllers }) } as unknown as INestApplicationContext;
  expect(() => requireDeclaredRoutes(app)).toThrow('Rotations.rotate must declare what it stores (`writes`)');
});
