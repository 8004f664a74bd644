import { IMPORT_DEFINITIONS, importOperations } from '#domain/imports';
import {
  key,
  occurrence,
  organization,
  SIGNING_SECRETS,
  type WholeOrganization,
  wholeOrganization,
} from '#libs/testing';
import { type KeyKind, PERMISSIONS, permissionsOf, rotateKey, Tokens } from '#platform/access';
import { newId } from '#platform/database';
import { type Answer, startApi, type TestApi, UNLIMITED } from '../harness';
import { forAll } from './asker';
import { BODIES } from './bodies';
import { type DocumentedOperation, OPERATIONS, pathOf, subjectOf, UNDO_IMPORTS } from './document';
import { expectRefused } from './refused';
import { rowsOf, Stranger } from './stranger';

/** Access by operation: kinds of key, restricted keys, the permission, and the surface that must be enabled. */
const TABLE = `
  getIdentity                        ORGANIZER+MARKETPLACE+TIMING  always      identity:read           -
  listMarketplaceEvents              MARKETPLACE                   never       marketplace:read        -
  listRemovedMarketplaceEvents       MARKETPLACE                   never       marketplace:read        -
  searchMarketplaceEvents            MARKETPLACE                   never       marketplace:read        -
  ingestTiming                       TIMING                        never       timing:write            -
  listTimingParticipants             TIMING                        never       timing:read             -
  exportTimingParticipants           TIMING                        never       timing:read             -
  getTimingStatus                    TIMING                        never       timing:read             -
  listUnidentifiedTiming             TIMING                        never       timing:read             -
  registrationStatus                 ORGANIZER                     occurrence  registrations:read      -
  listEventOccurrences               ORGANIZER                     never       catalogue:read          -
  getEventOccurrence                 ORGANIZER                     never       catalogue:read          -
  listEventOccurrenceAddOns          ORGANIZER                     never       catalogue:read          -
  writeCatalogue                     ORGANIZER                     never       catalogue:write         catalogueWrite
  listEventOccurrenceRaces           ORGANIZER                     never       catalogue:read          -
  listEventOccurrenceTickets         ORGANIZER                     never       catalogue:read          -
  listEventOccurrenceReservedEntries ORGANIZER                     never       reservedEntries:read    -
  listEventTickets                   ORGANIZER                     never       catalogue:read          -
  listEventReservedEntries           ORGANIZER                     never       reservedEntries:read    -
  listEventApplications              ORGANIZER                     never       applications:read       -
  getRace                            ORGANIZER                     never       catalogue:read          -
  listRaceTickets                    ORGANIZER                     never       catalogue:read          -
  listRaceParticipants               ORGANIZER                     never       participants:read       -
  getTicket                          ORGANIZER                     never       catalogue:read          -
  listTicketBookingForms             ORGANIZER                     never       catalogue:read          -
  getBookingForm                     ORGANIZER                     never       catalogue:read          -
  listBookingFormTickets             ORGANIZER                     never       catalogue:read          -
  listFieldsOfBookingForm            ORGANIZER                     never       catalogue:read          -
  listBookingFormFields              ORGANIZER                     never       catalogue:read          -
  getBookingFormField                ORGANIZER                     never       catalogue:read          -
  listBookingFormFieldBookingForms   ORGANIZER                     never       catalogue:read          -
  listBookings                       ORGANIZER                     never       bookings:read           -
  getBookingsDigest                  ORGANIZER                     never       bookings:read           -
  getBooking                         ORGANIZER                     never       bookings:read           -
  cancelBooking                      ORGANIZER                     never       bookings:write          -
  listBookingsByExternalId           ORGANIZER                     never       bookings:read           -
  listLineItems                      ORGANIZER                     never       lineItems:read          -
  getLineItemsDigest                 ORGANIZER                     never       lineItems:read          -
  listBookingLineItems               ORGANIZER                     never       lineItems:read          -
  listBookingAddOnAllocations        ORGANIZER                     never       addOns:read             addOnAllocations
  listApplications                   ORGANIZER                     never       applications:read       -
  getApplicationsDigest              ORGANIZER                     never       applications:read       -
  getApplication                     ORGANIZER                     never       applications:read       -
  listParticipants                   ORGANIZER                     never       participants:read       -
  exportParticipants                 ORGANIZER                     never       participants:read       -
  getParticipantsDigest              ORGANIZER                     never       participants:read       -
  getParticipant                     ORGANIZER                     never       participants:read       -
  correctParticipant                 ORGANIZER                     never       participants:write      -
  moveParticipant                    ORGANIZER                     never       participants:write      -
  transferParticipant                ORGANIZER                     never       participants:write      -
  cancelParticipant                  ORGANIZER                     never       participants:write      -
  updateRaceDay                      ORGANIZER                     never       participants:write      -
  planBibs                           ORGANIZER                     never       participants:write      -
  getParticipantChange               ORGANIZER                     never       participants:write      -
  listPartners                       ORGANIZER                     never       partners:read           -
  createPartner                      ORGANIZER                     never       partners:write          -
  getPartnersDigest                  ORGANIZER                     never       partners:read           -
  getPartner                         ORGANIZER                     never       partners:read           -
  updatePartner                      ORGANIZER                     never       partners:write          -
  listReferralPrograms               ORGANIZER                     never       referrals:read          referrals
  listReferrers                      ORGANIZER                     never       referrals:read          referrals
  listReferrals                      ORGANIZER                     never       referrals:read          referrals
  getDiscountCode                    ORGANIZER                     never       discountCodes:read      discountCodes
  updateDiscountCode                 ORGANIZER                     never       discountCodes:write     discountCodes
  listCredits                        ORGANIZER                     never       credits:read            creditsImport
  getCredit                          ORGANIZER                     never       credits:read            creditsImport
  importBookings                     ORGANIZER                     never       bookings:import         bookingsImport
  getBookingsImport                  ORGANIZER                     never       bookings:import         -
  importLineItems                    ORGANIZER                     never       lineItems:import        lineItemsImport
  correctBookings                    ORGANIZER                     never       bookings:import         bookingsImport
  replaceLineItems                   ORGANIZER                     never       lineItems:import        lineItemsImport
  getLineItemsImport                 ORGANIZER                     never       lineItems:import        -
  importAddOns                       ORGANIZER                     never       addOns:import           addOnsImport
  replaceAddOns                      ORGANIZER                     never       addOns:import           addOnsImport
  getAddOnsImport                    ORGANIZER                     never       addOns:import           -
  importCredits                      ORGANIZER                     never       credits:import          creditsImport
  getCreditsImport                   ORGANIZER                     never       credits:import          -
  importDiscountCodes                ORGANIZER                     never       discountCodes:import    discountCodesImport
  getDiscountCodesImport             ORGANIZER                     never       discountCodes:import    -
  importReferrals                    ORGANIZER                     never       referrals:import        referralsImport
  getReferralsImport                 ORGANIZER                     never       referrals:import        -
  importReservedEntries              ORGANIZER                     never       reservedEntries:import  reservedEntriesImport
  getReservedEntriesImport           ORGANIZER                     never       reservedEntries:import  -
  listImportJobs                     ORGANIZER                     never       imports:read            -
  getImportAllowance                 ORGANIZER                     never       imports:read            -
  listChangeEvents                   ORGANIZER                     never       changeEvents:read       -
  listWebhookEndpoints               ORGANIZER                     never       webhooks:read           -
  createWebhookEndpoint              ORGANIZER                     never       webhooks:write          -
  getWebhookEndpoint                 ORGANIZER                     never       webhooks:read           -
  updateWebhookEndpoint              ORGANIZER                     never       webhooks:write          -
  deleteWebhookEndpoint              ORGANIZER                     never       webhooks:write          -
  rotateWebhookSecret                ORGANIZER                     never       webhooks:write          -
  pingWebhookEndpoint                ORGANIZER                     never       webhooks:write          -
  listWebhookDeliveries              ORGANIZER                     never       webhooks:read           -
  retryFailedWebhookDeliveries       ORGANIZER                     never       webhooks:write          -
  getWebhookDelivery                 ORGANIZER                     never       webhooks:read           -
  retryWebhookDelivery               ORGANIZER                     never       webhooks:write          -
`;
interface Row {
  kinds: string[];
  scoped: 'always' | 'occurrence' | 'never';
  permission: string | readonly string[];
  surface: string | undefined;
}
const ROWS: Record<string, Row> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .map(([name, kinds, scoped, permission, surface]) => [
      name,
      { kinds: kinds?.split('+'), scoped, permission, surface: surface === '-' ? undefined : surface },
    ]),
);

