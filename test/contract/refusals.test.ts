import { type KeyKind, rotateKey, Tokens } from '#libs/access';
import { newId } from '#libs/database';
import { IMPORT_DEFINITIONS, importOperations } from '#libs/imports';
import {
  key,
  occurrence,
  organization,
  SIGNING_SECRETS,
  type WholeOrganization,
  wholeOrganization,
} from '#libs/testing';
import { type Answer, startApi, type TestApi } from '../harness';
import { forAll } from './asker';
import { BODIES } from './bodies';
import { type DocumentedOperation, OPERATIONS, pathOf, subjectOf } from './document';
import { expectRefused, UNLIMITED } from './refused';
import { rowsOf, Stranger } from './stranger';

/** Access by operation: kinds of key, restricted keys, and the surface that must be enabled. */
const TABLE = `
  getIdentity                        ORGANIZER+MARKETPLACE+TIMING  always      -
  listMarketplaceEvents              MARKETPLACE                   never       -
  searchMarketplaceEvents            MARKETPLACE                   never       -
  ingestTiming                       TIMING                        never       -
  listTimingParticipants             TIMING                        never       -
  getTimingStatus                    TIMING                        never       -
  listUnidentifiedTiming             TIMING                        never       -
  registrationStatus                 ORGANIZER                     occurrence  -
  listEventOccurrences               ORGANIZER                     never       -
  getEventOccurrence                 ORGANIZER                     never       -
  listEventOccurrenceAddOns          ORGANIZER                     never       -
  listEventOccurrenceRaces           ORGANIZER                     never       -
  listEventOccurrenceTickets         ORGANIZER                     never       -
  listEventOccurrenceReservedEntries ORGANIZER                     never       -
  listEventTickets                   ORGANIZER                     never       -
  listEventReservedEntries           ORGANIZER                     never       -
  listEventApplications              ORGANIZER                     never       -
  getRace                            ORGANIZER                     never       -
  listRaceTickets                    ORGANIZER                     never       -
  listRaceParticipants               ORGANIZER                     never       -
  getTicket                          ORGANIZER                     never       -
  listTicketBookingForms             ORGANIZER                     never       -
  getBookingForm                     ORGANIZER                     never       -
  listBookingFormTickets             ORGANIZER                     never       -
  listFieldsOfBookingForm            ORGANIZER                     never       -
  listBookingFormFields              ORGANIZER                     never       -
  getBookingFormField                ORGANIZER                     never       -
  listBookingFormFieldBookingForms   ORGANIZER                     never       -
  getBooking                         ORGANIZER                     never       -
  cancelBooking                      ORGANIZER                     never       -
  listBookingsByExternalId           ORGANIZER                     never       -
  listBookingLineItems               ORGANIZER                     never       -
  listBookingAddOnAllocations        ORGANIZER                     never       addOnAllocations
  listApplications                   ORGANIZER                     never       -
  getApplication                     ORGANIZER                     never       -
  listParticipants                   ORGANIZER                     never       -
  exportParticipants                 ORGANIZER                     never       -
  getParticipant                     ORGANIZER                     never       -
  correctParticipant                 ORGANIZER                     never       -
  updateRaceDay                      ORGANIZER                     never       -
  listPartners                       ORGANIZER                     never       -
  createPartner                      ORGANIZER                     never       -
  getPartner                         ORGANIZER                     never       -
  updatePartner                      ORGANIZER                     never       -
  listReferralPrograms               ORGANIZER                     never       referrals
  listReferrers                      ORGANIZER                     never       referrals
  listReferrals                      ORGANIZER                     never       referrals
  getDiscountCode                    ORGANIZER                     never       discountCodes
  updateDiscountCode                 ORGANIZER                     never       discountCodes
  listCredits                        ORGANIZER                     never       creditsImport
  getCredit                          ORGANIZER                     never       creditsImport
  importBookings                     ORGANIZER                     never       bookingsImport
  getBookingsImport                  ORGANIZER                     never       -
  listBookingsImportRows             ORGANIZER                     never       -
  importLineItems                    ORGANIZER                     never       lineItemsImport
  correctBookings                    ORGANIZER                     never       bookingsImport
  replaceLineItems                   ORGANIZER                     never       lineItemsImport
  getLineItemsImport                 ORGANIZER                     never       -
  listLineItemsImportRows            ORGANIZER                     never       -
  importAddOns                       ORGANIZER                     never       addOnsImport
  replaceAddOns                      ORGANIZER                     never       addOnsImport
  getAddOnsImport                    ORGANIZER                     never       -
  listAddOnsImportRows               ORGANIZER                     never       -
  importCredits                      ORGANIZER                     never       creditsImport
  getCreditsImport                   ORGANIZER                     never       -
  listCreditsImportRows              ORGANIZER                     never       -
  importDiscountCodes                ORGANIZER                     never       discountCodesImport
  getDiscountCodesImport             ORGANIZER                     never       -
  listDiscountCodesImportRows        ORGANIZER                     never       -
  importReferrals                    ORGANIZER                     never       referralsImport
  getReferralsImport                 ORGANIZER                     never       -
  listReferralsImportRows            ORGANIZER                     never       -
  importReservedEntries              ORGANIZER                     never       reservedEntriesImport
  getReservedEntriesImport           ORGANIZER                     never       -
  listReservedEntriesImportRows      ORGANIZER                     never       -
  listImportJobs                     ORGANIZER                     never       -
  listChangeEvents                   ORGANIZER                     never       -
  listWebhookEndpoints               ORGANIZER                     never       -
  createWebhookEndpoint              ORGANIZER                     never       -
  getWebhookEndpoint                 ORGANIZER                     never       -
  updateWebhookEndpoint              ORGANIZER                     never       -
  deleteWebhookEndpoint              ORGANIZER                     never       -
  rotateWebhookSecret                ORGANIZER                     never       -
  pingWebhookEndpoint                ORGANIZER                     never       -
  listWebhookDeliveries              ORGANIZER                     never       -
  retryFailedWebhookDeliveries       ORGANIZER                     never       -
  getWebhookDelivery                 ORGANIZER                     never       -
  retryWebhookDelivery               ORGANIZER                     never       -
`;
interface Row {
  kinds: string[];
  scoped: 'always' | 'occurrence' | 'never';
  surface: string | undefined;
}
const ROWS: Record<string, Row> = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .map(([name, kinds, scoped, surface]) => [
      name,
      { kinds: kinds?.split('+'), scoped, surface: surface === '-' ? undefined : surface },
    ]),
);

