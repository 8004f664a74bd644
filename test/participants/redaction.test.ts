import { randomInt } from 'node:crypto';
import { IDENTITY_FIELDS } from '#domain/catalogue';
import { addOn, booking, bookingForm, bookingFormField, key, ticket } from '#libs/testing';
import { type CommandLine, commandLine } from '../cli/startline';
import { eventually, sharedApi, type TestApi } from '../harness';
import { finished, importRows } from '../imports/import';

let api: TestApi;
let cli: CommandLine;
beforeAll(async () => {
  api = await sharedApi();
  cli = await commandLine(api.databaseUrl);
  for (const { key, label, type } of IDENTITY_FIELDS) {
    await bookingFormField(api.dataSource, { organizationId: api.organizationId, key, label, type });
  }
});
afterAll(async () => {
  await cli.close();
  await api.close();
});

/** Every table with the text in any row. */
async function tablesThatHold(text: string): Promise<string[]> {
  const tables: { name: string }[] = await api.home.query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'bullmq')`,
  );
  const found = [];
  for (const { name } of tables) {
    const [{ held }] = await api.home.query(
      `SELECT EXISTS (SELECT 1 FROM ${name} t WHERE strpos(lower(t::text), lower($1)) > 0) AS held`,
      [text],
    );
    if (held) found.push(name);
  }
  return found;
}

/** Texts are unique, because tests on Citus share a database. */
let serial = randomInt(100_000, 900_000);

/** A booking for three by the first of them, imported with all personal data that an import can contain. */
async function imported(team = 'Zebulon', emailOfChild?: string) {
  const n = ++serial;
  const { organizationId, dataSource } = api;
  const sold = await ticket(dataSource, { organizationId });
  const phone = await bookingFormField(dataSource, { organizationId, key: `phone${n}`, type: 'PHONE' });
  await bookingForm(dataSource, { organizationId, ticketIds: [sold.id], fieldIds: [phone.id] });
  const person = (first: string, email?: string) => ({
    ticketId: sold.id,
    firstName: `${first}${n}`,
    lastName: `Family${n}`,
    ...(email && { email: `${email}${n}@Example.com` }),
    externalParticipantId: `${first}${n}-at-home`,
    tags: [`friend-of-${first}${n}`],
    team: { name: `${team}${n}'s team`, role: `${first}${n} leads` },
    fields: [{ id: phone.id, value: `+44 ${first}${n}` }],
  });
  const row = {
    externalBookingId: `order-${n}`,
    eventOccurrenceId: sold.eventOccurrenceId,
    booker: {
      email: `Zebulon${n}@example.com`,
      firstName: `Zebulon${n}`,
      lastName: `Family${n}`,
      phone: `+44 Zebulon${n}`,
    },
    participants: [
      person('Zebulon', 'zebulon'),
      person('Wilhelmina', 'wilhelmina'),
      person('Child', emailOfChild),
    ],
    tracking: { source: `friend-of-Zebulon${n}` },
    metadata: { note: `Zebulon${n} asked for a lane` },
  };
  const job = await importRows(api, 'bookings/import', { bookings: [row] });
  // The same again, and a failed attempt: both store the posted row.
  const failing = importRows(api, 'bookings/import', {
    bookings: [
      row,
      {
        ...row,
        externalBookingId: `other-${n}`,
        participants: [{ ...person('Zebulon'), waveId: organizationId }],
      },
    ],
  });
  const { bookingId, participantIds } = job.results[0];
  const charging = importRows(api, 'bookings/line-items/import', {
    lineItems: ['Zebulon', 'Wilhelmina'].map((first, i) => ({
      externalLineItemId: `${first}-shirt-${n}`.toLowerCase().replace('zebulon', 'z'),
      participantId: participantIds[i],
      bookingId,
      itemType: 'ADD_ON',
      name: `Shirt for ${first}${n}`,
      amount: { value: 500, currencyCode: 'GBP' },
    })),
  });
  const crediting = importRows(api, 'credits/import', {
    credits: ['zebulon', 'wilhelmina'].map((first) => ({
      externalCreditId: `refund/${first}${n}@example.com`,
      email: `${first}${n}@Example.com`,
      amount: { value: 1000, currencyCode: 'GBP' },
      reason: `${first}${n} was ill`,
    })),
  });
  const [failed] = await Promise.all([failing, charging, crediting]);
  return {
    n,
    sold,
    bookingId,
    participantIds: participantIds as [string, string, string],
    failedJobId: failed.jobId as string,
  };
}