// The rows of imports derive from their definitions.
for (const { surface, replaces } of IMPORT_DEFINITIONS) {
  const { create, replace, read } = importOperations(surface);
  const permission = `${surface.replace('Import', '')}:import`;
  const row: Row = { kinds: ['ORGANIZER'], scoped: 'never', permission, surface: undefined };
  for (const name of [create, ...(replaces ? [replace] : [])]) ROWS[name] ??= { ...row, surface };
  ROWS[read] ??= row;
}

// Those of jobs take the permission of the job's surface. The job of these tests is of reserved entries.
const ofUndo = ['previewImportUndo', 'undoImport'];
const notForReaders = [...ofUndo, 'getParticipantChange'];
const ofJob = (name: string) => (ofUndo.includes(name) ? 'bookings:write' : 'reservedEntries:import');
const followed = [
  ...IMPORT_DEFINITIONS.map(({ surface }) => `${surface.replace('Import', '')}:import`),
  'participants:write',
];
const undone = [...new Set([...IMPORT_DEFINITIONS.map(({ undo }) => undo.permission), 'participants:write'])];
for (const [names, permission] of [
  [['listImportRows', 'applyDryRun'], followed],
  [['cancelImport', 'retryImport'], [...new Set([...followed, ...undone])]],
  [ofUndo, undone],
] as const)
  for (const name of names)
    ROWS[name] = { kinds: ['ORGANIZER'], scoped: 'never', permission, surface: undefined };

