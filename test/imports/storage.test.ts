import { IMPORTS, mostStored } from '#domain/imports';
import { booking, importRowsOf, key, storedBytes, wholeOrganization } from '#libs/testing';
import { eventually, startApi, startWorker } from '../harness';

const ROWS = 40;
/** Relations grow by pages, and some by several. */
const PAGES = 1_000_000;

it('imports store at most the declared bytes of their records, and the accepted bytes twice', async () => {
  const api = await startApi({ RATE_IMPORT: '100000' });
  // A chunk that is too slow on a busy machine is tried again with fewer rows, and what it stored first stays until a vacuum.
  const worker = await startWorker(api, { STARTLINE_TEST_IMPORT_CHUNK_MS: '600000' });
  const { dataSource } = api;
  const whole = await wholeOrganization(dataSource, { mark: 'harbourmile' });
  const { organizationId } = whole;
  const { token } = await key(dataSource, { organizationId });
  const bookings = await Promise.all(
    Array.from({ length: ROWS }, () => booking(dataSource, { organizationId, ticketId: whole.ids.tickets })),
  );
  await dataSource.query('UPDATE reserved_entry_groups SET max_capacity = 1000000');
  const ids = bookings.map(({ id }) => id);
  const wrong: string[] = [];
  for (const { surface, what, participants, tags, row } of importRowsOf(whole, ids)) {
    const { path, collection } = IMPORTS[surface];
    const rows = participants > 1 ? ROWS / 8 : ROWS;
    const body = JSON.stringify({ [collection]: Array.from({ length: rows }, (_, i) => row(i)) });
    const before = await storedBytes(dataSource);
    const accepted = await api.send('POST', `/v0/${path}`, body, token);
    expect([what, accepted.status]).toEqual([what, 200]);
    const job = await eventually(async () => {
      const { body: found } = await api.get(`/v0/${path}/${accepted.body.jobId}`, token);
      return found.finishedAt && found;
    });
    expect([what, job.succeededRows]).toEqual([what, rows]);
    const stored = (await storedBytes(dataSource)) - before;
    const all = { bytes: body.length, rows, participants: rows * participants };
    const most = mostStored(surface, { ...all, tags: all.participants * tags });
    if (stored > most + PAGES) wrong.push(`${surface}, ${what}: ${stored} of ${most}`);
  }
  expect(wrong).toEqual([]);
  await worker.close();
  await api.close();
});