const participant = async (id: string) => (await api.get(`/v0/participants/${id}?extendMetadata=true`)).body;

describe('participant redact', () => {
  it('removes the person everywhere, and keeps the entry, its counts and everyone else', async () => {
    const { n, sold, bookingId, participantIds } = await imported('Zebulon', 'child');
    const [zebulon, wilhelmina, child] = participantIds;
    const { id: fieldId } = await bookingFormField(api.dataSource, { organizationId: api.organizationId });
    await api.send('PATCH', `/v0/participants/${zebulon}/race-day`, {
      bibNumber: `Z${n}`,
      customFields: [{ id: fieldId, value: `met Zebulon${n}` }],
    });
    const { token } = await key(api.dataSource, { organizationId: api.organizationId, kind: 'TIMING' });
    await api.send(
      'POST',
      '/timing-inbound/v1',
      {
        schemaVersion: '1.0',
        changedAt: new Date().toISOString(),
        data: {
          participantId: zebulon,
          shipping: {
            shippedAt: new Date().toISOString(),
            carrier: 'Post',
            trackingNumber: `zebulon${n}-parcel`,
          },
        },
      },
      token,
    );
    const before = await eventually(async () => {
      const body = await participant(zebulon);
      return body.raceDayDetails.customFields.length > 0 && body.raceDayDetails.shipping && body;
    });
    const others = [await participant(wilhelmina), await participant(child)];
    const race = (await api.get(`/v0/races/${sold.raceId}/participants`)).body.page.totalResults;
    expect(await tablesThatHold(`zebulon${n}`)).toEqual(
      expect.arrayContaining([
        'public.bookings',
        'public.start_list_entries',
        'public.import_rows',
        'public.race_day_log',
        'public.credits',
        'public.line_items',
        'public.teams',
      ]),
    );

    const { code, answer } = await cli.run('participant', 'redact', zebulon);
    expect([code, answer]).toEqual([
      0,
      expect.objectContaining({
        participantId: zebulon,
        changed: true,
        bookerRedacted: true,
        importRows: 5,
        credits: 1,
      }),
    ]);

    expect(await tablesThatHold(`zebulon${n}`)).toEqual([]);
    const after = await participant(zebulon);
    expect(after).toMatchObject({
      id: zebulon,
      gdprRedacted: true,
      fields: [],
      booker: { firstName: null, lastName: null, email: null, phone: null },
      tracking: {},
      bibNumber: `Z${n}`,
      raceDayDetails: {
        customFields: [],
        shipping: { status: 'SHIPPED', carrier: null, trackingNumber: null },
      },
      metadata: { startline: { importRow: 0 } },
    });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await api.get(`/v0/races/${sold.raceId}/participants`)).body.page.totalResults).toBe(race);
    expect((await api.get(`/v0/bookings/${bookingId}`)).body.booker).toEqual(after.booker);

    for (const was of others) {
      const is = await participant(was.id);
      expect(is.fields).toEqual(was.fields);
      expect(is.gdprRedacted).toBe(false);
      expect([is.tags, is.tracking]).toEqual([was.tags, {}]);
      // The booker was removed, which pollers must see.
      expect(is.updatedAt > was.updatedAt).toBe(true);
    }
    const [money] = await api.dataSource.query(
      `SELECT count(*)::int AS credits, sum(amount_value)::int AS amount,
         count(*) FILTER (WHERE email_normalized = $2)::int AS hers
       FROM credits WHERE organization_id = $1 AND (external_credit_id LIKE 'refund/%' OR external_credit_id LIKE 'erased-%')`,
      [api.organizationId, `wilhelmina${n}@example.com`],
    );
    expect(money).toEqual({ credits: 2, amount: 2000, hers: 1 });
    const registered = async (email: string) =>
      (
        await api.send('POST', `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`, {
          email,
        })
      ).body.registered;
    expect(await registered(`zebulon${n}@example.com`)).toBe(false);
    expect(await registered(`wilhelmina${n}@example.com`)).toBe(true);
  });

  it('keeps a different booker until all entries of the booking are redacted', async () => {
    const { n, bookingId, participantIds } = await imported();
    const [zebulon, wilhelmina, child] = participantIds;
    await cli.run('participant', 'redact', wilhelmina);
    expect(await tablesThatHold(`wilhelmina${n}`)).toEqual([]);
    expect((await participant(wilhelmina)).booker.email).toBeNull();
    expect((await participant(child)).booker.firstName).toBe(`Zebulon${n}`);
    expect((await api.get(`/v0/bookings/${bookingId}`)).body.booker.firstName).toBe(`Zebulon${n}`);
    for (const id of [child, zebulon]) await cli.run('participant', 'redact', id);
    expect(await tablesThatHold(`Family${n}`)).toEqual([]);
  });

  it('keeps the booker while another active entry needs the contact', async () => {
    const { n, bookingId, participantIds } = await imported();
    const [zebulon, , child] = participantIds;
    const bookerOf = async () => (await api.get(`/v0/bookings/${bookingId}`)).body.booker;
    const contact = await bookerOf();
    const registered = async () => {
      const { eventOccurrenceId } = await participant(child);
      const path = `/v0/event-occurrences/${eventOccurrenceId}/registration-status`;
      return (await api.send('POST', path, { email: `zebulon${n}@example.com` })).body.registered;
    };
    const { answer } = await cli.run('participant', 'redact', zebulon);
    expect([answer.changed, answer.bookerRedacted, await bookerOf()]).toEqual([true, false, contact]);
    expect((await participant(zebulon)).fields).toEqual([]);
    // The child has no address of its own.
    expect(await registered()).toBe(true);

    // Another entry has the same address, until it is cancelled.
    const other = await imported('Zebulon', 'zebulon');
    expect((await cli.run('participant', 'redact', other.participantIds[0])).answer.bookerRedacted).toBe(
      false,
    );
    const family = await imported('Zebulon', 'zebulon');
    await api.send('DELETE', `/v0/participants/${family.participantIds[2]}`, undefined);
    expect((await cli.run('participant', 'redact', family.participantIds[0])).answer.bookerRedacted).toBe(
      true,
    );
  });

  it('leaves no address of a participant who removes theirs when the booker is gone', async () => {
    const { n, participantIds } = await imported('Zebulon', 'child');
    const [zebulon, wilhelmina] = participantIds;
    expect((await cli.run('participant', 'redact', zebulon)).answer.bookerRedacted).toBe(true);
    const { eventOccurrenceId } = await participant(wilhelmina);
    const email = `wilhelmina${n}@example.com`;
    const known = async () => {
      const path = `/v0/event-occurrences/${eventOccurrenceId}/registration-status`;
      const found = await api.get(`/v0/participants?email=${email}`);
      return [(await api.send('POST', path, { email })).body.registered, found.body.data.length];
    };
    expect(await known()).toEqual([true, 1]);
    await api.send('PATCH', `/v0/participants/${wilhelmina}`, { email: null });
    expect(await known()).toEqual([false, 0]);
  });

  it('removes a booker who does not take part with the last entry of the booking', async () => {
    const { id, entries } = await booking(api.dataSource, { organizationId: api.organizationId, entries: 2 });
    const bookerOf = async () => (await api.get(`/v0/bookings/${id}`)).body.booker.email;
    const booker = await bookerOf();
    expect(booker).toContain('@');
    await cli.run('participant', 'redact', entries[0]?.participantId as string);
    expect(await bookerOf()).toBe(booker);
    await cli.run('participant', 'redact', entries[1]?.participantId as string);
    expect(await bookerOf()).toBeNull();
  });

  it('keeps a team name without the name of the person until all members are redacted', async () => {
    const { n, participantIds } = await imported('Comet');
    const [zebulon, wilhelmina, child] = participantIds;
    const name = async () => (await api.get(`/v0/participants/${wilhelmina}`)).body.team.name as string;
    for (const id of [zebulon, child]) await cli.run('participant', 'redact', id);
    expect(await name()).toBe(`Comet${n}'s team`);
    await cli.run('participant', 'redact', wilhelmina);
    expect(await name()).toMatch(/^Team /);
  });

  it('keeps a credit while another entry has its email', async () => {
    const { n, participantIds } = await imported();
    const [zebulon, wilhelmina] = participantIds;
    const again = await imported();
    const { fields } = await participant(again.participantIds[1]);
    expect(fields).toEqual(expect.arrayContaining([expect.objectContaining({ key: 'email' })]));
    await api.dataSource.query(
      'UPDATE start_list_entries SET email_normalized = $2 WHERE participant_id = $1',
      [again.participantIds[1], `zebulon${n}@example.com`],
    );
    const first = await cli.run('participant', 'redact', zebulon);
    expect(first.answer.credits).toBe(0);
    expect((await cli.run('participant', 'redact', wilhelmina)).answer.credits).toBe(1);
  });

  it('keeps the booker if the participant only has the email of the booker', async () => {
    const { n, participantIds, bookingId } = await imported();
    const { answer } = await cli.run('participant', 'redact', participantIds[2]);
    expect(answer.bookerRedacted).toBe(false);
    expect((await api.get(`/v0/bookings/${bookingId}`)).body.booker.firstName).toBe(`Zebulon${n}`);
  });

  it('is recorded in the audit log, without the person', async () => {
    const { n, participantIds } = await imported('Zebulon', 'child');
    await cli.run('participant', 'redact', participantIds[0]);
    const records = await api.dataSource.query('SELECT * FROM audit_log WHERE object_id = $1', [
      participantIds[0],
    ]);
    expect(records).toHaveLength(1);
    expect(records[0].details.removed).toMatchObject({ credits: 1, teams: 1, bookings: 1 });
    expect(JSON.stringify(records).toLowerCase()).not.toContain(`zebulon${n}`);
  });

  it('keeps rows about participants of other bookings who have the same external id', async () => {
    const { organizationId, dataSource } = api;
    const sold = await ticket(dataSource, { organizationId });
    const { id: addOnId } = await addOn(dataSource, { organizationId, eventId: sold.eventId });
    const orders = [1, 2].map((n) => `numbered-${++serial}-${n}`);
    const bookings = orders.map((externalBookingId) => ({
      ...{ externalBookingId, eventOccurrenceId: sold.eventOccurrenceId },
      booker: { email: `${externalBookingId}@example.com`, firstName: 'N', lastName: externalBookingId },
      participants: [{ ticketId: sold.id, externalParticipantId: '1', firstName: 'N' }],
    }));
    const { results } = await importRows(api, 'bookings/import', { bookings });
    const addOns = orders.map((externalBookingId) => ({
      ...{
        externalAllocationId: `${externalBookingId}-shirt`,
        externalBookingId,
        externalParticipantId: '1',
      },
      ...{ addOnId, quantity: 1, unitPrice: { value: 500, currencyCode: 'GBP' } },
    }));
    const dryRun = await importRows(api, 'add-ons/import?dryRun=true', { addOns });
    const { answer } = await cli.run('participant', 'redact', results[0].participantIds[0]);
    expect(answer.importRows).toBe(2);
    const { body } = await api.send('POST', `/v0/import-jobs/${dryRun.jobId}/apply`, undefined);
    const done = await finished(api, 'add-ons/import', (body as { jobId: string }).jobId);
    expect(done).toMatchObject({ totalRows: 1, succeededRows: 1 });
  });

  it('keeps failed import rows failed when their job is retried', async () => {
    const { participantIds, failedJobId } = await imported();
    await cli.run('participant', 'redact', participantIds[0]);
    expect((await cli.run('import', 'retry', failedJobId)).code).toBe(0);
    const job = await finished(api, 'bookings/import', failedJobId);
    expect(job).toMatchObject({ status: 'COMPLETED', alreadyImportedRows: 1, failedRows: 1 });
    expect(job.errors[0].code).toBe('WAVE_NOT_FOUND');
  });

  it('changes nothing the second time', async () => {
    const { participantIds } = await imported();
    await cli.run('participant', 'redact', participantIds[0]);
    // Its team has a new name.
    await eventually(async () => {
      const [{ pending }] = await api.dataSource.query(
        'SELECT count(*)::int AS pending FROM pending_refreshes',
      );
      return pending === 0;
    });
    const once = await participant(participantIds[0]);
    const { code, answer } = await cli.run('participant', 'redact', participantIds[0]);
    expect([code, answer.changed, answer.importRows]).toEqual([0, false, 0]);
    expect(await participant(participantIds[0])).toEqual(once);
  });

  it('accepts the id of an application too, and rejects others', async () => {
    const { participantIds } = await imported();
    const { applicationId } = await participant(participantIds[0]);
    expect((await cli.run('participant', 'redact', applicationId)).answer.participantId).toBe(
      participantIds[0],
    );
    for (const id of [api.organizationId, '17']) {
      const { code, answer } = await cli.run('participant', 'redact', id);
      expect([code, answer.error]).toEqual([1, 'NOT_FOUND']);
    }
  });
});