const KINDS: KeyKind[] = ['ORGANIZER', 'MARKETPLACE', 'TIMING'];
/**
 * Operations on objects that a key with permissions only reaches if it made them: webhook endpoints and their deliveries.
 * `test/access/permissions` tests them.
 */
const SINGLE_OWN = new Set([
  'createWebhookEndpoint',
  'getWebhookEndpoint',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'rotateWebhookSecret',
  'pingWebhookEndpoint',
  'getWebhookDelivery',
  'retryWebhookDelivery',
]);

const OUR_MARK = 'qwertyrunners';
const THEIR_MARK = 'zyxwvrivals';

let api: TestApi;
let ours: WholeOrganization;
let theirs: WholeOrganization;
let stranger: Stranger;
let theirRows: Record<string, string>;
let elsewhereId: string;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  api = await startApi(UNLIMITED);
  ours = await wholeOrganization(api.dataSource, { mark: OUR_MARK });
  theirs = await wholeOrganization(api.dataSource, { mark: THEIR_MARK });
  const { organizationId, ids } = ours;
  const occurrenceId = ids['event-occurrences'] as string;
  ({ id: elsewhereId } = await occurrence(api.dataSource, { organizationId }));
  const make = async (name: string, given: Partial<Parameters<typeof key>[1]> = {}) => {
    tokens[name] = (await key(api.dataSource, { organizationId, ...given })).token;
  };
  for (const kind of KINDS) await make(kind, { kind });
  await make('revoked', { revokedAt: new Date() });
  await make('expired', { expiresAt: new Date() });
  // The old key of a rotation after the overlap.
  const rotated = newId();
  await make('rotated', { id: rotated });
  await rotateKey(
    api.dataSource.manager,
    new Tokens(SIGNING_SECRETS),
    { organizationId, id: rotated },
    { overlapMs: 0 },
    { type: 'SYSTEM', id: null, origin: null },
  );
  for (const kind of KINDS) await make(`readOnly${kind}`, { kind, readOnly: true });
  for (const kind of KINDS) {
    const all = permissionsOf(kind);
    for (const permission of all) {
      await make(permission, { kind, permissions: [permission] });
      const others = all.filter((each) => each !== permission);
      if (others.length > 0) await make(`not ${permission}`, { kind, permissions: others });
    }
  }
  await make('byOccurrence', { eventOccurrenceIds: [occurrenceId] });
  await make('byEndpoint', { endpoints: ['registrationStatus'] });
  await make('byBoth', { eventOccurrenceIds: [occurrenceId], endpoints: ['registrationStatus'] });
  await make('elsewhere', { eventOccurrenceIds: [elsewhereId] });
  const closed = await organization(api.dataSource, { deletedAt: new Date() });
  await make('closed', { organizationId: closed.id });
  const without = await organization(api.dataSource, { surfaces: [] });
  await make('withoutSurfaces', { organizationId: without.id });
  theirRows = await rowsOf(api.dataSource, theirs.organizationId);
  stranger = await Stranger.of(api.dataSource, theirs.organizationId, THEIR_MARK);
});
afterAll(() => api.close());

