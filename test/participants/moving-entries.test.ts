import { erasePerson } from '#domain/participants';
import {
  addOn,
  booking,
  bookingForm,
  bookingFormField,
  discountCode,
  key,
  organization,
  partner,
  reservedEntryGroup,
  ticket,
} from '#libs/testing';
import { newId, type ReservedEntryGroup, StartListEntry } from '#platform/database';
import { expectCountersRight } from '../faults/recount';
import { eventually, sharedApi, type TestApi } from '../harness';
import { errorsOf, finished, importRows, sale } from '../imports/import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
  for (const name of ['firstName', 'lastName', 'email'])
    await bookingFormField(api.dataSource, mine({ key: name, type: name === 'email' ? 'EMAIL' : 'TEXT' }));
});
afterAll(() => api.close());

let serial = 0;
const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
const grace = () => ({ firstName: 'Grace', lastName: 'Hopper', email: `grace-${++serial}@example.com` });
const transfer = (id: string, body: object = grace(), token?: string) =>
  api.send('POST', `/v0/participants/${id}/transfer`, body, token);
const cancel = (id: string, token?: string) => api.send('DELETE', `/v0/participants/${id}`, undefined, token);
const read = async (id: string) => (await api.get(`/v0/participants/${id}?extendMetadata=true`)).body as any;
const bookingOf = async (id: string) => (await api.get(`/v0/bookings/${id}?extendMetadata=true`)).body as any;
const answer = ({ fields }: any, name: string) =>
  fields.find(({ key: of }: { key: string }) => of === name)?.value;
const query = (sql: string, ...values: unknown[]) => api.dataSource.query(sql, values);

/** A booking of the import, with its participants' ids. */
async function booked(given: object = {}, ...participants: object[]) {
  const { row, participant, ticket: sold } = await sale(api);
  const job = await importRows(api, 'bookings/import', {
    bookings: [row({ ...given, participants: (participants.length ? participants : [{}]).map(participant) })],
  });
  expect(errorsOf(job)).toEqual([]);
  const [{ bookingId, participantIds }] = job.results as any;
  return { bookingId: bookingId as string, ids: participantIds as string[], sold, row, participant };
}

/** A partner with a group, a key, and participants that it has assigned. */
async function charity(given: Partial<ReservedEntryGroup> = {}) {
  const { id } = await partner(api.dataSource, mine({}));
  const sold = await ticket(api.dataSource, mine({}));
  const group = await reservedEntryGroup(
    api.dataSource,
    mine({ partnerId: id, ticketId: sold.id, maxCapacity: 50, reallocateOnCancel: true, ...given }),
  );
  const { token } = await key(api.dataSource, mine({ partnerId: id }));
  const assign = async (email = grace().email) => {
    const job = await importRows(
      api,
      'reserved-entries/participants/import',
      {
        assignments: [
          {
            externalAssignmentId: `place-${++serial}`,
            reservedEntryGroupId: group.id,
            ticketSlug: sold.slug,
            participant: { ...grace(), email },
          },
        ],
      },
      { token },
    );
    expect(errorsOf(job)).toEqual([]);
    return (job.results as any)[0] as { participantId: string; bookingId: string };
  };
  const used = async () =>
    (await query('SELECT used_capacity FROM reserved_entry_groups WHERE id = $1', group.id))[0].used_capacity;
  return { id, sold, group, token, assign, used };
}