// The rows of imports derive from their definitions.
for (const { surface, replaces } of IMPORT_DEFINITIONS) {
  const { create, replace, read, rows, cancel, retry } = importOperations(surface);
  const row: Row = { kinds: ['ORGANIZER'], scoped: 'never', surface: undefined };
  for (const name of [create, cancel, retry, ...(replaces ? [replace] : [])])
    ROWS[name] ??= { ...row, surface };
  for (const name of [read, rows]) ROWS[name] ??= row;
}

const KINDS: KeyKind[] = ['ORGANIZER', 'MARKETPLACE', 'TIMING'];
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

const NOT_FOUND = {
  statusCode: 404,
  error: 'Not Found',
  message: 'There is no such resource in your organization.',
};
// A cancelled booking cannot be corrected, so the cancellation is last.
const isLast = ({ name }: DocumentedOperation) => name === 'cancelBooking';
const operations = [...OPERATIONS.filter((of) => !isLast(of)), ...OPERATIONS.filter(isLast)].map(
  (of) => [of.name, of] as const,
);
const rowOf = ({ name }: DocumentedOperation) => ROWS[name] as Row;
const ownToken = (of: DocumentedOperation) => tokens[rowOf(of).kinds[0] as string];

it('has a row for every operation, which matches the OpenAPI document', () => {
  const documented = OPERATIONS.map(({ name, access: { keys, scoped, surface } }) => [
    name,
    { kinds: keys, scoped: scoped || 'never', surface: surface ?? undefined },
  ]);
  expect(ROWS).toEqual(Object.fromEntries(documented));
});

it('uses another organization with rows in every table', () => {
  const empty = Object.keys(theirRows).filter((table) => theirRows[table] === '');
  expect(empty).toEqual([
    'api_keys',
    'audit_log',
    'ballot_draw_entries',
    'ballot_draws',
    'bib_claims',
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

describe.each(operations)('%s', (_, of) => {
  it('responds to a key with access, for its own organization', async () => {
    const answer = await call(of, ownToken(of));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
    const isTheirs =
      of.method === 'GET' &&
      of.name.match(
        /^(get|list)(?!Identity|Marketplace|ImportJobs|Referrals|ChangeEvents|TimingStatus|UnidentifiedTiming)/,
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

  it('rejects read-only keys unless it changes nothing', async () => {
    const answer = await call(of, tokens[`readOnly${rowOf(of).kinds[0]}`]);
    if (of.method === 'GET' || of.name === 'registrationStatus') expect(answer.status).toBe(200);
    else expectRefused(answer, 403, 'read-only');
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