interface Asked {
  /** The path parameters; of the own organization by default. */
  ids?: Record<string, string>;
  given?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** Sends a valid request, except for the given changes. No response may contain data of the other organization. */
async function call(of: DocumentedOperation, token: string | null | undefined, asked: Asked = {}) {
  const path = pathOf(of, asked.ids ?? ours.ids, asked.given, asked.query);
  const body = of.body && (asked.body ?? BODIES[of.name]?.(ours));
  const answer = await api.send(of.method, path, body, token as string);
  const sent = answer.status === 200 ? '' : path + JSON.stringify(body ?? '');
  expect(stranger.tracesIn(answer, sent)).toEqual([]);
  return answer;
}

/** The imports of the organization made nothing that could be undone, and are no dry runs, which only a key with access learns. */
const granted = ({ name }: DocumentedOperation) =>
  UNDO_IMPORTS.has(name) || name === 'applyDryRun' ? 400 : 200;

const NOT_FOUND = {
  statusCode: 404,
  error: 'Not Found',
  message: 'There is no such resource in your organization.',
};
// A cancelled booking cannot be corrected, nor a delivery of a deleted endpoint sent again, nor a job undone while it runs, so these are last.
const isLast = ({ name }: DocumentedOperation) =>
  ['cancelParticipant', 'cancelBooking', 'deleteWebhookEndpoint', 'retryImport'].includes(name);
const operations = [...OPERATIONS.filter((of) => !isLast(of)), ...OPERATIONS.filter(isLast)].map(
  (of, at) => [of.name, of, at] as const,
);
const rowOf = ({ name }: DocumentedOperation) => ROWS[name] as Row;
const ownToken = (of: DocumentedOperation) => tokens[rowOf(of).kinds[0] as string];

it('has a row for every operation, which matches the OpenAPI document', () => {
  const documented = OPERATIONS.map(({ name, access: { keys, scoped, permission, surface } }) => [
    name,
    { kinds: keys, scoped: scoped || 'never', permission, surface: surface ?? undefined },
  ]);
  expect(ROWS).toEqual(Object.fromEntries(documented));
});

it('has an operation for every permission', () => {
  const required = new Set(Object.values(ROWS).flatMap(({ permission }) => permission));
  expect([...required].sort()).toEqual(['identity:read', ...PERMISSIONS].sort());
});

it('uses another organization with rows in every table', () => {
  const empty = Object.keys(theirRows).filter((table) => theirRows[table] === '');
  expect(empty).toEqual([
    'api_keys',
    'audit_log',
    'ballot_draw_entries',
    'ballot_draws',
    'bib_claims',
    'dry_run_takings',
    'idempotency_keys',
    'import_attempts',
    'pending_refreshes',
    'race_day_fields',
    'race_day_folded',
    'race_day_folds',
    'race_day_log',
    'staff_links',
    'staff_sessions',
  ]);
});

describe.each(operations)('%s', (_, of, at) => {
  it('responds to a key with access, for its own organization', async () => {
    const answer = await call(of, ownToken(of));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([granted(of), expect.any(String)]);
    if (UNDO_IMPORTS.has(of.name)) expect(answer.body.message).toMatch(/^There is no/);
    if (of.name === 'applyDryRun') expect(answer.body.message).toMatch(/^Only dry runs/);
    const isTheirs =
      of.method === 'GET' &&
      of.name.match(
        /^(get|list)(?!Identity|Marketplace|RemovedMarketplace|ImportJobs|ImportAllowance|Referrals|ChangeEvents|TimingStatus|UnidentifiedTiming|\w+Digest)/,
      );
    if (isTheirs) expect(answer.text).toContain(OUR_MARK);
  });

  it('rejects requests without a valid key', async () => {
    const garbage = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.e30';
    await forAll(
      [null, tokens.revoked, tokens.expired, tokens.rotated, tokens.closed, garbage, 'null'],
      async (token) => {
        const answer = await call(of, token);
        expectRefused(
          answer,
          401,
          token === tokens.expired || token === tokens.rotated ? /expired at .+Z/ : 'Authorization: Bearer',
        );
      },
    );
  });

  it('says in refusals for the key what is left of the allowance, and does not count them', async () => {
    const { kinds } = rowOf(of);
    const other = KINDS.find((kind) => !kinds.includes(kind));
    const refused = other ? [await call(of, tokens[other]), await call(of, null)] : [await call(of, null)];
    for (const { status, headers } of refused) {
      const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`x-ratelimit-${name}`)),
      );
      expect([401, 403]).toContain(status);
      expect([limit, left, reset]).toEqual([expect.any(Number), limit, 60]);
      expect(limit).toBeGreaterThan(0);
    }
  });

  it('rejects read-only keys unless it changes nothing', async () => {
    const answer = await call(of, tokens[`readOnly${rowOf(of).kinds[0]}`]);
    const changesNothing =
      of.method === 'GET' ? !notForReaders.includes(of.name) : of.name === 'registrationStatus';
    if (changesNothing) expect(answer.status).toBe(200);
    else expectRefused(answer, 403, 'read-only');
  });

  it('rejects a key with every other permission, and one with another, and names its own', async () => {
    const { kinds, permission: permissions } = rowOf(of);
    const own = kinds.flatMap((kind) => permissionsOf(kind as KeyKind));
    if (typeof permissions !== 'string') {
      for (const each of own) {
        const { status } = await call(of, tokens[each]);
        const expected = !permissions.includes(each) ? 403 : each === ofJob(of.name) ? granted(of) : 404;
        expect([each, status]).toEqual([each, expected]);
      }
      return;
    }
    const permission = permissions;
    if (permission !== 'identity:read') expect(own).toContain(permission);
    const others = own.filter((each) => each !== permission);
    if (permission === 'identity:read')
      await forAll(others, async (each) =>
        expect((await call(of, tokens[each])).body.permissions).toEqual([each]),
      );
    else if (others.length > 0)
      await forAll([`not ${permission}`, others[at % others.length] as string], async (name) =>
        expectRefused(await call(of, tokens[name]), 403, `does not have the permission ${permission},`),
      );
    // What the body names, such as the types of an endpoint, can require further permissions.
    if (permission === 'identity:read' || SINGLE_OWN.has(of.name)) return;
    expect((await call(of, tokens[permission])).status).toBe(granted(of));
  });

  it('rejects keys of other kinds', async () => {
    const { kinds } = rowOf(of);
    const status = kinds.join() === 'TIMING' ? 401 : 403;
    await forAll(
      KINDS.filter((kind) => !kinds.includes(kind)),
      async (kind) => expectRefused(await call(of, tokens[kind]), status, kinds.join(' or '), kind),
    );
  });

  it('rejects scoped keys outside their scope', async () => {
    const { kinds, scoped } = rowOf(of);
    const restricted = ['byOccurrence', 'byEndpoint', 'byBoth', 'elsewhere'];
    if (!kinds.includes('ORGANIZER')) {
      const status = kinds.join() === 'TIMING' ? 401 : 403;
      return forAll(restricted, async (name) => expectRefused(await call(of, tokens[name]), status));
    }
    await forAll(restricted, async (name) => {
      const answer = await call(of, tokens[name]);
      if (scoped === 'never') expectRefused(answer, 403, 'not permitted to call this endpoint');
      else if (scoped === 'occurrence' && name === 'elsewhere') {
        expectRefused(answer, 403, 'not permitted to access that event occurrence');
      } else expect(answer.status).toBe(200);
    });
    if (scoped !== 'occurrence') return;
    for (const name of ['byOccurrence', 'byBoth']) {
      await forAll([theirs.ids['event-occurrences'] as string, newId(), 'x', elsewhereId], async (id) =>
        expectRefused(await call(of, tokens[name], { given: { id } }), 403, 'that event occurrence'),
      );
    }
    expect((await call(of, tokens.byEndpoint, { given: { id: elsewhereId } })).status).toBe(200);
    expect((await call(of, tokens.byEndpoint, { ids: theirs.ids })).body).toEqual(NOT_FOUND);
  });

  it('returns the same 404 for missing and malformed ids and ids of another organization', async () => {
    const missing = { ...ours.ids };
    const named = of.pathParameters.filter(
      (name) => !of.foreignIds.includes(name) || of.name.includes('Partner'),
    );
    await forAll(named, async (name) => {
      const answers: Answer[] = [];
      for (const id of [theirs.ids[subjectOf(of, name)] as string, newId(), 'malformed']) {
        answers.push(await call(of, ownToken(of), { ids: missing, given: { [name]: id } }));
      }
      expect(answers.map(({ body }) => body)).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND]);
    });
    if (named.length > 0) {
      expect((await call(of, ownToken(of), { ids: theirs.ids })).body).toEqual(NOT_FOUND);
    }
  });

  it('rejects an organization without its surface', async () => {
    const { surface } = rowOf(of);
    if (!surface) return;
    const answers = await Promise.all(
      [ours.ids, theirs.ids].map((ids) => call(of, tokens.withoutSurfaces, { ids })),
    );
    answers.push(await call(of, tokens.withoutSurfaces, { given: { id: 'x', referralProgramId: 'x' } }));
    for (const answer of answers) {
      expectRefused(answer, 403, surface, 'not enabled');
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });
});