describe('POST /v0/participants/{id}/transfer', () => {
  it('keeps ids, bib, ticket and charges, and clears what the former person said', async () => {
    const { ids, bookingId } = await booked(
      { metadata: { order: 'of Ada' } },
      { bibNumber: '17', tags: ['club'], externalParticipantId: 'runner-17', email: 'ada@example.com' },
    );
    const [id] = ids as [string];
    await query(
      `UPDATE start_list_entries SET participant_notes = '{rude}', application_notes = 'rude', result_url = 'https://a.example',
       partner_marketing_opt_ins = $2 WHERE participant_id = $1`,
      id,
      JSON.stringify([{ partnerId: (await partner(api.dataSource, mine({}))).id, optedIn: true }]),
    );
    await api.send('PATCH', `/v0/participants/${id}/race-day`, { customFields: [{ id: 'kit', value: 'S' }] });
    const before = await read(id);
    expect(before).toMatchObject({ bibNumber: '17', tags: ['club'], metadata: { order: 'of Ada' } });
    const person = grace();
    const { status, body } = await transfer(id, person);
    expect(status).toBe(200);
    const after = await read(id);
    expect(after).toMatchObject({
      ...{ id, applicationId: before.applicationId, bookingId, bibNumber: '17', ticketId: before.ticketId },
      ...{ tags: [], notes: [], partnerMarketingOptIns: [], resultSubmission: null },
      ...{ externalParticipantId: 'runner-17', originalTicketPrice: before.originalTicketPrice },
      booker: { ...person, phone: null },
    });
    expect(after.metadata).not.toHaveProperty('order');
    expect(after.raceDayDetails.customFields).toEqual([]);
    expect([answer(body, 'firstName'), answer(body, 'email')]).toEqual(['Grace', person.email]);
    expect(JSON.stringify([after, await bookingOf(bookingId)])).not.toMatch(
      /ada@example|Lovelace|of Ada|rude/i,
    );
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await bookingOf(bookingId)).total).toEqual({ value: expect.any(Number), currencyCode: 'GBP' });
  });

  it('clears where a shipping went, roles, reasons and tracking, also in the log', async () => {
    const { ids, bookingId } = await booked({ tracking: { click: 'of Ada' } }, { email: 'ada@example.com' });
    const [id] = ids as [string];
    await query(
      `UPDATE start_list_entries SET team_roles = '{captain}', status_details = $2 WHERE participant_id = $1`,
      ...[id, JSON.stringify([{ status: 'APPROVED', at: '2026-01-01T00:00:00.000000Z', reason: 'of Ada' }])],
    );
    const { token: timing } = await key(api.dataSource, mine({ kind: 'TIMING' as const }));
    const say = async (data: object, shows: object) => {
      const message = { schemaVersion: '1.0', changedAt: new Date().toISOString() };
      const sent = { ...message, data: { participantId: id, ...data } };
      expect((await api.send('POST', '/timing-inbound/v1', sent, timing)).status).toBe(200);
      return eventually(async () => {
        const participant = await read(id);
        return Object.entries(shows).every(([name, value]) => participant[name] === value) && participant;
      });
    };
    const trackingUrl = 'https://track.example/of-ada';
    const told = { carrier: 'of Ada', trackingNumber: 'of Ada', trackingUrl };
    const shipping = { status: 'SHIPPED', shippedAt: '2026-05-04T08:00:00.000000Z', ...told };
    const before = await say({ bibNumber: '21', shipping }, { bibNumber: '21' });
    expect(before.raceDayDetails.shipping).toMatchObject(shipping);
    expect((await transfer(id)).status).toBe(200);
    const none = { carrier: null, trackingNumber: null, trackingUrl: null };
    expect((await read(id)).raceDayDetails.shipping).toMatchObject({ status: 'SHIPPED', ...none });
    // The log gives the same.
    const after = await say({ bibNumber: '22' }, { bibNumber: '22' });
    expect(after.raceDayDetails.shipping).toMatchObject({ status: 'SHIPPED', ...none });
    expect(after.statusDetails).toEqual([{ status: 'APPROVED', at: expect.any(String), reason: null }]);
    const [entry] = await query('SELECT team_roles FROM start_list_entries WHERE participant_id = $1', id);
    expect(entry.team_roles).toEqual([]);
    const log = await query('SELECT * FROM race_day_log WHERE participant_id = $1', id);
    expect(log.length).toBeGreaterThan(1);
    const { body } = await api.get(`/v0/bookings/${bookingId}?extendTracking=true`);
    expect(JSON.stringify([log, after, body])).not.toMatch(/of.Ada/);
    expect((await query('SELECT tracking FROM bookings WHERE id = $1', bookingId))[0].tracking).toEqual({});
  });

  it('clears and takes answers on a ticket that nobody gets any more', async () => {
    const { ids, sold } = await booked();
    const [id] = ids as [string];
    const question = await bookingFormField(api.dataSource, mine({ key: `club${++serial}`, type: 'TEXT' }));
    await bookingForm(api.dataSource, mine({ fieldIds: [question.id], ticketIds: [sold.id] }));
    await query('UPDATE tickets SET deleted_at = now() WHERE id = $1', sold.id);
    const fields = [{ id: question.id, value: 'Harriers' }];
    const { status, body } = await transfer(id, { ...grace(), fields });
    expect([status, answer(body, question.key)]).toEqual([200, 'Harriers']);
    expect(answer((await transfer(id)).body, question.key)).toBeNull();
  });

  it('moves the registration to the new address', async () => {
    const { ids, sold } = await booked({}, { email: 'leaves@example.com' });
    const person = grace();
    await transfer(ids[0] as string, person);
    const registered = async (email: string) =>
      (
        await api.send('POST', `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`, {
          email,
        })
      ).body.registered;
    expect([await registered('leaves@example.com'), await registered(person.email)]).toEqual([false, true]);
  });

  it('does not show metadata that the booking gets later', async () => {
    const { ids, row, participant } = await booked({}, { email: 'a@example.com' });
    await transfer(ids[0] as string);
    const [{ externalBookingId }] = [await bookingOf((await read(ids[0] as string)).bookingId)];
    await importRows(
      api,
      'bookings/import',
      { bookings: [row({ externalBookingId, metadata: { later: 1 }, participants: [participant()] })] },
      { method: 'PUT' },
    );
    expect((await read(ids[0] as string)).metadata).not.toHaveProperty('later');
  });

  it('replaces a booker who leaves, and no other', async () => {
    const booker = { email: 'ada-b@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const own = { email: 'Ada-B@example.com', firstName: 'ADA ', lastName: 'Lovelace' };
    const bookerAfter = async (of: { ids: string[]; bookingId: string }) => {
      const person = grace();
      expect((await transfer(of.ids[0] as string, person)).status).toBe(200);
      return { person, booker: (await bookingOf(of.bookingId)).booker };
    };
    const alone = await bookerAfter(await booked({ booker }, own));
    expect(alone.booker).toEqual({ ...alone.person, phone: null });
    const left = await booked({ booker }, own, {});
    await cancel(left.ids[1] as string);
    const last = await bookerAfter(left);
    expect(last.booker).toMatchObject(last.person);

    // Who booked for others too stays their contact; and a parent who books for a child is not the child.
    const child = { email: booker.email, firstName: 'Annabella', lastName: 'Byron' };
    const namesake = { ...own, email: 'another-ada@example.com' };
    for (const participants of [[own, {}], [own, own], [child], [namesake]])
      expect((await bookerAfter(await booked({ booker }, ...participants))).booker).toMatchObject(booker);
  });

  it('takes a child without an email, if somebody else is the contact', async () => {
    const booker = { email: 'mother@example.com', firstName: 'Maria', lastName: 'Berg' };
    const child = { firstName: 'Anna', lastName: 'Berg' };
    const { ids, bookingId, sold, row, participant } = await booked({ booker }, child, { firstName: 'Ben' });
    const other = { firstName: 'Zoe', lastName: 'Tal' };
    const given = await transfer(ids[0] as string, other);
    expect([given.status, answer(given.body, 'email'), given.body.booker]).toEqual([
      ...[200, null, { ...booker, phone: null }],
    ]);
    const registered = await api.send(
      'POST',
      `/v0/event-occurrences/${sold.eventOccurrenceId}/registration-status`,
      { email: booker.email },
    );
    expect(registered.body).toMatchObject({ registered: true });
    // The contact is not Zoe: it can be corrected.
    const { externalBookingId } = await bookingOf(bookingId);
    const moved = { ...booker, email: 'maria@example.com' };
    const participants = [participant(other), participant({ firstName: 'Ben' })];
    const corrected = await importRows(
      api,
      'bookings/import',
      { bookings: [row({ externalBookingId, booker: moved, participants })] },
      { method: 'PUT' },
    );
    expect(errorsOf(corrected)).toEqual([]);
    expect((await bookingOf(bookingId)).booker).toMatchObject(moved);

    const alone = await booked({ booker }, { ...booker });
    const { assign } = await charity({ domainRestriction: 'acme.example' });
    for (const id of [alone.ids[0] as string, (await assign('one@acme.example')).participantId])
      expect((await transfer(id, other)).body).toMatchObject({
        statusCode: 400,
        problems: [{ path: 'email', code: 'REQUIRED' }],
      });
  });

  it('is not undone by a correction that names the former person, as participant or booker', async () => {
    const { ids, bookingId, row, participant } = await booked({}, {}, {});
    const [id, companion] = ids as [string, string];
    const named = grace();
    await transfer(id, named);
    const { externalBookingId } = await bookingOf(bookingId);
    const corrected = async (participants: object[], more: object = {}) => {
      const rows = [row({ externalBookingId, participants: participants.map(participant), ...more })];
      const job = await importRows(api, 'bookings/import', { bookings: rows }, { method: 'PUT' });
      const [result] = job.results as any;
      return result.error ? [result.error.code, result.error.message] : [result.outcome, result.differs];
    };
    const before = await read(id);
    // The row as it was sent at first.
    expect(await corrected([{}, { tags: ['x'] }])).toEqual([
      'NOT_CORRECTABLE',
      expect.stringMatching(/^participants\[0\]\.firstName .*another person/),
    ]);
    expect([await read(id), (await read(companion)).tags]).toEqual([before, []]);
    // The same address is not the same person.
    const relative = { email: named.email, firstName: 'Ada', lastName: 'Lovelace' };
    expect((await corrected([relative, {}]))[0]).toBe('NOT_CORRECTABLE');
    // A row that knows who has the place corrects the rest.
    expect(await corrected([{ ...named, tags: ['y'] }, { tags: ['x'] }])).toEqual([
      'UPDATED',
      ['participants[0].tags', 'participants[1].tags'],
    ]);
    expect((await api.send('PATCH', `/v0/participants/${id}`, { firstName: 'Grazia' })).status).toBe(200);

    // A booker who gave the place away.
    const alone = await booked({ booker: named }, named);
    const next = grace();
    await transfer(alone.ids[0] as string, next);
    const { externalBookingId: external, booker } = await bookingOf(alone.bookingId);
    const again = await importRows(
      api,
      'bookings/import',
      {
        bookings: [
          alone.row({
            ...{ externalBookingId: external, booker: named },
            participants: [alone.participant(next)],
          }),
        ],
      },
      { method: 'PUT' },
    );
    expect(errorsOf(again)).toEqual([[0, 'NOT_CORRECTABLE']]);
    expect([booker.email, (await bookingOf(alone.bookingId)).booker]).toEqual([next.email, booker]);
  });

  it('is not undone by the row of a booker who was erased, and whose metadata looked like ours', async () => {
    const booker = grace();
    const { ids, bookingId, row, participant } = await booked(
      { booker, metadata: { importRow: 'A12' } },
      {},
      {},
    );
    const [id, companion] = ids as [string, string];
    const own = { metadata: { importRow: 'A12', importJobId: 'monday' } };
    expect((await api.send('PATCH', `/v0/participants/${companion}`, own)).status).toBe(200);
    expect((await transfer(id)).status).toBe(200);
    const before = await read(id);
    const { externalBookingId } = await bookingOf(bookingId);
    await erasePerson(api.dataSource, mine({ email: booker.email, dryRun: false }), {
      type: 'SYSTEM',
      id: null,
      origin: null,
    });
    const rows = [row({ externalBookingId, booker, participants: [participant({}), participant({})] })];
    const job = await importRows(api, 'bookings/import', { bookings: rows }, { method: 'PUT' });
    expect(errorsOf(job)).toEqual([[0, 'NOT_CORRECTABLE']]);
    expect((await read(id)).firstName).toBe(before.firstName);
    expect(Object.keys((await read(companion)).metadata)).toEqual(['startline']);
  });

  it('counts the new booker in the size of each entry of the booking', async () => {
    const booker = grace();
    const { ids, bookingId } = await booked({ booker }, booker, {});
    await cancel(ids[1] as string);
    // Larger than permitted, so that it must not get any larger.
    const tags = Array.from({ length: 50 }, (_, i) => `${i}${'x'.repeat(10_000)}`);
    await query('UPDATE start_list_entries SET tags = $2 WHERE participant_id = $1', ids[1], tags);
    const longer = await transfer(ids[0] as string, { ...grace(), firstName: 'x'.repeat(200) });
    expect([longer.status, longer.body.message]).toEqual([400, expect.stringMatching(/bytes of JSON/)]);
    expect((await bookingOf(bookingId)).booker.email).toBe(booker.email);
    const shorter = await transfer(ids[0] as string, { ...grace(), firstName: 'G', lastName: 'H' });
    expect([shorter.status, (await bookingOf(bookingId)).booker.firstName]).toEqual([200, 'G']);
  });

  it('refuses what is cancelled, redacted, unknown or of others, and changes nothing', async () => {
    const { ids } = await booked({}, { email: 'x@example.com' }, {}, {});
    await cancel(ids[0] as string);
    await query('UPDATE start_list_entries SET gdpr_redacted = true WHERE participant_id = $1', ids[1]);
    const before = await read(ids[2] as string);
    expect((await transfer(ids[0] as string)).body.message).toContain('cancelled');
    expect((await transfer(ids[1] as string)).body.message).toContain('redacted');
    for (const id of [newId(), 'malformed', before.applicationId])
      expect((await transfer(id)).status).toBe(404);
    const { id: organizationId } = await organization(api.dataSource);
    const { token } = await key(api.dataSource, { organizationId });
    expect((await transfer(ids[2] as string, grace(), token)).status).toBe(404);
    expect((await cancel(ids[2] as string, token)).status).toBe(404);
    const bad: [object, string][] = [
      [{ ...grace(), email: 'nobody' }, 'email'],
      [{ ...grace(), firstName: undefined, lastName: '' }, 'firstName'],
      [{ ...grace(), dateOfBirth: '1890-01-01' }, 'dateOfBirth'],
      [{ ...grace(), bibNumber: '1' }, 'bibNumber'],
      [{ ...grace(), fields: [{ key: 'unknown', value: 'x' }] }, 'fields[0].key'],
    ];
    for (const [body, named] of bad) {
      const answered = await transfer(ids[2] as string, body);
      expect([answered.status, answered.body.message]).toEqual([400, expect.stringContaining(named)]);
    }
    expect(await read(ids[2] as string)).toEqual(before);
  });

  it('keeps to the domain and the single use of the group', async () => {
    const { assign } = await charity({ domainRestriction: 'acme.example', type: 'SINGLE_USE' });
    const [one] = [await assign('one@acme.example'), await assign('two@acme.example')];
    expect((await transfer(one.participantId)).body.message).toContain('acme.example');
    const used = { ...grace(), email: 'Two@acme.example' };
    expect((await transfer(one.participantId, used)).body.message).toContain('once');
    expect((await transfer(one.participantId, { ...used, email: 'one@acme.example' })).status).toBe(200);
  });

  it('takes a partner’s key for its own, and leaves a booker whom it does not see', async () => {
    const [ours, others] = [await charity(), await charity()];
    const { participantId } = await ours.assign();
    const person = grace();
    const given = await transfer(participantId, person, ours.token);
    expect([given.status, given.body.booker]).toEqual([200, { ...person, phone: null }]);
    expect((await transfer(participantId, grace(), others.token)).status).toBe(404);
    const made = await booking(
      api.dataSource,
      mine({ ticketId: ours.sold.id, entries: [{ reservedEntryGroupId: ours.group.id }, {}] }),
    );
    const id = made.entries[0]?.participantId as string;
    await query(
      'UPDATE bookings SET booker_email = (SELECT email_normalized FROM start_list_entries WHERE participant_id = $1) WHERE id = $2',
      id,
      made.id,
    );
    const mixed = await transfer(id, person, ours.token);
    expect([mixed.status, mixed.body.booker.email]).toEqual([200, null]);
    expect((await bookingOf(made.id)).booker.firstName).toBe('Ada');
  });
});

