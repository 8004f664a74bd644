import type { INestApplicationContext } from '@nestjs/common';
import {
  bookingForm,
  bookingFormField,
  discountCode,
  key,
  organization,
  partner,
  ticket,
  wave,
} from '#libs/testing';
import { newId } from '#platform/database';
import { startApi, startWorker, type TestApi, UNLIMITED } from '../harness';
import { errorsOf, finished, importRows, sale as saleOf } from './import';

let api: TestApi;
let worker: INestApplicationContext;
beforeAll(async () => {
  api = await startApi(UNLIMITED);
  worker = await startWorker(api);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const mine = <T extends object>(given: T) => ({ organizationId: api.organizationId, ...given });
let serial = 0;

const sale = (given?: object) => saleOf(api, given);
const PATH = 'bookings/import';
const importBookings = (bookings: object[]) => importRows(api, PATH, { bookings });

describe('POST /v0/bookings/import', () => {
  describe('returns', () => {
    it('a queued job at once, and later the job with the outcome of each row', async () => {
      const { row } = await sale();
      const rows = [row(), row()];
      const { status, body } = await api.send('POST', `/v0/${PATH}`, { bookings: rows });
      expect(status).toBe(200);
      expect(body).toMatchObject({ surface: 'bookingsImport', status: 'QUEUED', totalRows: 2 });
      const job = await finished(api, PATH, body.jobId);
      expect(job).toMatchObject({
        status: 'COMPLETED',
        totalRows: 2,
        processedRows: 2,
        succeededRows: 2,
        alreadyImportedRows: 0,
        failedRows: 0,
        errors: [],
        rowsUrl: `/v0/import-jobs/${body.jobId}/rows`,
      });
      expect(job.results).toEqual(
        rows.map(({ externalBookingId }, i) => ({
          row: i,
          outcome: 'IMPORTED',
          alreadyImported: false,
          externalBookingId,
          bookingId: expect.any(String),
          participantIds: [expect.any(String)],
        })),
      );
      expect(Date.parse(job.finishedAt)).toBeGreaterThanOrEqual(Date.parse(job.startedAt));
    });

    it('the imported values in every operation', async () => {
      const size = await bookingFormField(
        api.dataSource,
        mine({
          key: `size${++serial}`,
          label: 'Shirt',
          type: 'SELECT' as const,
          options: [{ value: 'M', label: 'Medium' }],
        }),
      );
      const made = await sale({ maxCapacity: 10 });
      await bookingForm(api.dataSource, mine({ fieldIds: [size.id], ticketIds: [made.ticket.id] }));
      const { id: waveId } = await wave(
        api.dataSource,
        mine({ raceId: made.ticket.raceId, title: 'Wave A' }),
      );
      const { id: partnerId } = await partner(api.dataSource, mine({}));
      const row = made.row({
        bookerType: 'PARTNER',
        partnerId,
        bookedAt: '2026-01-02T03:04:05Z',
        tracking: { source: 'newsletter' },
        metadata: { shop: 'Covent Garden' },
        participants: [
          made.participant({
            email: ' Grace@Example.com'.trim(),
            dateOfBirth: '1990-02-03',
            gender: 'FEMALE',
            bibNumber: '#12',
            waveId,
            fields: [{ id: size.id, value: 'M' }],
            tags: ['club'],
            team: { name: 'Engines', role: 'CAPTAIN' },
            price: { value: 3000, currencyCode: 'GBP' },
          }),
          made.participant({ team: { name: 'Engines' } }),
        ],
      });
      const [result] = (await importBookings([row])).results;
      const { body: booking } = await api.get(`/v0/bookings/${result.bookingId}`);
      expect(booking).toMatchObject({
        externalBookingId: row.externalBookingId,
        source: 'API',
        status: 'CONFIRMED',
        bookerType: 'PARTNER',
        partnerId,
        total: { value: 7500, currencyCode: 'GBP' },
        participantIds: result.participantIds,
        tracking: { source: 'newsletter' },
      });
      const { body: items } = await api.get(`/v0/bookings/${result.bookingId}/line-items`);
      expect(items.data.map(({ itemType, amount }: any) => [itemType, amount.value])).toEqual([
        ['TICKET', 3000],
        ['TICKET', 4500],
      ]);
      const { body: first } = await api.get(
        `/v0/participants/${result.participantIds[0]}?extendMetadata=true`,
      );
      expect(first).toMatchObject({
        bibNumber: '#12',
        bookingSource: 'EXTERNAL',
        incrementalStatus: 'INCREMENTAL',
        originalTicketPrice: { value: 4500, currencyCode: 'GBP' },
        tags: ['club'],
        waves: [expect.objectContaining({ id: waveId, title: 'Wave A' })],
        team: { name: 'Engines' },
        metadata: { shop: 'Covent Garden', startline: { importRow: 0 } },
      });
      expect(first.fields).toContainEqual({
        id: size.id,
        key: size.key,
        label: 'Shirt',
        type: 'SELECT',
        value: 'M',
      });
      const { body: second } = await api.get(`/v0/participants/${result.participantIds[1]}`);
      expect(second.team.id).toBe(first.team.id);
      expect(second.participantIndex).toBe(1);
      expect((await api.get(`/v0/applications/${first.applicationId}`)).body).toMatchObject({
        approvalStatus: 'APPROVED',
      });
      expect((await api.get(`/v0/tickets/${made.ticket.id}`)).body.usedCapacity).toBe(2);
      for (const [email, registered] of [
        ['grace@example.com', true],
        ['ADA@example.com', true],
        ['x@example.com', false],
      ]) {
        const path = `/v0/event-occurrences/${made.ticket.eventOccurrenceId}/registration-status`;
        expect((await api.send('POST', path, { email })).body).toMatchObject({ registered });
      }
    });

    it('the existing booking for a row whose id exists, and changes nothing', async () => {
      const { row } = await sale();
      const again = row();
      const [first] = (await importBookings([again])).results;
      const before = (await api.get(`/v0/bookings/${first.bookingId}`)).body;
      const job = await importBookings([{ ...again, booker: { ...again.booker, firstName: 'Else' } }, row()]);
      expect(job).toMatchObject({ alreadyImportedRows: 1, succeededRows: 1 });
      expect(job.results[0]).toEqual({
        ...first,
        outcome: 'ALREADY_IMPORTED',
        alreadyImported: true,
        differs: ['booker.firstName'],
      });
      expect((await api.get(`/v0/bookings/${first.bookingId}`)).body).toEqual(before);
    });

    it('a new booking for the id of a cancelled one', async () => {
      const { row } = await sale();
      const again = row();
      const [first] = (await importBookings([again])).results;
      await api.send('DELETE', `/v0/bookings/${first.bookingId}`, undefined);
      const [second] = (await importBookings([again])).results;
      expect(second).toMatchObject({ outcome: 'IMPORTED' });
      expect(second.bookingId).not.toBe(first.bookingId);
      const { body } = await api.get(`/v0/bookings/external/${again.externalBookingId}`);
      expect(body.data.map(({ id, status }: any) => [id, status])).toEqual([
        [first.bookingId, 'CANCELLED'],
        [second.bookingId, 'CONFIRMED'],
      ]);
    });

    it('the rows in pages, filtered by outcome', async () => {
      const { row } = await sale();
      const job = await importBookings([row(), row({ eventOccurrenceId: newId() }), row()]);
      const rows = await api.get(`${job.rowsUrl}?page[size]=2`);
      expect(rows.body.data.map(({ row: place, outcome }: any) => [place, outcome])).toEqual([
        [0, 'IMPORTED'],
        [1, 'FAILED'],
      ]);
      const rest = await api.get(`${job.rowsUrl}?page[size]=2&page[after]=${rows.body.page.next}`);
      expect(rest.body.data.map(({ row: place }: any) => place)).toEqual([2]);
      const failures = await api.get(`${job.rowsUrl}?outcome=FAILED`);
      expect(failures.body).toMatchObject({
        data: [{ row: 1, error: { code: 'EVENT_OCCURRENCE_NOT_FOUND' } }],
        page: { totalResults: 1 },
      });
    });

    it('the jobs of the organization, newest first', async () => {
      const { row } = await sale();
      const first = await importBookings([row()]);
      const second = await importBookings([row()]);
      const { body } = await api.get('/v0/import-jobs?surface=bookingsImport&status=COMPLETED&page[size]=2');
      expect(body.data.map(({ jobId }: any) => jobId)).toEqual([second.jobId, first.jobId]);
      expect((await api.get('/v0/import-jobs?status=FAILED')).body.page.totalResults).toBe(0);
    });
  });

  describe('fails only the invalid row', () => {
    it('with its code', async () => {
      const { row, participant, ticket: sold } = await sale();
      const other = await sale();
      const { id: strangers } = await organization(api.dataSource);
      const foreign = await ticket(api.dataSource, { organizationId: strangers });
      const otherWave = await wave(api.dataSource, mine({ raceId: other.ticket.raceId }));
      const euros = await ticket(api.dataSource, mine({ raceId: sold.raceId, currencyCode: 'EUR' }));
      const spoilt: [string, object][] = [
        ['EVENT_OCCURRENCE_NOT_FOUND', row({ eventOccurrenceId: newId() })],
        ['EVENT_OCCURRENCE_NOT_FOUND', row({ eventOccurrenceId: foreign.eventOccurrenceId })],
        ['TICKET_NOT_FOUND', row({ participants: [participant({ ticketId: newId() })] })],
        ['TICKET_NOT_FOUND', row({ participants: [participant({ ticketId: other.ticket.id })] })],
        ['TICKET_NOT_FOUND', row({ participants: [participant({ ticketId: foreign.id })] })],
        ['FIELD_NOT_FOUND', row({ participants: [participant({ fields: [{ id: newId(), value: 'x' }] })] })],
        ['WAVE_NOT_FOUND', row({ participants: [participant({ waveId: otherWave.id })] })],
        ['PARTNER_NOT_FOUND', row({ bookerType: 'PARTNER', partnerId: newId() })],
        ['DISCOUNT_CODE_NOT_FOUND', row({ discountCode: 'NOBODY' })],
        [
          'CURRENCY_MISMATCH',
          row({ participants: [participant({ price: { value: 1, currencyCode: 'USD' } })] }),
        ],
        ['CURRENCY_MISMATCH', row({ participants: [participant(), participant({ ticketId: euros.id })] })],
        [
          'BIB_NUMBER_TAKEN',
          row({ participants: [participant({ bibNumber: '1' }), participant({ bibNumber: '1' })] }),
        ],
      ];
      const good = row({ participants: [participant({ bibNumber: '9' })] });
      const bibAgain = row({ participants: [participant({ bibNumber: '9' })] });
      const job = await importBookings([...spoilt.map(([, bad]) => bad), good, bibAgain]);
      expect(errorsOf(job)).toEqual([
        ...spoilt.map(([code], i) => [i, code]),
        [spoilt.length + 1, 'BIB_NUMBER_TAKEN'],
      ]);
      expect(job).toMatchObject({ succeededRows: 1, failedRows: spoilt.length + 1, status: 'COMPLETED' });
      const later = await importBookings([row({ participants: [participant({ bibNumber: '9' })] })]);
      expect(errorsOf(later)).toEqual([[0, 'BIB_NUMBER_TAKEN']]);
      expect(job.errors[0]).toMatchObject({
        externalId: expect.stringMatching(/^order-/),
        message: expect.any(String),
      });
    });

    it('with INTERNAL for an unexpected error, and imports all others', async () => {
      const { row } = await sale();
      await api.home.query(`
        CREATE FUNCTION explode() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.external_booking_id LIKE 'explode%' THEN RAISE EXCEPTION 'boom'; END IF;
          RETURN NEW;
        END $$`);
      await api.home.query(
        'CREATE TRIGGER explode BEFORE INSERT ON bookings FOR EACH ROW EXECUTE FUNCTION explode()',
      );
      const rows = Array.from({ length: 25 }, (_, i) =>
        row(i % 10 === 3 ? { externalBookingId: `explode-${i}` } : {}),
      );
      const job = await importBookings(rows);
      await api.home.query('DROP FUNCTION explode CASCADE');
      expect(errorsOf(job)).toEqual([
        [3, 'INTERNAL'],
        [13, 'INTERNAL'],
        [23, 'INTERNAL'],
      ]);
      expect(job.succeededRows).toBe(22);
      expect(JSON.stringify(job)).not.toContain('boom');
    });
  });

  describe('keeps limits', () => {
    it('of discount codes: per booking for TRANSACTION, per entry for ENTRY', async () => {
      const { row, participant } = await sale();
      const perBooking = await discountCode(api.dataSource, mine({ limitUsage: 2 }));
      const perEntry = await discountCode(
        api.dataSource,
        mine({ limitUsage: 3, appliesPer: 'ENTRY' as const }),
      );
      const two = [participant(), participant()];
      const job = await importBookings([
        row({ discountCode: perBooking.code.toLowerCase(), participants: two }),
        row({ discountCode: perBooking.code }),
        row({ discountCode: perBooking.code }),
        row({ discountCode: perEntry.code, participants: two }),
        row({ discountCode: perEntry.code, participants: two }),
        row({ discountCode: perEntry.code }),
      ]);
      expect(errorsOf(job)).toEqual([
        [2, 'DISCOUNT_LIMIT_REACHED'],
        [4, 'DISCOUNT_LIMIT_REACHED'],
      ]);
      const usage = async (id: string) => (await api.get(`/v0/discount-codes/${id}`)).body.usageCount;
      expect([await usage(perBooking.id), await usage(perEntry.id)]).toEqual([2, 3]);
    });

    it('for the last use, with many concurrent jobs and workers', async () => {
      const { row } = await sale();
      const { code, id } = await discountCode(api.dataSource, mine({ limitUsage: 5 }));
      const second = await startWorker(api);
      try {
        const jobs = await Promise.all(
          Array.from({ length: 8 }, () =>
            importBookings([row({ discountCode: code }), row({ discountCode: code })]),
          ),
        );
        expect(jobs.reduce((sum, job) => sum + job.succeededRows, 0)).toBe(5);
        expect(jobs.flatMap(errorsOf).every(([, error]) => error === 'DISCOUNT_LIMIT_REACHED')).toBe(true);
        expect((await api.get(`/v0/discount-codes/${id}`)).body.usageCount).toBe(5);
      } finally {
        await second.close();
      }
    });
  });

  describe('creates no duplicates', () => {
    it('if the same batch is posted twice concurrently', async () => {
      const { row, participant } = await sale();
      // Each bib and each use of the code exists once, so the second row fails if it needs them.
      const { code } = await discountCode(api.dataSource, mine({ limitUsage: 100 }));
      const rows = Array.from({ length: 100 }, (_, i) =>
        row({ discountCode: code, participants: [participant({ bibNumber: `${i}` })] }),
      );
      const [first, second] = await Promise.all([importBookings(rows), importBookings([...rows].reverse())]);
      expect(first.succeededRows + second.succeededRows).toBe(100);
      expect(first.alreadyImportedRows + second.alreadyImportedRows).toBe(100);
      const [{ count }] = await api.dataSource.query(
        'SELECT count(*)::int FROM bookings WHERE organization_id = $1 AND external_booking_id = ANY ($2)',
        [api.organizationId, rows.map(({ externalBookingId }) => externalBookingId)],
      );
      expect(count).toBe(100);
    });

    it('if a request is repeated with its Idempotency-Key', async () => {
      const { row } = await sale();
      const body = { bookings: [row()] };
      const headers = { 'idempotency-key': 'key-1' };
      const post = (given: object, more = headers) => api.send('POST', `/v0/${PATH}`, given, undefined, more);
      const [first, second] = await Promise.all([post(body), post(body)]);
      expect(second.body.jobId).toBe(first.body.jobId);
      await finished(api, PATH, first.body.jobId);
      // What is answered is how the job is now.
      expect((await post(body)).body).toEqual({ ...first.body, status: 'COMPLETED' });
      const other = await post({ bookings: [row()] });
      expect(other.status).toBe(400);
      expect(other.body.message).toContain('Idempotency-Key');
      expect((await post(body, { 'idempotency-key': 'key-2' })).body.jobId).not.toBe(first.body.jobId);
      expect((await post(body, { 'idempotency-key': 'k'.repeat(256) })).status).toBe(400);
    });
  });

  it('keeps the Idempotency-Keys of operations apart', async () => {
    const { row } = await sale();
    const headers = { 'idempotency-key': 'of-two-operations' };
    const post = (path: string, body: object) => api.send('POST', `/v0/${path}`, body, undefined, headers);
    const amount = { value: 500, currencyCode: 'GBP' };
    const credits = { credits: [{ externalCreditId: 'apart', email: 'ada@example.com', amount }] };
    const bookings = { bookings: [row()] };
    const first = [await post('credits/import', credits), await post(PATH, bookings)];
    const again = [await post('credits/import', credits), await post(PATH, bookings)];
    expect(again.map(({ status, body }) => [status, body.jobId])).toEqual(
      first.map(({ body }) => [200, body.jobId]),
    );
  });

  describe('recovers jobs', () => {
    it('that the queue lost', async () => {
      const { row } = await sale();
      await worker.close();
      const { body } = await api.send('POST', `/v0/${PATH}`, { bookings: [row()] });
      await api.home.query(`DO $$ DECLARE t record; BEGIN
        FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'bullmq' AND tablename LIKE '%job%' LOOP
          EXECUTE format('DELETE FROM bullmq.%I', t.tablename);
        END LOOP; END $$`);
      // The time passes in which another job for the organization counts as the same.
      await api.home.query('UPDATE bullmq.dedup SET expire_at_ms = expire_at_ms - 10000');
      worker = await startWorker(api);
      expect(await finished(api, PATH, body.jobId)).toMatchObject({ status: 'COMPLETED', succeededRows: 1 });
    });
  });

  describe('rejects invalid input, and stores nothing', () => {
    const jobs = async () => (await api.get('/v0/import-jobs?page[size]=1')).body.page.totalResults;

    it('naming the row and the field', async () => {
      const { row, participant } = await sale();
      const before = await jobs();
      const wrong: [object, string][] = [
        [{}, 'bookings is missing'],
        [{ bookings: {} }, 'bookings must be an array'],
        [{ bookings: [] }, 'bookings must have 1 to 10000 rows'],
        [{ bookings: [row()], more: 1 }, 'more is not a known property'],
        [{ bookings: [1] }, 'bookings[0] must be an object'],
        [{ bookings: [row({ externalBookingId: '  ' })] }, 'bookings[0].externalBookingId must not be blank'],
        [{ bookings: [row(), row({ color: 'red' })] }, 'bookings[1].color is not a known property'],
        [{ bookings: [row({ participants: [] })] }, 'bookings[0].participants must have 1 to 100 items'],
        [
          { bookings: [row({ participants: [participant({ ticketId: 'x' })] })] },
          'bookings[0].participants[0].ticketId must be a UUID',
        ],
        [
          { bookings: [row({ participants: [participant({ dateOfBirth: '1990-02-30' })] })] },
          'bookings[0].participants[0].dateOfBirth must be a date that exists, as YYYY-MM-DD',
        ],
        [
          { bookings: [row({ booker: { email: 'nobody', firstName: 'A', lastName: 'B' } })] },
          'bookings[0].booker.email must be an email address',
        ],
        [
          { bookings: [row({ booker: { email: 'a@b.example', firstName: 'A\0', lastName: 'B' } })] },
          'bookings[0].booker.firstName must not contain NUL or unpaired surrogates',
        ],
        [
          { bookings: [row({ participants: [participant({ tags: ['club', 'x'.repeat(256)] })] })] },
          'bookings[0].participants[0].tags[1] must not be longer than 255 characters',
        ],
        [
          { bookings: [row({ participants: [participant({ tags: [' '] })] })] },
          'bookings[0].participants[0].tags[0] must not be blank',
        ],
        [
          {
            bookings: [row({ participants: [participant({ price: { value: 1.5, currencyCode: 'GBP' } })] })],
          },
          'bookings[0].participants[0].price.value must be a whole number',
        ],
        [
          { bookings: [row({ partnerId: newId() })] },
          'bookings[0].partnerId is only valid when bookerType is PARTNER',
        ],
        [
          { bookings: [row({ participants: [participant({ bibNumber: '1\u20282' })] })] },
          'bookings[0].participants[0].bibNumber must be 1 to 20 printable characters',
        ],
      ];
      for (const [body, message] of wrong) {
        const answer = await api.send('POST', `/v0/${PATH}`, body);
        expect({ status: answer.status, message: answer.body.message }).toEqual({
          status: 400,
          message: expect.stringContaining(message),
        });
      }
      const twice = row();
      const answer = await api.send('POST', `/v0/${PATH}`, { bookings: [twice, row(), twice] });
      expect(answer.body.message).toContain('bookings[2].externalBookingId is the same as in bookings[0]');
      for (const text of ['', '{', '[1', 'null', '"x"', '{"bookings":[{"a":"\\ud800"}]}']) {
        expect((await api.send('POST', `/v0/${PATH}`, text)).status).toBe(400);
      }
      expect(await jobs()).toBe(before);
    });

    it('after 10,000 valid rows, and more than 10,000 rows', async () => {
      const { row } = await sale();
      const before = await jobs();
      const rows: object[] = Array.from({ length: 10_000 }, () => row());
      const tooMany = await api.send('POST', `/v0/${PATH}`, { bookings: [...rows, row()] });
      expect(tooMany.body.message).toBe('bookings must have 1 to 10000 rows');
      rows[9_999] = row({ booker: null });
      const last = await api.send('POST', `/v0/${PATH}`, { bookings: rows });
      expect([last.status, last.body.message]).toEqual([400, 'bookings[9999].booker must be an object']);
      expect(await jobs()).toBe(before);
    });

    it('larger than 20 MB, or nested too deeply', async () => {
      const large = await api
        .send('POST', `/v0/${PATH}`, `{"bookings":"${'x'.repeat(21 * 1024 * 1024)}"}`)
        .catch(() => undefined);
      // The server may close the connection before the client has sent everything.
      if (large) expect(large.status).toBe(413);
      const deep = '['.repeat(1_000_000);
      expect((await api.send('POST', `/v0/${PATH}`, `{"bookings":${deep}`)).status).toBe(400);
      const { row } = await sale();
      const nested = JSON.stringify({ bookings: [row({ metadata: { a: 'DEEP' } })] }).replace(
        '"DEEP"',
        `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      );
      expect((await api.send('POST', `/v0/${PATH}`, nested)).status).toBe(400);
    });
  });

  describe('rejects', () => {
    it('jobs of another organization', async () => {
      const { row } = await sale();
      const job = await importBookings([row()]);
      const { id: organizationId } = await organization(api.dataSource);
      const { token } = await key(api.dataSource, { organizationId });
      expect((await api.get(`/v0/${PATH}/${job.jobId}`, token)).status).toBe(404);
      expect((await api.get(job.rowsUrl, token)).status).toBe(404);
      expect((await api.get(`/v0/credits/import/${job.jobId}`)).status).toBe(404);
      expect((await api.get('/v0/import-jobs', token)).body.data).toEqual([]);
    });
  });
});
