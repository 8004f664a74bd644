import type { INestApplicationContext } from '@nestjs/common';
import { IDENTITY_FIELDS } from '#domain/catalogue';
import {
  booking,
  bookingFormField,
  credit,
  ERASURE_SECRET,
  key,
  organization,
  partner,
  reservedEntryGroup,
  storageOf,
  ticket,
} from '#libs/testing';
import { newId } from '#platform/database';
import { type CommandLine, commandLine } from '../cli/startline';
import { startApi, startWorker, type TestApi } from '../harness';
import { importRows } from '../imports/import';

let api: TestApi;
let worker: INestApplicationContext;
let cli: CommandLine;
let slug: string;
beforeAll(async () => {
  api = await startApi({ ERASURE_SECRET });
  worker = await startWorker(api, { ERASURE_SECRET });
  cli = await commandLine(api.databaseUrl, { ERASURE_SECRET });
  const { organizationId } = api;
  const [row] = await api.dataSource.query('SELECT slug FROM organizations WHERE id = $1', [organizationId]);
  slug = row.slug;
  for (const { key: name, label, type } of IDENTITY_FIELDS) {
    await bookingFormField(api.dataSource, { organizationId, key: name, label, type });
  }
});
afterAll(async () => {
  await cli.close();
  await worker.close();
  await api.close();
});

const erase = (email: string, ...words: string[]) =>
  cli.run('person', 'erase', '--organization', slug, '--email', email, ...words);

let serial = 0;
/** A booking by the first of these people, for all of them. */
async function booked(emails: string[], notes = 'none', named: object[] = []) {
  const { id: ticketId, eventOccurrenceId } = await ticket(api.dataSource, {
    organizationId: api.organizationId,
  });
  const people = emails.map((email, i) => ({
    ...{ email, firstName: email.split('@')[0], lastName: 'Family' },
    ...named[i],
  }));
  const { results } = await importRows(api, 'bookings/import', {
    bookings: [
      {
        externalBookingId: `order-${++serial}`,
        eventOccurrenceId,
        booker: { ...people[0], phone: '+44 1' },
        participants: people.map((person) => ({ ...person, ticketId })),
        metadata: { notes },
      },
    ],
  });
  return { ...results[0], eventOccurrenceId } as {
    bookingId: string;
    participantIds: string[];
    eventOccurrenceId: string;
  };
}
const participant = async (id = '') => (await api.get(`/v0/participants/${id}?extendMetadata=true`)).body;
const names = async (id?: string) =>
  (await participant(id)).fields.map(({ value }: { value: unknown }) => value);

