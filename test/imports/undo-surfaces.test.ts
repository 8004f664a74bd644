import { addOn, key, referralProgram, referrer, reservedEntryGroup } from '#libs/testing';
import { sharedApi, type TestApi } from '../harness';
import { finished, importRows, sale } from './import';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.close());

let serial = 0;
const amount = { value: 2_500, currencyCode: 'GBP' };
const preview = async (jobId: string) => (await api.get(`/v0/import-jobs/${jobId}/undo`)).body as any;
async function undone(path: string, jobId: string) {
  const { body, status } = await api.send('POST', `/v0/import-jobs/${jobId}/undo`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ undoes: jobId });
  return finished(api, path, (body as any).jobId);
}
const outcomes = (job: any) => job.results.map(({ outcome }: any) => outcome);

describe('a key', () => {
  it('undoes an import of bookings, and the job says how many rows were undone', async () => {
    const { row } = await sale(api);
    const { jobId, results } = await importRows(api, 'bookings/import', { bookings: [row(), row()] });
    expect(await preview(jobId)).toMatchObject({
      canBeUndone: { records: 2, examples: [{ row: 0, id: results?.[0]?.bookingId }, { row: 1 }] },
    });
    expect(outcomes(await undone('bookings/import', jobId))).toEqual(['CANCELLED', 'CANCELLED']);
    expect((await api.get(`/v0/bookings/import/${jobId}`)).body).toMatchObject({
      succeededRows: 2,
      undoneRows: 2,
    });
  });

  it.each([true, false])(
    'undoes an import of reserved entries, whose places are free again (reallocateOnCancel: %s)',
    async (reallocateOnCancel) => {
      const { ticket } = await sale(api);
      const group = await reservedEntryGroup(api.dataSource, {
        organizationId: api.organizationId,
        ticketId: ticket.id,
        maxCapacity: 1,
        reallocateOnCancel,
      });
      const [{ slug }] = await api.dataSource.query('SELECT slug FROM tickets WHERE id = $1', [ticket.id]);
      const assignment = () => ({
        externalAssignmentId: `hospice-${++serial}`,
        reservedEntryGroupId: group.id,
        ticketSlug: slug,
        participant: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      });
      const path = 'reserved-entries/participants/import';
      const { jobId } = await importRows(api, path, { assignments: [assignment()] });
      expect((await preview(jobId)).canBeUndone.records).toBe(1);
      expect(outcomes(await undone(path, jobId))).toEqual(['CANCELLED']);
      expect(outcomes(await importRows(api, path, { assignments: [assignment()] }))).toEqual(['IMPORTED']);
    },
  );

  it('undoes an import of credits, except for those that were spent', async () => {
    const credits = [1, 2].map(() => ({
      externalCreditId: `c-${++serial}`,
      email: 'ada@example.com',
      amount,
    }));
    const { jobId, results } = await importRows(api, 'credits/import', { credits });
    const [spent, unspent] = (results ?? []).map(({ creditId }) => creditId as string) as [string, string];
    const { row } = await sale(api);
    const booked = await importRows(api, 'bookings/import', { bookings: [row()] });
    await importRows(api, 'bookings/line-items/import', {
      lineItems: [
        {
          externalLineItemId: `l-${++serial}`,
          bookingId: booked.results?.[0]?.bookingId,
          itemType: 'CREDIT',
          itemId: spent,
          name: 'Credit',
          amount: { value: -100, currencyCode: 'GBP' },
        },
      ],
    });
    expect(await preview(jobId)).toMatchObject({
      canBeUndone: { records: 1, examples: [{ id: unspent, externalId: credits[1]?.externalCreditId }] },
      cannotBeUndone: { records: 1, reasons: [{ reason: 'SPENT', records: 1 }] },
    });
    expect(outcomes(await undone('credits/import', jobId))).toEqual(['CANCELLED']);
    expect((await api.get(`/v0/credits/${unspent}`)).status).toBe(404);
    expect((await api.get(`/v0/credits/${spent}`)).status).toBe(200);
    // The external id is free again.
    expect(outcomes(await importRows(api, 'credits/import', { credits }))).toEqual([
      'ALREADY_IMPORTED',
      'IMPORTED',
    ]);
    expect((await preview(jobId)).cannotBeUndone.reasons).toEqual([
      { reason: 'DELETED', records: 1 },
      { reason: 'SPENT', records: 1 },
    ]);
  });

  it('undoes an import of discount codes, except for those that were used', async () => {
    const discount = { type: 'PERCENTAGE', amount: 10, isAppliedToBookingFee: false };
    const discountCodes = [1, 2].map(() => ({ code: `CODE${++serial}`, discount }));
    const { jobId } = await importRows(api, 'discount-codes/import', { discountCodes });
    const { row } = await sale(api);
    await importRows(api, 'bookings/import', { bookings: [row({ discountCode: discountCodes[0]?.code })] });
    expect(await preview(jobId)).toMatchObject({
      canBeUndone: { records: 1 },
      cannotBeUndone: { records: 1, reasons: [{ reason: 'USED', records: 1 }] },
    });
    expect(outcomes(await undone('discount-codes/import', jobId))).toEqual(['CANCELLED']);
    expect(outcomes(await importRows(api, 'discount-codes/import', { discountCodes }))).toEqual([
      'ALREADY_IMPORTED',
      'IMPORTED',
    ]);
  });

  it('undoes an import of line items, except for those that another job has replaced', async () => {
    const { row } = await sale(api);
    const booked = await importRows(api, 'bookings/import', { bookings: [row()] });
    const bookingId = booked.results?.[0]?.bookingId as string;
    const total = async () => ((await api.get(`/v0/bookings/${bookingId}`)).body as any).total.value;
    const before = await total();
    const item = (value: number, id = `l-${++serial}`) => ({
      ...{ externalLineItemId: id, bookingId, itemType: 'BOOKING_FEE', name: 'Fee' },
      amount: { value, currencyCode: 'GBP' },
    });
    const lineItems = [item(100), item(200), item(300)];
    const path = 'bookings/line-items/import';
    const { jobId, results } = await importRows(api, path, { lineItems });
    const replaced = { lineItems: [item(1_000, lineItems[2]?.externalLineItemId), item(5)] };
    const later = await importRows(api, path, replaced, { method: 'PUT' });
    expect(await preview(jobId)).toMatchObject({
      canBeUndone: { records: 2, examples: [{ row: 0, id: results?.[0]?.lineItemId }, { row: 1 }] },
      changedSince: { records: 1, reasons: [{ reason: 'REPLACED', records: 1 }] },
    });
    // What an import replaced has no trace of what it was.
    expect(await preview(later.jobId)).toMatchObject({
      canBeUndone: { records: 1 },
      cannotBeUndone: { records: 1, reasons: [{ reason: 'CORRECTED', records: 1 }] },
    });
    expect(outcomes(await undone(path, jobId))).toEqual(['CANCELLED', 'CANCELLED']);
    expect(await total()).toBe(before + 1_005);
    const again = await importRows(api, path, { lineItems: lineItems.slice(0, 2) });
    expect(outcomes(again)).toEqual(['IMPORTED', 'IMPORTED']);
    expect(await total()).toBe(before + 1_305);
  });

  it('undoes refunds of bookings that were cancelled before, but not what a cancellation took back', async () => {
    const { row } = await sale(api);
    const [{ bookingId }] = (await importRows(api, 'bookings/import', { bookings: [row()] })).results as any;
    const total = async () => ((await api.get(`/v0/bookings/${bookingId}`)).body as any).total.value;
    const item = (itemType: string, value: number) => ({
      ...{ externalLineItemId: `l-${++serial}`, bookingId, itemType, name: itemType },
      amount: { value, currencyCode: 'GBP' },
    });
    const path = 'bookings/line-items/import';
    const { jobId: ofFee } = await importRows(api, path, { lineItems: [item('BOOKING_FEE', 300)] });
    await api.send('DELETE', `/v0/bookings/${bookingId}`, undefined);
    const before = await total();
    const { jobId } = await importRows(api, path, { lineItems: [item('REFUND', -100)] });
    expect(await total()).toBe(before - 100);
    expect((await preview(ofFee)).cannotBeUndone.reasons).toEqual([
      { reason: 'ALREADY_CANCELLED', records: 1 },
    ]);
    expect((await preview(jobId)).canBeUndone.records).toBe(1);
    expect(outcomes(await undone(path, jobId))).toEqual(['CANCELLED']);
    expect(await total()).toBe(before);
  });

  it('undoes an import of add-ons, with their line items', async () => {
    const { row, ticket } = await sale(api);
    const { id: addOnId } = await addOn(api.dataSource, {
      organizationId: api.organizationId,
      eventId: ticket.eventId,
      eventOccurrenceId: ticket.eventOccurrenceId,
    });
    const booked = await importRows(api, 'bookings/import', { bookings: [row()] });
    const { bookingId, participantIds } = (booked.results as any)[0];
    const total = async () => ((await api.get(`/v0/bookings/${bookingId}`)).body as any).total.value;
    const before = await total();
    const addOns = [1, 2].map(() => ({
      ...{ externalAllocationId: `a-${++serial}`, participantId: participantIds[0], addOnId, quantity: 2 },
      unitPrice: { value: 500, currencyCode: 'GBP' },
    }));
    const { jobId } = await importRows(api, 'add-ons/import', { addOns });
    expect(await total()).toBe(before + 2_000);
    await importRows(
      api,
      'add-ons/import',
      { addOns: [{ ...addOns[1], operationalStatus: 'FULFILLED' }] },
      { method: 'PUT' },
    );
    expect(await preview(jobId)).toMatchObject({
      canBeUndone: { records: 1 },
      changedSince: { records: 1, reasons: [{ reason: 'REPLACED', records: 1 }] },
    });
    expect(outcomes(await undone('add-ons/import', jobId))).toEqual(['CANCELLED']);
    expect(await total()).toBe(before + 1_000);
    const { body } = await api.send('POST', `/v0/import-jobs/${jobId}/undo`, { includeChanged: true });
    expect(outcomes(await finished(api, 'add-ons/import', (body as any).jobId))).toEqual(['CANCELLED']);
    expect(await total()).toBe(before);
  });

  it('undoes an import of referrals, so that the booking counts for no code', async () => {
    const { row, ticket } = await sale(api);
    const { organizationId, dataSource } = api;
    const program = await referralProgram(dataSource, {
      organizationId,
      eventOccurrenceId: ticket.eventOccurrenceId,
    });
    const { generatedReferralCode } = await referrer(dataSource, {
      organizationId,
      referralProgramId: program.id,
    });
    const booked = await importRows(api, 'bookings/import', { bookings: [row(), row()] });
    const referrals = (booked.results ?? []).map(({ bookingId }) => ({
      referralProgramId: program.id,
      generatedReferralCode,
      referredBookingId: bookingId,
    }));
    const codes = async () =>
      (
        await dataSource.query(
          'SELECT referral_codes AS codes FROM bookings WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id',
          [organizationId, referrals.map(({ referredBookingId }) => referredBookingId)],
        )
      ).map((each: any) => each.codes);
    const { jobId } = await importRows(api, 'referrals/import', { referrals });
    expect(await codes()).toEqual([[generatedReferralCode], [generatedReferralCode]]);
    await importRows(api, 'referrals/import', { referrals: [{ ...referrals[1], status: 'REDEEMED' }] });
    expect(await preview(jobId)).toMatchObject({
      canBeUndone: { records: 1 },
      changedSince: { records: 1, reasons: [{ reason: 'REPLACED', records: 1 }] },
    });
    expect(outcomes(await undone('referrals/import', jobId))).toEqual(['CANCELLED']);
    expect((await codes()).flat()).toEqual([generatedReferralCode]);
    expect(outcomes(await importRows(api, 'referrals/import', { referrals }))).toEqual([
      'IMPORTED',
      'ALREADY_IMPORTED',
    ]);
  });

  it('needs the permission to cancel what the import made', async () => {
    const { row } = await sale(api);
    const { jobId } = await importRows(api, 'bookings/import', { bookings: [row()] });
    const { token } = await key(api.dataSource, {
      organizationId: api.organizationId,
      permissions: ['bookings:import'],
    });
    const { status, body } = await api.send('POST', `/v0/import-jobs/${jobId}/undo`, {}, token);
    expect([status, (body as any).message]).toEqual([403, expect.stringContaining('bookings:write')]);
    const reader = await key(api.dataSource, { organizationId: api.organizationId, readOnly: true });
    expect((await api.get(`/v0/import-jobs/${jobId}/undo`, reader.token)).status).toBe(403);
    const rows = `/v0/import-jobs/${jobId}/rows`;
    expect((await api.get(rows, reader.token)).status).toBe(200);
    await api.dataSource.query(`UPDATE import_jobs SET mode = 'CHANGE' WHERE id = $1`, [jobId]);
    expect((await api.get(rows, reader.token)).status).toBe(404);
    expect((await api.get(rows)).status).toBe(200);
  });

  it('is cancelled and retried with the permission to cancel what the import made', async () => {
    const { row } = await sale(api);
    const { jobId } = await importRows(api, 'bookings/import', { bookings: [row()] });
    const undo = await undone('bookings/import', jobId);
    const { organizationId } = api;
    const importer = await key(api.dataSource, { organizationId, permissions: ['bookings:import'] });
    const writer = await key(api.dataSource, { organizationId, permissions: ['bookings:write'] });
    for (const action of ['cancel', 'retry']) {
      const send = (job: string, { token }: { token: string }) =>
        api.send('POST', `/v0/import-jobs/${job}/${action}`, undefined, token);
      expect([(await send(undo.jobId, importer)).status, (await send(undo.jobId, writer)).status]).toEqual([
        404, 200,
      ]);
      expect([(await send(jobId, importer)).status, (await send(jobId, writer)).status]).toEqual([200, 404]);
    }
  });
});