describe('DELETE /v0/participants/{id}', () => {
  it('cancels one entry, and the booking with the last', async () => {
    const { ids, bookingId } = await booked({}, { bibNumber: '5' }, { bibNumber: '6' });
    const total = (await bookingOf(bookingId)).total;
    const { status, body } = await cancel(ids[0] as string);
    expect([status, body.status, body.bibNumber]).toEqual([200, 'CANCELLED', null]);
    expect(body.statusDetails.at(-1)).toMatchObject({ status: 'CANCELLED', reason: expect.any(String) });
    expect(await bookingOf(bookingId)).toMatchObject({ status: 'CONFIRMED', total });
    expect(await read(ids[1] as string)).toMatchObject({ status: 'CONFIRMED', bibNumber: '6' });
    const again = await cancel(ids[0] as string);
    expect([again.status, again.body]).toEqual([200, body]);
    await cancel(ids[1] as string);
    expect(await bookingOf(bookingId)).toMatchObject({ status: 'CANCELLED', total });
    await expectCountersRight(api.dataSource);
  });

  it('keeps the external ids of charges, so that a repeated import charges nothing again', async () => {
    const { ids, bookingId, sold } = await booked({}, {}, {});
    const [participantId] = ids as [string];
    const { eventId } = sold;
    const { id: addOnId } = await addOn(api.dataSource, mine({ eventId }));
    const amount = { value: 700, currencyCode: 'GBP' };
    const charge = async () => {
      const lineItems = [
        {
          ...{ externalLineItemId: `fee-of-${bookingId}`, bookingId, participantId, amount },
          ...{ itemType: 'BOOKING_FEE', name: 'Fee' },
        },
      ];
      const addOns = [
        {
          ...{ externalAllocationId: `shirt-of-${bookingId}`, participantId, addOnId, quantity: 1 },
          unitPrice: amount,
        },
      ];
      const jobs = [
        await importRows(api, 'bookings/line-items/import', { lineItems }),
        await importRows(api, 'add-ons/import', { addOns }),
      ];
      return jobs.map(({ alreadyImportedRows, failedRows }) => [alreadyImportedRows, failedRows]);
    };
    expect(await charge()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const { total } = await bookingOf(bookingId);
    expect((await cancel(participantId)).status).toBe(200);
    expect(await charge()).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect((await bookingOf(bookingId)).total).toEqual(total);
  });

  it('cancels the booking, if the others were rejected', async () => {
    const made = await booking(api.dataSource, mine({ entries: [{}, { approvalStatus: 'REJECTED' }] }));
    await cancel(made.entries[0]?.participantId as string);
    expect((await bookingOf(made.id)).status).toBe('CANCELLED');
  });

  it.each(['WEBSITE', 'DASHBOARD'] as const)('refuses bookings of the source %s', async (source) => {
    const made = await booking(api.dataSource, mine({ source, entries: 2 }));
    expect((await cancel(made.entries[0]?.participantId as string)).status).toBe(403);
  });

  it('forms units of a team ticket anew, so that a unit holds its place until its last entry', async () => {
    const { id: ticketId } = await ticket(api.dataSource, mine({ unitSize: 2 }));
    const { entries } = await booking(
      api.dataSource,
      mine({ ticketId, entries: [{}, { startsUnit: false }, {}, { startsUnit: false }] }),
    );
    const places = async () =>
      Number((await query(`SELECT tally($1, 'ticketPlaces', $2)`, api.organizationId, ticketId))[0].tally);
    const counts = [await places()];
    for (const { participantId } of entries.slice(0, 3)) {
      await cancel(participantId);
      counts.push(await places());
    }
    expect(counts).toEqual([2, 2, 1, 1]);
  });

  it('frees the use of a code that counts entries', async () => {
    const code = async (appliesPer: 'ENTRY' | 'TRANSACTION', discountUses: number) => {
      const { id: discountCodeId } = await discountCode(
        api.dataSource,
        mine({ code: `CODE-${++serial}`, appliesPer }),
      );
      const { entries } = await booking(api.dataSource, mine({ discountCodeId, discountUses, entries: 2 }));
      await cancel(entries[0]?.participantId as string);
      return (await query('SELECT usage_count FROM discount_codes WHERE id = $1', discountCodeId))[0]
        .usage_count;
    };
    expect([await code('ENTRY', 2), await code('TRANSACTION', 1)]).toEqual([1, 1]);
  });

  it('frees no use for an entry that the code did not count', async () => {
    const { id: discountCodeId } = await discountCode(
      api.dataSource,
      mine({ code: `CODE-${++serial}`, appliesPer: 'ENTRY' as const, limitUsagePerTransaction: 2 }),
    );
    const { entries } = await booking(api.dataSource, mine({ discountCodeId, discountUses: 2, entries: 4 }));
    const uses = async () =>
      (await query('SELECT usage_count FROM discount_codes WHERE id = $1', discountCodeId))[0].usage_count;
    const counts = [];
    for (const { participantId } of [3, 0, 2].map((i) => entries[i] as StartListEntry)) {
      await cancel(participantId);
      counts.push(await uses());
    }
    expect(counts).toEqual([2, 1, 1]);
    // The code fits no entry: its validity was not checked, so all were counted.
    const { id: otherId } = await ticket(api.dataSource, mine({}));
    await query('UPDATE discount_codes SET ticket_ids = $2 WHERE id = $1', discountCodeId, [otherId]);
    await cancel(entries[1]?.participantId as string);
    expect(await uses()).toBe(0);
  });

  it('leaves the participant out of corrections', async () => {
    const { ids, bookingId, row, participant } = await booked({}, { bibNumber: '8' }, {});
    await cancel(ids[0] as string);
    expect((await api.send('PATCH', `/v0/participants/${ids[0]}`, { tags: ['x'] })).status).toBe(400);
    const { externalBookingId } = await bookingOf(bookingId);
    const participants = [{ bibNumber: '8' }, { tags: ['y'] }].map(participant);
    const job = await importRows(
      api,
      'bookings/import',
      { bookings: [row({ externalBookingId, participants })] },
      { method: 'PUT' },
    );
    expect((job.results as any)[0]).toMatchObject({ outcome: 'UPDATED', differs: ['participants[1].tags'] });
    expect(await read(ids[0] as string)).toMatchObject({ tags: [], bibNumber: null });
  });

  it('takes a partner’s key where the group permits it, in bookings that are entirely its own', async () => {
    const [may, mayNot] = [await charity({ canPartnerCancel: true }), await charity()];
    const place = await may.assign();
    expect((await cancel(place.participantId, mayNot.token)).status).toBe(404);
    expect((await cancel(place.participantId, may.token)).body.status).toBe('CANCELLED');
    expect([(await bookingOf(place.bookingId)).status, await may.used()]).toEqual(['CANCELLED', 0]);
    const refused = await cancel((await mayNot.assign()).participantId, mayNot.token);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('canPartnerCancel'),
    ]);
    expect(await mayNot.used()).toBe(1);
    const made = await booking(
      api.dataSource,
      mine({
        ticketId: may.sold.id,
        entries: [{ reservedEntryGroupId: may.group.id, holdsReservedPlace: true }, {}],
      }),
    );
    expect((await cancel(made.entries[0]?.participantId as string, may.token)).status).toBe(403);
    // Two of its own in one booking: the other keeps its place.
    const pair = await booking(
      api.dataSource,
      mine({
        ticketId: may.sold.id,
        entries: [1, 2].map(() => ({ reservedEntryGroupId: may.group.id, holdsReservedPlace: true })),
      }),
    );
    expect((await cancel(pair.entries[0]?.participantId as string, may.token)).status).toBe(200);
    expect([(await bookingOf(pair.id)).status, await may.used()]).toEqual(['CONFIRMED', 2]);
    await expectCountersRight(api.dataSource);
  });
});