describe('person erase', () => {
  it('leaves the ids that partners gave their assignments to the partner', async () => {
    const { organizationId } = api;
    const externalAssignmentId = 'mail to erased-assignment@example.com';
    const charity = async () => {
      const { id: partnerId } = await partner(api.dataSource, { organizationId });
      const sold = await ticket(api.dataSource, { organizationId });
      const { id } = await reservedEntryGroup(api.dataSource, {
        organizationId,
        partnerId,
        ticketId: sold.id,
        maxCapacity: 10,
      });
      const { token } = await key(api.dataSource, { organizationId, partnerId });
      return async (email: string) => {
        const participant = { firstName: 'Grace', lastName: 'Hopper', email };
        const row = { externalAssignmentId, reservedEntryGroupId: id, ticketSlug: sold.slug, participant };
        const path = 'reserved-entries/participants/import';
        return (await importRows(api, path, { assignments: [row] }, { token })).results[0];
      };
    };
    const [one, other] = [await charity(), await charity()];
    const { participantId } = await one('erased-assignment@example.com');
    await erase('erased-assignment@example.com', '--yes');
    const theirs = await other('somebody-else@example.com');
    expect(theirs.outcome).toBe('IMPORTED');
    const { metadata } = await participant(theirs.participantId);
    expect(metadata.startline.externalAssignmentId).toBe(externalAssignmentId);
    expect(await one('erased-assignment@example.com')).toMatchObject({
      outcome: 'ALREADY_IMPORTED',
      participantId,
    });
  });

  it('leaves the rows of another partner with the same id of an assignment', async () => {
    const { organizationId } = api;
    const rows = [];
    for (const email of ['assigned-one@example.com', 'assigned-other@example.com']) {
      const { id: partnerId } = await partner(api.dataSource, { organizationId });
      const sold = await ticket(api.dataSource, { organizationId });
      const group = { organizationId, partnerId, ticketId: sold.id, maxCapacity: 10 };
      const { id } = await reservedEntryGroup(api.dataSource, group);
      const { token } = await key(api.dataSource, { organizationId, partnerId });
      const participant = { firstName: 'Grace', lastName: 'Hopper', email };
      const row = { externalAssignmentId: '1', reservedEntryGroupId: id, ticketSlug: sold.slug, participant };
      const path = 'reserved-entries/participants/import';
      rows.push((await importRows(api, path, { assignments: [row] }, { token })).jobId);
    }
    const output = cli.file('assigned-one.json', '');
    const at = ['--organization', slug, '--email', 'assigned-one@example.com', '--output', output];
    expect((await cli.run('person', 'export', ...at)).answer.rows.import_rows).toBe(1);
    expect((await erase('assigned-one@example.com', '--yes')).answer.removed.import_rows).toBe(1);
    const emptied = await api.dataSource.query(
      "SELECT job_id FROM import_rows WHERE job_id = ANY ($1) AND payload = '{}'",
      [rows],
    );
    expect(emptied).toEqual([{ job_id: rows[0] }]);
  });

  it('reaches no entry of another organization with the address', async () => {
    const own = await booked(['everywhere@example.com']);
    const { id: organizationId } = await organization(api.dataSource);
    const entries = [{ emailNormalized: 'everywhere@example.com' }];
    const theirs = await booking(api.dataSource, { organizationId, entries });
    const { answer } = await erase('everywhere@example.com', '--yes');
    expect(answer.participantIds).toEqual(own.participantIds);
    const kept = await api.dataSource.query(
      'SELECT gdpr_redacted AS redacted FROM start_list_entries WHERE id = $1',
      [theirs.entries[0]?.id],
    );
    expect(kept).toEqual([{ redacted: false }]);
  });

  it('reaches rows of corrections and dry runs, and an import of the dry run leaves them out', async () => {
    const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
    const row = (email: string, ticketId = sold.id) => ({
      externalBookingId: `corrected-${email}`,
      eventOccurrenceId: sold.eventOccurrenceId,
      booker: { email, firstName: 'Sofia', lastName: 'K.' },
      participants: [{ ticketId, firstName: 'Sofia', lastName: 'K.', email }],
    });
    const [person, other] = ['sofia@example.com', 'other-sofia@example.com'];
    const path = 'bookings/import';
    const failed = await importRows(api, path, { bookings: [row(person, newId())] });
    // The correction fails as well, so that no record has the person.
    const corrects = { jobId: failed.jobId, rows: [0] };
    const correction = await importRows(api, path, { bookings: [row(person, newId())], corrects });
    const dryRun = await importRows(api, `${path}?dryRun=true`, {
      bookings: [row(person, newId()), row(other)],
    });
    const tried = await importRows(api, `${path}?dryRun=true`, {
      bookings: [row(person)],
      corrects: { jobId: dryRun.jobId, rows: [0] },
    });
    await erase(person as string, '--yes');
    const held = await api.dataSource.query(
      `SELECT job_id FROM import_rows WHERE job_id = ANY ($1) AND payload::text LIKE '%"sofia@%'`,
      [[failed, correction, dryRun, tried].map(({ jobId }) => jobId)],
    );
    expect(held).toEqual([]);
    const { body } = await api.send('POST', `/v0/import-jobs/${dryRun.jobId}/apply`, undefined);
    const done = await api.client().finished(body as never, { everyMs: 10 });
    expect([done.totalRows, done.succeededRows]).toEqual([1, 1]);
  });

  it('removes rows that an import did not reach, and a retry leaves them out', async () => {
    const emails = ['unreached@example.com', 'unreached-other@example.com'];
    const credits = emails.map((email) => ({
      externalCreditId: `unreached-${++serial}`,
      email,
      amount: { value: 100, currencyCode: 'GBP' },
    }));
    const holding = api.dataSource.createQueryRunner();
    await holding.startTransaction();
    await holding.query('LOCK TABLE credits IN SHARE MODE');
    const { body: job } = await api.send('POST', '/v0/credits/import', { credits });
    const waiting = await erase('unreached@example.com');
    await api.send('POST', `/v0/import-jobs/${job.jobId}/cancel`, undefined);
    await holding.rollbackTransaction();
    await holding.release();
    const { answer } = await erase('unreached@example.com', '--yes');
    expect([waiting.answer.importRowsAhead, answer.importRowsAhead]).toEqual([1, 0]);
    expect(answer.removed).toEqual({ import_rows: 1 });
    const retried = await api.send('POST', `/v0/import-jobs/${job.jobId}/retry`, undefined);
    const done = await api.client().finished(retried.body as never, { everyMs: 10 });
    expect(done).toMatchObject({ succeededRows: 1, failedRows: 1 });
    expect(done.results?.map(({ error }: any) => error?.code)).toEqual(['NOT_REACHED', undefined]);
  });

  it("takes the booker's other address from companions without one", async () => {
    const sold = await ticket(api.dataSource, { organizationId: api.organizationId });
    const [own, work] = ['ada.home@example.com', 'ada.work@example.com'];
    const person = { firstName: 'Ada', lastName: 'Twoaddresses' };
    const row = {
      ...{ externalBookingId: `order-${++serial}`, eventOccurrenceId: sold.eventOccurrenceId },
      booker: { ...person, email: work },
      participants: [
        { ...person, email: own, ticketId: sold.id },
        { firstName: 'Child', lastName: 'Without', ticketId: sold.id },
      ],
    };
    const { results } = await importRows(api, 'bookings/import', { bookings: [row] });
    await erase(own, '--yes');
    const { booker } = (await api.get(`/v0/bookings/${results[0].bookingId}`)).body;
    const found = await api.get(`/v0/participants?email=${work}`);
    expect([booker.email, found.body.data]).toEqual([null, []]);
  });

  it('leaves no free text of line items that arrive later', async () => {
    const { bookingId, participantIds } = await booked(['donor@example.com', 'donor-friend@example.com']);
    await erase('donor@example.com', '--yes');
    const text = 'In memory of the mother of Donor Family';
    const lineItem = (more: object) => ({
      ...{ externalLineItemId: `donation-${++serial}`, bookingId, itemType: 'DONATION', name: text },
      ...{ amount: { value: 500, currencyCode: 'GBP' }, ...more },
    });
    const lineItems = [
      ...[lineItem({}), lineItem({ participantId: participantIds[0] })],
      lineItem({ participantId: participantIds[1], name: 'of the friend' }),
    ];
    for (const method of ['POST', 'PUT']) {
      const job = await importRows(api, 'bookings/line-items/import', { lineItems }, { method });
      expect(job).toMatchObject({ succeededRows: 3 });
      const { data } = (await api.get(`/v0/bookings/${bookingId}/line-items`)).body;
      const donations = data.filter(({ itemType }) => itemType === 'DONATION').map(({ name }) => name);
      expect(donations.sort()).toEqual(['DONATION', 'DONATION', 'of the friend']);
      const [{ held }] = await api.dataSource.query(
        "SELECT count(*)::int AS held FROM import_rows WHERE job_id = $1 AND payload <> '{}'",
        [job.jobId],
      );
      expect(held).toBe(1);
    }
  });

  it('lists what it would remove, and removes it only with --yes', async () => {
    const one = await booked(['ada@example.com', 'byron@example.com']);
    const two = await booked(['byron@example.com', 'ada@example.com']);
    const dry = await erase('Ada@Example.com');
    expect(dry).toMatchObject({ code: 0, answer: { dryRun: true, id: null, importRowsAhead: 0 } });
    expect(dry.answer.removed).toEqual({ bookings: 1, import_rows: 2, start_list_entries: 3 });
    expect(await names(one.participantIds[0])).toContain('ada@example.com');

    const { answer } = await erase('Ada@Example.com', '--yes');
    expect(answer).toEqual({ ...dry.answer, dryRun: false, id: expect.any(String) });
    expect(answer.participantIds.sort()).toEqual([one.participantIds[0], two.participantIds[1]].sort());
    for (const id of answer.participantIds) {
      expect(await participant(id)).toMatchObject({ gdprRedacted: true, fields: [] });
    }
    expect((await api.get(`/v0/bookings/${one.bookingId}`)).body.booker.firstName).toBeNull();
    expect((await api.get(`/v0/bookings/${two.bookingId}`)).body.booker.firstName).toBe('byron');
    for (const id of [one.participantIds[1], two.participantIds[0]]) {
      expect(await names(id)).toContain('byron@example.com');
    }
    expect((await erase('ada@example.com', '--yes')).answer.removed).toEqual({});
    const said = await cli.say('person', 'erase', '--organization', slug, '--email', 'byron@example.com');
    expect(said.stdout).toMatch(/start_list_entries +3\b[\s\S]*Nothing was deleted/);
  });

  it('keeps people whose address only contains the address', async () => {
    const address = 'eve@example.com';
    const others = ['l.eve@example.com', 'le-eve@example.com', 'eve@example.com.au', 'eve+run@example.com'];
    const { participantIds } = await booked([...others, address]);
    const before = await Promise.all(participantIds.map(names));
    await erase(address, '--yes');
    const after = await Promise.all(participantIds.map(names));
    expect(after).toEqual([...before.slice(0, -1), []]);
  });

  it('finds the address in free text of other people, in links and in other spellings', async () => {
    const texts = [
      'see:\nGrace+run@Example.com.',
      'https://a.example/?u=grace%2Brun%40example.com',
      '<grace+run@example.com>',
    ];
    const bookings = await Promise.all(texts.map((text, i) => booked([`friend${i}@example.com`], text)));
    const { updatedAt } = await participant(bookings[0]?.participantIds[0]);
    await erase('grace+run@example.com', '--yes');
    for (const { participantIds } of bookings) {
      const { metadata, gdprRedacted } = await participant(participantIds[0]);
      expect(gdprRedacted).toBe(false);
      expect(metadata.notes).toMatch(/redacted-[0-9a-f]{8}/);
      expect(metadata.notes).not.toMatch(/grace/i);
      expect((await participant(participantIds[0])).updatedAt > updatedAt).toBe(true);
    }
  });

  it.each([
    ['İpek', 'Yılmaz'],
    ['ΓΙΩΡΓΟΣ', 'ΠΑΠΠΑΣ'],
    ['Ana "Nani"', 'Gómez'],
  ])('finds %s %s in what is said of a companion', async (firstName, lastName) => {
    const address = `named-${serial}@example.com`;
    const { participantIds } = await booked([address, 'companion@example.com'], '', [
      { firstName, lastName },
    ]);
    const name = `${firstName} ${lastName}`;
    const texts = { tags: [`with ${name}`], notes: [`a room with ${name}`] };
    expect((await api.send('PATCH', `/v0/participants/${participantIds[1]}`, texts)).status).toBe(200);
    await erase(address, '--yes');
    const { gdprRedacted, ...left } = await participant(participantIds[1]);
    expect(gdprRedacted).toBe(false);
    const said = JSON.stringify([left.tags, left.notes]);
    expect(said.match(/redacted-/g)).toHaveLength(2);
    expect(said).not.toContain(lastName);
  });

  it('finds an address in any script, in any Unicode normalization', async () => {
    const { participantIds } = await booked(['ZOÉ@exämple.com'.normalize('NFD')]);
    await erase('zoé@exämple.com'.normalize('NFC'), '--yes');
    const [{ left }] = await api.dataSource.query(
      "SELECT count(*)::int AS left FROM import_rows WHERE organization_id = $1 AND normalize(payload::text) ILIKE '%xämple%'",
      [api.organizationId],
    );
    expect([(await participant(participantIds[0])).fields, left]).toEqual([[], 0]);
  });

  it('removes contacts of partners, and keeps the other contacts', async () => {
    const { organizationId } = api;
    const contacts = ['joan@example.com', 'other@example.com'].map((email) => ({
      firstName: 'J',
      lastName: 'C',
      email,
    }));
    const { id } = await partner(api.dataSource, { organizationId, contacts });
    await erase('joan@example.com', '--yes');
    expect((await api.get(`/v0/partners/${id}`)).body.contacts).toEqual([contacts[1]]);
  });

  it('works in transactions of at most 1,000 rows', async () => {
    const { organizationId, dataSource } = api;
    const email = 'rich@example.com';
    await credit(dataSource, { organizationId, email, emailNormalized: email });
    await dataSource.query(
      `INSERT INTO credits (organization_id, id, email, email_normalized, amount_value, currency_code)
       SELECT $1, uuid_v7(), $2, $2, 1, 'GBP' FROM generate_series(1, 2500)`,
      [organizationId, email],
    );
    expect((await erase(email, '--yes')).answer.removed).toEqual({ credits: 2_501 });
    const [{ most }] = await dataSource.query(
      `SELECT max(rows)::int AS most FROM (SELECT count(*) AS rows FROM ${await storageOf(dataSource, 'credits')}
       WHERE organization_id = $1 AND email = '' GROUP BY xmin) t`,
      [organizationId],
    );
    expect(most).toBe(1_000);
  });

  it('completes when it runs again after an interruption', async () => {
    const bookings = [await booked(['mary@example.com']), await booked(['mary@example.com'])];
    const last = bookings
      .map(({ bookingId }) => bookingId)
      .sort()
      .pop();
    await api.home.query(
      `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stopped'; END $$`,
    );
    await api.home.query(
      `CREATE TRIGGER stop BEFORE UPDATE ON bookings FOR EACH ROW WHEN (OLD.id = '${last}') EXECUTE FUNCTION stop()`,
    );
    expect(await erase('mary@example.com', '--yes')).toMatchObject({
      code: 1,
      answer: { message: 'stopped' },
    });
    await api.home.query('DROP FUNCTION stop CASCADE');
    const { answer } = await erase('mary@example.com', '--yes');
    expect(answer.removed).toEqual({ bookings: 1, start_list_entries: 1 });
    for (const { participantIds } of bookings) expect(await names(participantIds[0])).toEqual([]);
    const [{ held }] = await api.dataSource.query(
      "SELECT count(*)::int AS held FROM import_rows WHERE organization_id = $1 AND payload::text LIKE '%mary@%'",
      [api.organizationId],
    );
    expect(held).toBe(0);
  });

  it('rejects malformed addresses and unknown organizations', async () => {
    expect((await erase('ada')).answer.error).toBe('INVALID_COMMAND');
    expect((await erase('a b@example.com')).answer.error).toBe('INVALID_COMMAND');
    const { slug: other } = await organization(api.dataSource);
    const [known, unknown] = await Promise.all(
      [other, 'nobody'].map((name) =>
        cli.run('person', 'erase', '--organization', name, '--email', 'byron@example.com', '--yes'),
      ),
    );
    expect(known?.answer.removed).toEqual({});
    expect(unknown?.answer.error).toBe('NOT_FOUND');
  });
});
