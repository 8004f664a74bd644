import { freePort } from '#libs/testing';
import { eventually, startApi, startWorker } from '../harness';

it('GET /workers on METRICS_PORT says what is open, which worker does what, and how many are wanted', async () => {
  const port = await freePort();
  const api = await startApi({ METRICS_PORT: String(port) });
  const there = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const fleet = async () => {
    const response = await there('/workers');
    return response.ok ? ((await response.json()) as any) : undefined;
  };
  const credits = (first: number, count: number) =>
    api.send('POST', '/v0/credits/import', {
      credits: Array.from({ length: count }, (_, row) => ({
        externalCreditId: `credit-${first + row}`,
        email: 'ada@example.org',
        amount: { currencyCode: 'GBP', value: 500 },
      })),
    });
  await credits(0, 20);
  await credits(20, 5);
  // Without a worker nothing is measured, and one is wanted.
  const idle = await eventually(async () => {
    const state = await fleet();
    return state?.work[0].units === 25 && state;
  });
  expect(idle).toMatchObject({ workersWanted: 1, running: 0, workers: [] });
  expect(idle.work[0]).toMatchObject({ queue: 'imports', parts: 2, isMeasured: false });
  expect(idle.work[0].waitingSeconds).toBeGreaterThan(0);

  const worker = await startWorker(api, { STARTLINE_TEST_SILENT_MS: '2000' });
  try {
    const done = await eventually(async () => {
      const state = await fleet();
      return state?.work[0].units === 0 && state.running === 1 && state;
    });
    expect(done.workers[0].queues).toContain('imports');
    const page = await (await there('/workers.html')).text();
    expect(page).toContain(done.workers[0].id);
    await eventually(async () =>
      /^startline_workers_wanted 1$/m.test(await (await there('/metrics')).text()),
    );
    // What organizations do is not for clients.
    expect((await api.get('/workers', null)).status).toBe(404);
  } finally {
    await worker.close();
    await api.close();
  }
});