describe('after the deadline of a group', () => {
  it('a partner changes nothing, and the organizer can', async () => {
    const { sold, group, token, assign, used } = await charity({ canPartnerCancel: true });
    const [one, two] = [await assign(), await assign()];
    const groups = `/v0/event-occurrences/${sold.eventOccurrenceId}/reserved-entries`;
    const deadlineOf = async () => (await api.get(groups, token)).body.data[0].settings.deadline;
    expect(await deadlineOf()).toBeNull();
    await query("UPDATE reserved_entry_groups SET deadline = '2026-01-01T00:00:00Z' WHERE id = $1", group.id);
    expect(await deadlineOf()).toBe('2026-01-01T00:00:00.000000Z');
    const rows = () => [
      {
        externalAssignmentId: `late-${++serial}`,
        reservedEntryGroupId: group.id,
        ticketSlug: sold.slug,
        participant: grace(),
      },
    ];
    const path = 'reserved-entries/participants/import';
    const late = await importRows(api, path, { assignments: rows() }, { token });
    expect(errorsOf(late)).toEqual([[0, 'DEADLINE_PASSED']]);
    for (const refused of [
      await transfer(one.participantId, grace(), token),
      await cancel(one.participantId, token),
      await api.send('DELETE', `/v0/bookings/${one.bookingId}`, undefined, token),
    ])
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('deadline')]);
    expect((await api.get(`/v0/participants/${one.participantId}`, token)).body.status).toBe('CONFIRMED');
    expect(errorsOf(await importRows(api, path, { assignments: rows() }))).toEqual([]);
    expect((await transfer(one.participantId)).status).toBe(200);
    expect((await cancel(two.participantId)).status).toBe(200);
    expect(await used()).toBe(2);
    await query("UPDATE reserved_entry_groups SET deadline = '2999-01-01' WHERE id = $1", group.id);
    expect((await transfer(one.participantId, grace(), token)).status).toBe(200);
  });
});