describe('another organization', () => {
  const named = (name: string) => OPERATIONS.find((of) => of.name === name) as DocumentedOperation;

  it('is not found by external ids', async () => {
    const list = await call(named('listBookingsByExternalId'), tokens.ORGANIZER, { ids: theirs.ids });
    expect(list.body.data).toEqual([]);
    for (const name of ['getPartner', 'updatePartner']) {
      const asked = { given: { id: THEIR_MARK }, query: { externalId: 'ENTHUSE' } };
      expect((await call(named(name), tokens.ORGANIZER, asked)).body).toEqual(NOT_FOUND);
    }
  });

  it('is not found by filters and searches', async () => {
    const { body: found } = await call(named('listPartners'), tokens.ORGANIZER, {
      query: { search: THEIR_MARK },
    });
    expect(found).toMatchObject({ data: [], page: { totalResults: 0 } });
    const race = await call(named('listRaceParticipants'), tokens.ORGANIZER, {
      query: { eventOccurrenceId: theirs.ids['event-occurrences'] as string },
    });
    expect(race.body.page.totalResults).toBe(0);
    const tagged = await call(named('listParticipants'), tokens.ORGANIZER, {
      query: { features: 'tags', tag: THEIR_MARK },
    });
    expect(tagged.body.page.totalResults).toBe(0);
    const searched = await call(named('searchMarketplaceEvents'), tokens.MARKETPLACE, {
      query: { query: THEIR_MARK },
    });
    expect(searched.body.events).toEqual([]);
  });

  it('has no registered email after redaction', async () => {
    const asked = { body: { email: theirs.email } };
    const { body } = await call(named('registrationStatus'), tokens.ORGANIZER, asked);
    expect(body.registered).toBe(false);
  });

  it('cannot be identified by the marketing of a partner or by timing messages', async () => {
    const marketing = async (eventId: string) => {
      const body = { specificMarketings: [{ eventId, optInText: 'Write to me' }] };
      const answer = await call(named('updatePartner'), tokens.ORGANIZER, { body });
      expectRefused(answer, 400, 'specificMarketings[0].eventId');
      return answer.body.message.replace(eventId, '');
    };
    expect(await marketing(theirs.ids.events as string)).toBe(await marketing(newId()));
    const about = async (data: object) => {
      const body = { schemaVersion: '1.0', data, changedAt: '2026-05-04T09:30:00Z' };
      return (await call(named('ingestTiming'), tokens.TIMING, { body })).body.unidentified;
    };
    expect(await about({ participantId: theirs.ids.participants, bibNumber: '1' })).toEqual([0]);
    expect(await about({ bibNumber: THEIR_MARK, shipping: { shippedAt: '2026-05-04T09:30:00Z' } })).toEqual([
      0,
    ]);
  });

  it('is unchanged by all of this', async () => {
    expect(await rowsOf(api.dataSource, theirs.organizationId)).toEqual(theirRows);
  });
});
