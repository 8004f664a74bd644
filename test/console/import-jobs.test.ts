import type { INestApplicationContext } from '@nestjs/common';
import { ANNOUNCE_WAITING } from '#domain/imports';
import { race } from '#libs/testing';
import { newId } from '#platform/database';
import { startApi, startWorker, type TestApi } from '../harness';
import { importRows, sale } from '../imports/import';
import { type Browser, signedIn } from './console';

let api: TestApi;
let worker: INestApplicationContext;
let viewer: Browser;
beforeAll(async () => {
  api = await startApi({ RATE_IMPORT: '1000', RATE_SIGN_IN: '1000' });
  worker = await startWorker(api);
  viewer = (await signedIn(api, 'VIEWER')).browser;
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const jobs = async (query: string) =>
  ((await viewer.ask('GET', `/console/v1/import-jobs?${query}`)).body.data as any[]).map(
    ({ jobId }) => jobId,
  );

const attention = async (wanted: string) =>
  ((await viewer.ask('GET', '/console/v1/attention')).body as any).data.filter(
    ({ kind }: any) => kind === wanted,
  );

describe('an import with failed rows', () => {
  it('needs attention until corrections have imported them', async () => {
    const { row, participant } = await sale(api);
    const wrong = row({ participants: [participant({ ticketId: newId() })] });
    const { jobId } = await importRows(api, 'bookings/import', { bookings: [row(), wrong] });
    expect(await attention('IMPORT_FAILURES')).toMatchObject([{ id: jobId, count: 1, total: 2 }]);
    await importRows(api, 'bookings/import', { bookings: [row()], corrects: { jobId, rows: [1] } });
    expect(await attention('IMPORT_FAILURES')).toEqual([]);
  });
});

describe('a job that waits for more than 10 minutes', () => {
  it('needs attention, and is announced once', async () => {
    await api.get('/v0/change-events');
    await worker.close();
    const { row } = await sale(api);
    const { body } = await api.send('POST', '/v0/bookings/import', { bookings: [row()] });
    const { jobId } = body as any;
    const { organizationId } = api;
    await ANNOUNCE_WAITING.run(api.dataSource, [organizationId]);
    await api.dataSource.query(
      `UPDATE import_jobs SET created_at = created_at - interval '11 minutes' WHERE id = $1`,
      [jobId],
    );
    expect(await attention('IMPORT_WAITING')).toMatchObject([{ id: jobId, count: 11, total: 1 }]);
    for (let i = 0; i < 2; i++) await ANNOUNCE_WAITING.run(api.dataSource, [organizationId]);
    const announced = await api.dataSource.query(
      `SELECT data->>'reason' AS reason FROM change_events WHERE type = 'import.needs_attention' AND subject_id = $1`,
      [jobId],
    );
    expect(announced).toEqual([{ reason: 'WAITING' }]);
    worker = await startWorker(api);
  });
});

describe('the list of jobs', () => {
  it('finds jobs by name, sender and occurrence', async () => {
    const { row, ticket } = await sale(api);
    const name = `Läufer ${ticket.id.slice(-6)}.csv`;
    const { jobId } = await importRows(api, `bookings/import?name=${encodeURIComponent(name)}`, {
      bookings: [row()],
    });
    expect(await jobs(`search=${encodeURIComponent(name.toUpperCase().slice(0, 9))}`)).toContain(jobId);
    expect(await jobs(`eventOccurrenceId=${ticket.eventOccurrenceId}`)).toEqual([jobId]);
    expect(await jobs('search=nobody%25')).toEqual([]);
    expect(await jobs('createdAt[before]=2020-01-01T00:00:00Z')).toEqual([]);
  });
});

describe('the places of an import', () => {
  it('are those that are used and those that a dry run would use, with the maximum', async () => {
    const { id: raceId } = await race(api.dataSource, { organizationId: api.organizationId, maxCapacity: 2 });
    const { row, participant } = await sale(api, { raceId, maxCapacity: 5 });
    const bookings = [row({ participants: [participant(), participant()] }), row()];
    const dryRun = await importRows(api, 'bookings/import?dryRun=true', { bookings });
    const places = async (jobId: string) =>
      (await viewer.ask('GET', `/console/v1/import-jobs/${jobId}/places`)).body;
    expect(await places(dryRun.jobId)).toMatchObject({
      races: [{ id: raceId, maximum: 2, used: 0, added: 3 }],
      tickets: [{ maximum: 5, used: 0, added: 3 }],
    });
    const { jobId } = await importRows(api, 'bookings/import', { bookings });
    expect(await places(jobId)).toMatchObject({ races: [{ maximum: 2, used: 3, added: 3 }] });
  });

  it('count those of corrections, and are known without the content of the rows', async () => {
    const { row, participant, ticket } = await sale(api, { maxCapacity: 1 });
    const right = [row(), row(), row()];
    const wrong = { ...right[2], participants: [participant({ ticketId: newId() })] };
    const { jobId } = await importRows(api, 'bookings/import?dryRun=true', {
      bookings: [right[0], right[1], wrong],
    });
    const places = async () =>
      ((await viewer.ask('GET', `/console/v1/import-jobs/${jobId}/places`)).body as any).tickets;
    expect(await places()).toMatchObject([{ id: ticket.id, maximum: 1, used: 0, added: 2 }]);
    await importRows(api, 'bookings/import?dryRun=true', {
      bookings: [right[2]],
      corrects: { jobId, rows: [2] },
    });
    await api.dataSource.query(`UPDATE import_rows SET payload = '{}' WHERE job_id = $1`, [jobId]);
    expect(await places()).toMatchObject([{ id: ticket.id, maximum: 1, used: 0, added: 3 }]);
  });
});

describe('a change of several participants', () => {
  it('is told from imports', async () => {
    const { browser } = await signedIn(api, 'MANAGER');
    const { row } = await sale(api);
    const { results } = await importRows(api, 'bookings/import', { bookings: [row()] });
    const { body } = await browser.ask('POST', '/console/v1/participants/changes', {
      change: { type: 'TAG', tag: 'vip' },
      participantIds: (results as any)[0].participantIds,
    });
    const list = await viewer.ask('GET', '/console/v1/import-jobs?page[size]=5');
    const modes = new Map(list.body.data.map(({ jobId, mode }: any) => [jobId, mode]));
    expect(modes.get((body as any).jobId)).toBe('CHANGE');
  });
});