describe('a right that is taken while a partner’s request waits for it', () => {
  it.each<
    [
      string,
      string,
      (token: string, place: { bookingId: string; participantId: string }) => Promise<{ status: number }>,
    ]
  >([
    [
      'a booking',
      'can_partner_cancel = false',
      (token, { bookingId }) => api.send('DELETE', `/v0/bookings/${bookingId}`, undefined, token),
    ],
    [
      'a booking',
      `deadline = '2026-01-01'`,
      (token, { bookingId }) => api.send('DELETE', `/v0/bookings/${bookingId}`, undefined, token),
    ],
    [
      'a participant',
      'can_partner_cancel = false',
      (token, { participantId }) => cancel(participantId, token),
    ],
    ['a participant', `deadline = '2026-01-01'`, (token, { participantId }) => cancel(participantId, token)],
    [
      'a transfer',
      `deadline = '2026-01-01'`,
      (token, { participantId }) => transfer(participantId, grace(), token),
    ],
    [
      'an addition',
      `deadline = '2026-01-01'`,
      (token, { participantId }) =>
        api.send('PATCH', `/v0/participants/${participantId}`, { dateOfBirth: '1990-04-12' }, token),
    ],
  ])('ends %s: %s', async (_, change, send) => {
    const { group, token, assign, used } = await charity({
      canPartnerCancel: true,
      reallocateOnCancel: false,
    });
    const place = await assign();
    const runner = api.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`UPDATE reserved_entry_groups SET ${change} WHERE id = $1`, [group.id]);
    const [{ pid }] = await runner.query('SELECT pg_backend_pid() AS pid');
    const answer = send(token, place);
    await eventually(
      async () =>
        (await query('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', pid)).length >
        0,
    );
    await runner.commitTransaction();
    await runner.release();
    expect([(await answer).status, await used()]).toEqual([403, 1]);
    expect((await read(place.participantId)).statusDetails).toEqual([]);
  });
});

