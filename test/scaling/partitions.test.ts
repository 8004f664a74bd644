import { readFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { appUrlOf, migrate } from '#platform/database';
import { withDatabase } from '../../libs/testing/src/databases';
import { startApi, startWorker, type TestApi } from '../harness';
import { at, message, RaceDay, shipping } from '../race-day/race-day';
import { documentedSql } from './documented';

let api: TestApi;
let worker: INestApplicationContext;
afterEach(async () => {
  await worker?.close();
  await api?.close();
});

const run = (sql: string): Promise<unknown> => withDatabase(api.databaseUrl, (client) => client.query(sql));

const rows = async (): Promise<unknown[]> =>
  api.dataSource.query('SELECT to_jsonb(l) AS row FROM race_day_log l ORDER BY seq');

it.each(['by-organization', 'by-time'])('race day works with a partitioned log: %s', async (how) => {
  api = await startApi({ RATE_TIMING: '100000' });
  worker = await startWorker(api);
  const raceDay = await RaceDay.of(api);
  const earlier = await raceDay.participant();
  const sent = await raceDay.send(message({ participantId: earlier, bibNumber: '7', shipping: shipping() }));
  expect(sent.status).toBe(200);
  await raceDay.settled();
  const shown = await raceDay.shown(earlier);
  const kept = await rows();
  expect(kept.length).toBeGreaterThan(0);
  await worker.close();

  await run(readFileSync(`docs/examples/race-day-log-${how}.sql`, 'utf8'));
  await migrate(api.databaseUrl, { appUrl: appUrlOf(api.databaseUrl) });
  const [{ kind }] = await api.dataSource.query(
    `SELECT relkind AS kind FROM pg_class WHERE relname = 'race_day_log'`,
  );
  expect(kind).toBe('p');
  expect(await rows()).toEqual(kept);

  worker = await startWorker(api);
  expect(await raceDay.shown(earlier)).toEqual(shown);
  const later = await raceDay.participant();
  const { body } = await raceDay.send([
    message({ participantId: later, bibNumber: '8' }, at(9)),
    message({ bibNumber: '7', shipping: shipping({ carrier: 'Another' }) }, at(20)),
    message({ bibNumber: 'nobody', shipping: shipping() }, at(20)),
  ]);
  expect(body).toMatchObject({ success: true, received: 3, unidentified: [2], conflicts: [] });
  await raceDay.settled();
  expect(await raceDay.shown(later)).toMatchObject({ bibNumber: '8' });
  expect(await raceDay.shown(earlier)).toMatchObject({ bibNumber: '7', shipping: { carrier: 'Another' } });

  if (how !== 'by-time') return;
  await run(`UPDATE race_day_log SET received_at = '2026-05-04T10:00:00Z'`);
  const before = await raceDay.shown(earlier);
  await run(documentedSql('Dropping a month'));
  expect(await rows()).toEqual([]);
  expect(await raceDay.shown(earlier)).toEqual(before);
});
