import type { INestApplicationContext } from '@nestjs/common';
import { key, type WholeOrganization, wholeOrganization } from '#libs/testing';
import { ImportJob } from '#platform/database';
import { type Browser, signedIn } from '../console/console';
import { type Answer, startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { finished } from '../imports/import';
import { forAll } from './asker';
import { BODIES } from './bodies';
import { type DocumentedOperation, OPERATIONS, pathOf } from './document';
import { rowsOf } from './stranger';

/**
 * A partner's key, at every operation, with ids of another partner of the same organization: it learns nothing about it, and changes
 * nothing of it.
 */

const MARK = 'zyxwvneighbours';
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

let api: TestApi;
let worker: INestApplicationContext;
let ours: WholeOrganization;
let theirs: WholeOrganization;
let token: string;
/** Ids of the other partner, and of what belongs to no partner. */
let secrets: string[];
let theirRows: Record<string, string[]>;

const idsIn = (rows: Record<string, string>) => new Set(Object.values(rows).join('\n').match(ID) ?? []);

/** What is theirs, by table. Race-day tasks and versions move by themselves. */
async function rowsOfTheirs(): Promise<Record<string, string[]>> {
  const rows = await rowsOf(api.dataSource, ours.organizationId);
  return Object.fromEntries(
    Object.entries(rows).map(([table, text]) => [
      table,
      text.split('\n').filter((row) => row.includes(MARK) || row.includes(theirs.ids.partners as string)),
    ]),
  );
}

beforeAll(async () => {
  api = await startApi(UNLIMITED);
  ours = await wholeOrganization(api.dataSource, { mark: 'qwertyhospice' });
  const { organizationId } = ours;
  const jobs = api.dataSource.getRepository(ImportJob);
  await jobs.update(
    { organizationId, surface: 'reservedEntriesImport' },
    { partnerId: ours.ids.partners as string },
  );
  const before = idsIn(await rowsOf(api.dataSource, organizationId));
  theirs = await wholeOrganization(api.dataSource, { mark: MARK, organizationId });
  await jobs.update(
    { organizationId, id: theirs.ids['reserved-entries/participants/import'] as string },
    { partnerId: theirs.ids.partners as string },
  );
  secrets = [...idsIn(await rowsOf(api.dataSource, organizationId))].filter((id) => !before.has(id));
  token = (await key(api.dataSource, { organizationId, partnerId: ours.ids.partners })).token;
  // Our booking came from an import of theirs, for them.
  await api.dataSource.query(
    `UPDATE start_list_entries SET assigned_by = $1, metadata = metadata || jsonb_build_object('startline', jsonb_build_object('importJobId', $2::text))
      WHERE id = $3`,
    [theirs.ids.partners, theirs.ids['reserved-entries/participants/import'], ours.ids.applications],
  );
  await api.dataSource.query('UPDATE bookings SET partner_id = $1 WHERE id = $2', [
    theirs.ids.partners,
    ours.ids.bookings,
  ]);
  theirRows = await rowsOfTheirs();
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

/** @param sent the request, which a response may repeat */
function leaksIn({ text, headers }: Answer, sent: string): string[] {
  const said = `${text}\n${[...headers].map((header) => header.join(': ')).join('\n')}`.toLowerCase();
  return [MARK, ...secrets].filter((part) => said.includes(part) && !sent.includes(part));
}

async function asked(operation: DocumentedOperation, whole: WholeOrganization, query = {}) {
  const path = pathOf(operation, whole.ids, {}, query);
  const body = operation.body ? BODIES[operation.name]?.(whole) : undefined;
  const answer = await api.send(operation.method, path, body, token);
  const sent = `${path}${JSON.stringify(body ?? '')}`;
  return { answer, sent, leaks: leaksIn(answer, sent) };
}

const OF_ORGANIZERS = OPERATIONS.filter(({ access }) => access.keys.includes('ORGANIZER'));
const named = (operations: DocumentedOperation[]) =>
  operations.map((operation) => [operation.name, operation] as const);
const FOR_PARTNERS = OF_ORGANIZERS.filter(({ access }) => access.partners);
const CLOSED = OF_ORGANIZERS.filter(({ access }) => !access.partners);

it('opens to partners what they read, assign, complete and cancel, and nothing else', () => {
  expect(FOR_PARTNERS.map(({ name }) => name).sort()).toEqual([
    'applyDryRun',
    'cancelBooking',
    'cancelImport',
    'cancelParticipant',
    'correctParticipant',
    'createPartner',
    'exportParticipants',
    'getApplication',
    'getApplicationsDigest',
    'getBooking',
    'getBookingForm',
    'getBookingFormField',
    'getBookingsDigest',
    'getEventOccurrence',
    'getIdentity',
    'getParticipant',
    'getParticipantsDigest',
    'getPartner',
    'getPartnersDigest',
    'getRace',
    'getReservedEntriesImport',
    'getTicket',
    'importReservedEntries',
    'listApplications',
    'listBookingFormFieldBookingForms',
    'listBookingFormFields',
    'listBookingFormTickets',
    'listBookings',
    'listBookingsByExternalId',
    'listEventApplications',
    'listEventOccurrenceRaces',
    'listEventOccurrenceReservedEntries',
    'listEventOccurrenceTickets',
    'listEventOccurrences',
    'listEventReservedEntries',
    'listEventTickets',
    'listFieldsOfBookingForm',
    'listImportJobs',
    'listImportRows',
    'listParticipants',
    'listPartners',
    'listRaceParticipants',
    'listRaceTickets',
    'listTicketBookingForms',
    'registrationStatus',
    'retryImport',
    'transferParticipant',
  ]);
});

it.each(named(CLOSED))('%s answers 403, whatever the ids', async (_, operation) => {
  for (const whole of [ours, theirs]) {
    const { answer, leaks } = await asked(operation, whole);
    expect([answer.status, leaks]).toEqual([403, []]);
  }
});

const WITH_PATH = FOR_PARTNERS.filter(
  ({ pathParameters, foreignIds }) => pathParameters.length > 0 && foreignIds.length === 0,
);

it.each(named(WITH_PATH))('%s answers about an id of another partner as about none', async (_, operation) => {
  const { answer, leaks } = await asked(operation, theirs);
  const unknown = await api.send(
    operation.method,
    pathOf(operation, theirs.ids, Object.fromEntries(operation.pathParameters.map((name) => [name, NOBODY]))),
    operation.body ? BODIES[operation.name]?.(theirs) : undefined,
    token,
  );
  expect([answer.status, answer.text, leaks]).toEqual([404, unknown.text, []]);
});

it.each(named(WITH_PATH))(
  '%s answers about any id of another partner as about none',
  async (_, operation) => {
    const about = async (id: string) => {
      const path = pathOf(
        operation,
        theirs.ids,
        Object.fromEntries(operation.pathParameters.map((name) => [name, id])),
      );
      const body = operation.body ? BODIES[operation.name]?.(theirs) : undefined;
      const answer = await api.send(operation.method, path, body, token);
      return [answer.status, answer.text, leaksIn(answer, path)];
    };
    const unknown = await about(NOBODY);
    expect(unknown[0]).toBe(404);
    const ids = [...new Set(Object.values(theirs.ids))].filter((id) => id.match(ID) && secrets.includes(id));
    expect(ids.length).toBeGreaterThan(15);
    await forAll(ids, async (id) => expect([id, ...(await about(id))]).toEqual([id, ...unknown]));
  },
);
const NOBODY = '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b';

describe('a member of the partner', () => {
  let member: Browser;
  beforeAll(async () => {
    const { organizationId, ids } = ours;
    member = (await signedIn(api, 'PARTNER', undefined, organizationId, ids.partners)).browser;
  });

  it.each(named(WITH_PATH))(
    'gets from %s what the key gets, about theirs and about none',
    async (_, operation) => {
      const pathTo = (id: string) =>
        pathOf(operation, theirs.ids, Object.fromEntries(operation.pathParameters.map((name) => [name, id])));
      const body = operation.body ? BODIES[operation.name]?.(theirs) : undefined;
      // The key gets the same about theirs: see above.
      const ofKey = await api.send(operation.method, pathTo(NOBODY), body, token);
      const paths = [pathTo(NOBODY), pathOf(operation, theirs.ids)];
      await forAll(paths, async (path) => {
        const answer = await member.ask(operation.method, path, body);
        expect([path, answer.status, answer.text, leaksIn(answer, path)]).toEqual([
          path,
          404,
          ofKey.text,
          [],
        ]);
      });
    },
  );

  it.each(named(FOR_PARTNERS.filter(({ method }) => method === 'GET')))(
    'sees at %s what the key sees of ours',
    async (_, operation) => {
      const { answer: ofKey, sent } = await asked(operation, ours);
      const answer = await member.ask('GET', pathOf(operation, ours.ids));
      expect([answer.status, leaksIn(answer, sent), answer.headers.get('etag')]).toEqual([
        ofKey.status,
        [],
        null,
      ]);
      if (operation.isList) expect(answer.body.data).toEqual(ofKey.body.data);
    },
  );
});

it('finds no booking by their external id, and no partner', async () => {
  const bookings = await api.get(`/v0/bookings/external/${MARK}`, token);
  expect([bookings.status, bookings.body.data, bookings.body.page.totalResults]).toEqual([200, [], 0]);
  const partner = await api.get(`/v0/partners/${MARK}?externalId=ENTHUSE`, token);
  expect(partner.status).toBe(404);
});

/** Values of theirs for filters. */
const FILTERS: Record<string, (whole: WholeOrganization) => string> = {
  eventOccurrenceId: ({ ids }) => ids['event-occurrences'] as string,
  raceId: ({ ids }) => ids.races as string,
  ticketId: ({ ids }) => ids.tickets as string,
  bibNumber: ({ mark }) => mark,
  email: ({ email }) => email,
  externalParticipantId: ({ mark }) => mark,
  externalBookingId: ({ mark }) => mark,
  tag: ({ mark }) => mark,
  search: ({ mark }) => mark,
};
const LISTS = FOR_PARTNERS.filter(({ isList }) => isList);

it.each(
  LISTS.flatMap((operation) =>
    operation.query.flatMap(({ name }) =>
      FILTERS[name] ? [[operation.name, name, operation] as const] : [],
    ),
  ),
)('%s finds nothing of theirs by %s, and ours', async (_, name, operation) => {
  const features: Record<string, string> = name === 'tag' ? { features: 'tags' } : {};
  const of = async (whole: WholeOrganization) => {
    const path = pathOf(operation, ours.ids, {}, { ...features, [name]: FILTERS[name]?.(whole) ?? '' });
    const answer = await api.get(path, token);
    expect([answer.status, leaksIn(answer, path)]).toEqual([200, []]);
    return [answer.body.data.length, answer.body.page.totalResults];
  };
  expect(await of(theirs)).toEqual([0, 0]);
  expect(await of(ours)).toEqual([1, 1]);
});

/** Whether its answer depends on the id; the rules of others refuse each id, and cursors are signed. */
const takesTexts = ({ name, schema }: DocumentedOperation['query'][number]) =>
  schema.type === 'string' &&
  !schema.enum &&
  !schema.pattern &&
  !schema.format?.startsWith('date') &&
  !/^(page|cursor)\[/.test(name);

const usesOf = new Map<string, number>();
/** Also those that take no such value: one id for all of theirs. */
it.each(named(LISTS))(
  '%s shows nothing of theirs, whatever value of theirs any parameter has',
  async (_, operation) => {
    const ids = Object.values(theirs.ids).filter((id) => secrets.includes(id));
    for (const parameter of operation.query) {
      const { name } = parameter;
      // Lists with a parameter of the same name share the ids, beside the id that it is for (see above).
      const uses = usesOf.get(name) ?? 0;
      usesOf.set(name, uses + 1);
      const some = ids.filter((_, i) => (takesTexts(parameter) ? i % 4 === uses % 4 : i === 0));
      const values = new Set([MARK, theirs.email, ...some]);
      await forAll([...values], async (value) => {
        const path = pathOf(operation, ours.ids, {}, { [parameter.name]: value });
        const answer = await api.get(path, token);
        expect([path, [200, 400].includes(answer.status), leaksIn(answer, path)]).toEqual([path, true, []]);
      });
    }
  },
);

it.each(named(LISTS))('%s shows and counts ours alone, in every order', async (_, operation) => {
  const orders = operation.query.flatMap(({ name }) =>
    name.startsWith('sort[') ? [{ [name]: '1' }, { [name]: '-1' }] : [],
  );
  const more = operation.query.some(({ name }) => name === 'extendMetadata')
    ? { extendMetadata: 'true' }
    : {};
  for (const order of [{}, ...orders]) {
    const { answer, leaks } = await asked(operation, ours, { ...order, ...more });
    expect([answer.status, leaks]).toEqual([200, []]);
    const { data, page } = answer.body;
    expect([data.length > 0, page.totalResults, answer.headers.get('etag')]).toEqual([
      true,
      data.length,
      null,
    ]);
  }
});

it.each(named(FOR_PARTNERS.filter(({ method, isList }) => method === 'GET' && !isList)))(
  '%s shows ours without anything of theirs',
  async (_, operation) => {
    const more = operation.query.some(({ name }) => name === 'extendMetadata')
      ? { extendMetadata: 'true' }
      : {};
    const { answer, leaks } = await asked(operation, ours, more);
    expect([answer.status, leaks]).toEqual([200, []]);
  },
);

it('takes no cursor of the organizer or of another partner', async () => {
  const { organizationId } = ours;
  const organizer = await key(api.dataSource, { organizationId });
  const other = await key(api.dataSource, { organizationId, partnerId: theirs.ids.partners });
  for (const path of ['/v0/participants', '/v0/applications', '/v0/partners']) {
    for (const { token: whose } of [organizer, other]) {
      const { body } = await api.get(`${path}?page[size]=1`, whose);
      const answer = await api.get(`${path}?page[size]=1&page[after]=${body.page.last}`, token);
      expect([answer.status, leaksIn(answer, '')]).toEqual([400, []]);
    }
  }
});

it('does not assign places of their groups, nor say that they exist', async () => {
  const path = 'reserved-entries/participants/import';
  const messages: string[] = [];
  const body = BODIES.importReservedEntries?.(theirs) as Record<string, object[]>;
  const [row] = body.assignments ?? [];
  for (const reservedEntryGroupId of [theirs.reservedEntryGroupId, NOBODY]) {
    const accepted = await api.send(
      'POST',
      `/v0/${path}`,
      { assignments: [{ ...row, reservedEntryGroupId }] },
      token,
    );
    const job = await finished(api, path, accepted.body.jobId, token);
    expect([
      job.errors.length,
      leaksIn(await api.get(`/v0/import-jobs/${job.jobId}/rows`, token), MARK),
    ]).toEqual([1, []]);
    messages.push(`${job.errors[0].code} ${job.errors[0].message}`);
  }
  expect(messages[0]).toMatch(/^INVALID_ASSIGNMENT /);
  expect(messages[0]).toBe(messages[1]);
});

it('refuses events of others in the marketing of a sub-partner as if they did not exist', async () => {
  await api.dataSource.query('UPDATE partners SET can_create_sub_partners = true WHERE id = $1', [
    ours.ids.partners,
  ]);
  const created = (eventId: string) =>
    api.send('POST', '/v0/partners', { ...BODIES.createPartner?.(ours), ...marketing(eventId) }, token);
  const marketing = (eventId: string) => ({ specificMarketings: [{ eventId, optInText: 'Hello' }] });
  const [known, unknown] = [await created(theirs.ids.events as string), await created(NOBODY)];
  expect([known.status, known.body.message.replace(theirs.ids.events as string, NOBODY)]).toEqual([
    400,
    unknown.body.message,
  ]);
  const external = { ...BODIES.createPartner?.(ours), externalIds: { ENTHUSE: MARK } };
  const taken = await api.send('POST', '/v0/partners', external, token);
  expect([taken.status, leaksIn(taken, '')]).toEqual([400, []]);
});

/** The test made a key of theirs, and imports that repeat what it sent. */
const ADDED = ['api_keys', 'import_rows'];

it('changed nothing of theirs', async () => {
  const rows = await rowsOfTheirs();
  for (const table of ADDED)
    rows[table] = rows[table]?.filter((row) => theirRows[table]?.includes(row)) ?? [];
  expect(rows).toEqual(theirRows);
});