describe('a repeated cancellation after the deadline of a group', () => {
  it('succeeds and changes nothing, and is recorded once', async () => {
    const { group, token, assign } = await charity({ canPartnerCancel: true });
    const [one, two] = [await assign(), await assign()];
    const ways = [
      () => cancel(one.participantId, token),
      () => api.send('DELETE', `/v0/bookings/${two.bookingId}`, undefined, token),
    ];
    for (const way of ways) expect((await way()).status).toBe(200);
    await query("UPDATE reserved_entry_groups SET deadline = '2026-01-01T00:00:00Z' WHERE id = $1", group.id);
    for (const way of ways) {
      const again = await way();
      expect([again.status, again.body.status]).toEqual([200, 'CANCELLED']);
    }
    const records = await query(
      'SELECT action, actor_type FROM audit_log WHERE object_id = ANY ($1) ORDER BY action',
      [one.participantId, two.bookingId],
    );
    expect(records).toEqual([
      { action: 'booking.cancel', actor_type: 'KEY' },
      { action: 'participant.cancel', actor_type: 'KEY' },
    ]);
  });
});

describe('a retry after the deadline of a group', () => {
  it('is too late for the partner, and not for the organizer', async () => {
    const { sold, group, token, used } = await charity({ maxCapacity: 0 });
    const path = 'reserved-entries/participants/import';
    const sent = async () => {
      const assignments = [
        {
          ...{ externalAssignmentId: `late-${++serial}`, reservedEntryGroupId: group.id },
          ...{ ticketSlug: sold.slug, participant: grace() },
        },
      ];
      const job = await importRows(api, path, { assignments }, { token });
      expect(errorsOf(job)).toEqual([[0, 'NO_CAPACITY_REMAINING']]);
      return job.jobId;
    };
    const [one, two] = [await sent(), await sent()];
    await query(
      'UPDATE reserved_entry_groups SET deadline = clock_timestamp(), max_capacity = 9 WHERE id = $1',
      group.id,
    );
    const retried = async (jobId: string, by?: string) => {
      expect((await api.send('POST', `/v0/import-jobs/${jobId}/retry`, undefined, by)).status).toBe(200);
      return errorsOf((await finished(api, path, jobId)) as never);
    };
    expect(await retried(one, token)).toEqual([[0, 'DEADLINE_PASSED']]);
    expect([await retried(two), await used()]).toEqual([[], 1]);
  });
});

