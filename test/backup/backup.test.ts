import type { INestApplicationContext } from '@nestjs/common';
import { booking } from '#libs/testing';
import { startAsker } from '../contract/asker';
import { OPERATIONS, pathOf } from '../contract/document';
import { rowsOf } from '../contract/stranger';
import { hasDebianPostgres } from '../fleet/debian-postgres';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { copied, dumped, has, type Source } from './servers';

const CREDITS = 40;
const READS = OPERATIONS.filter(({ method }) => method === 'GET');

/** A response without its cursors, some of which contain the time of the count. */
function lasting(text: string): string {
  // An export is not a JSON document, and its last line is constant.
  if (!text.startsWith('{')) return text;
  const body = JSON.parse(text);
  // The timing status and digests have the time of the request.
  for (const name of ['at', 'lagSeconds', 'watermark']) if (name in body) body[name] = 'a time';
  // A copy of the data directory has no counts of requests.
  for (const name of ['usedBytes', 'resetsAt']) if (name in body) body[name] = 'counted';
  for (const name of ['first', 'last', 'prev', 'next']) if (body.page?.[name]) body.page[name] = 'a cursor';
  return JSON.stringify(body);
}

let source: Source;
let api: TestApi | undefined;
let worker: INestApplicationContext | undefined;
afterEach(async () => {
  await worker?.close();
  await api?.close();
  await source?.remove();
  [worker, api] = [undefined, undefined];
});

/** Fills a server, backs it up, and restores it: responses must be equal, and unfinished work must continue. */
async function backUpAndRestore(): Promise<void> {
  const asker = await startAsker({ DATABASE_URL: source.url });
  api = asker.api;
  const { whole, tokens, tokenFor } = asker;
  const { organizationId } = whole;
  for (let i = 0; i < 20; i++) await booking(api.dataSource, { organizationId, entries: 3 });
  const message = {
    schemaVersion: '1.0',
    changedAt: '2026-05-04T09:00:00Z',
    data: { participantId: whole.ids.participants, bibNumber: '4711' },
  };
  expect((await api.send('POST', '/timing-inbound/v1', message, tokens.TIMING)).status).toBe(200);
  // No worker runs yet, so all work is unfinished.
  const credits = Array.from({ length: CREDITS }, (_, i) => ({
    externalCreditId: `credit-${i}`,
    email: 'ada@example.com',
    amount: { value: 500, currencyCode: 'GBP' },
  }));
  const accepted = await api.send('POST', '/v0/credits/import', { credits }, tokens.ORGANIZER);
  expect(accepted.status).toBe(200);
  const job = `/v0/credits/import/${accepted.body.jobId}`;

  const answers = async (of: TestApi): Promise<Record<string, string>> => {
    const all: Record<string, string> = {};
    for (const read of READS) {
      const path = pathOf(read, whole.ids);
      const { status, text } = await of.get(path, tokenFor(read));
      all[path] = `${status} ${lasting(text)}`;
    }
    all[job] = (await of.get(job, tokens.ORGANIZER)).text;
    return all;
  };
  const before = await answers(api);
  const rowsBefore = await rowsOf(api.dataSource, organizationId);
  expect(Object.values(before).filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(
    READS.length * 0.9,
  );
  await api.close();
  api = undefined;
  await source.backUp();

  const { url } = await source.restore();
  api = await startApi({ DATABASE_URL: url });
  expect((await api.get('/health/ready', null)).body.ready).toBe(true);
  expect(await rowsOf(api.dataSource, organizationId)).toEqual(rowsBefore);
  expect(await answers(api)).toEqual(before);

  worker = await startWorker(api);
  const finished = await eventually(async () => {
    const { body } = await (api as TestApi).get(job, tokens.ORGANIZER);
    return body.status === 'COMPLETED' && body;
  });
  expect([finished.succeededRows, finished.failedRows]).toEqual([CREDITS, 0]);
  await eventually(async () => {
    const { body } = await (api as TestApi).get(
      `/v0/participants/${whole.ids.participants}`,
      tokens.ORGANIZER,
    );
    return body.bibNumber === '4711';
  });
}

it('a restored copy of the data directory gives the same responses and continues its work', async () => {
  source = await copied();
  await backUpAndRestore();
});

// Skipped, and reported as skipped, without the programs of Debian's packages `postgresql-15` and its client.
const itWithDumps = hasDebianPostgres && has('pg_dump') && has('pg_restore') ? it : it.skip;

itWithDumps(
  'a restored dump without the queues gives the same responses and continues its work',
  async () => {
    source = await dumped();
    await backUpAndRestore();
  },
);