describe('at the same time', () => {
  it('cancellations, transfers, timing messages and imports leave counters that equal a recount', async () => {
    const { token: timing } = await key(api.dataSource, mine({ kind: 'TIMING' as const }));
    const rival = await charity({ canPartnerCancel: true, maxCapacity: 12 });
    const places = await Promise.all(Array.from({ length: 6 }, () => rival.assign()));
    const { ids, bookingId, row, participant } = await booked(
      {},
      ...Array.from({ length: 8 }, (_, i) => ({ bibNumber: `${100 + i}` })),
    );
    const { externalBookingId } = await bookingOf(bookingId);
    const message = (participantId: string, i: number) => ({
      schemaVersion: '1.0',
      changedAt: new Date().toISOString(),
      data: { participantId, bibNumber: `${200 + (i % 5)}` },
    });
    const participants = ids.map((_, i) => participant({ bibNumber: `${300 + i}` }));
    const answers = await Promise.all([
      ...ids.slice(0, 6).map((id) => cancel(id)),
      ...ids.slice(0, 6).map((id) => cancel(id)),
      ...ids.slice(4).map((id) => transfer(id)),
      ...ids.map((id, i) => api.send('POST', '/timing-inbound/v1', message(id, i), timing)),
      ...places.map(({ participantId }) => cancel(participantId, rival.token)),
      ...places.map(({ participantId }) => transfer(participantId, grace(), rival.token)),
      ...Array.from({ length: 6 }, () => rival.assign()),
      importRows(
        api,
        'bookings/import',
        { bookings: [row({ externalBookingId, participants })] },
        { method: 'PUT' },
      ),
    ]);
    const statuses = answers.flatMap((each: any) => each.status ?? []);
    // A transfer that came after the cancellation is refused.
    expect(statuses.filter((status) => ![200, 400, 'COMPLETED'].includes(status))).toEqual([]);
    const entries = await api.dataSource.getRepository(StartListEntry).findBy({ bookingId });
    expect(entries.filter(({ cancelledAt }) => cancelledAt)).toHaveLength(6);
    expect(entries.filter(({ cancelledAt, bibNumber }) => cancelledAt && bibNumber)).toEqual([]);
    expect(await rival.used()).toBe(6);
    await expectCountersRight(api.dataSource);
  });

  it('the cancellations of all entries of a booking cancel it once', async () => {
    const { ids, bookingId } = await booked({}, {}, {}, {}, {});
    const answers = await Promise.all([...ids, ...ids].map((id) => cancel(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await bookingOf(bookingId)).status).toBe('CANCELLED');
    for (const id of ids) expect((await read(id)).statusDetails).toHaveLength(1);
    await expectCountersRight(api.dataSource);
  });
});
