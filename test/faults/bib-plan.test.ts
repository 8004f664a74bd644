import { Client } from 'pg';
import { booking } from '#libs/testing';
import { eventually, startApi, type TestApi } from '../harness';
import { RaceDay } from '../race-day/race-day';
import { Fleet, SMALL_CHUNKS } from './workers';

const PARTICIPANTS = 120;
let api: TestApi;
let fleet: Fleet;
beforeAll(async () => {
  api = await startApi();
  fleet = new Fleet({ DATABASE_URL: api.databaseUrl, ...SMALL_CHUNKS });
});
afterAll(async () => {
  await fleet.end();
  await api.close();
});

it('a bib plan survives the death of its worker in mid-chunk: everyone gets one bib, by one claim', async () => {
  const { organizationId } = api;
  const raceDay = await RaceDay.of(api);
  const { entries } = await booking(api.dataSource, { organizationId, entries: PARTICIPANTS });
  const holder = new Client({ connectionString: api.databaseUrl, application_name: 'holder' });
  await holder.connect();
  // The chunk of this participant can't be committed now; those before it are.
  await holder.query('BEGIN');
  await holder.query('SELECT FROM start_list_entries WHERE participant_id = $1 FOR UPDATE', [
    entries[70]?.participantId,
  ]);
  const [worker] = await fleet.workers(1);
  const { body } = await api.send('POST', `/v0/races/${entries[0]?.raceId}/bib-plan`, {
    ranges: [{ from: 1, to: 999 }],
  });
  const jobOf = async () => (await api.get(`/v0/participant-changes/${body.jobId}`)).body;
  try {
    await eventually(async () => {
      const waiting = await api.dataSource.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND application_name = 'startline worker' AND query LIKE '%start_list_entries%'`,
      );
      return waiting.length > 0;
    });
    expect((await jobOf()).processedRows).toBe(60);
    await worker?.kill();
    await holder.end();
    await fleet.workers(2);
    const job = await eventually(async () => {
      const now = await jobOf();
      return now.status === 'COMPLETED' && now;
    });
    expect([job.succeededRows, job.failedRows]).toEqual([PARTICIPANTS, 0]);
  } finally {
    await holder.end().catch(() => {});
  }
  await raceDay.settled();
  const [found] = await api.dataSource.query(
    `SELECT count(DISTINCT e.bib_number)::int AS bibs, (SELECT count(*)::int FROM race_day_log) AS claims,
       (SELECT count(*)::int FROM bib_claims WHERE holds_last) AS holders
     FROM start_list_entries e WHERE e.bib_number::int BETWEEN 1 AND $1`,
    [PARTICIPANTS],
  );
  expect(found).toEqual({ bibs: PARTICIPANTS, claims: PARTICIPANTS, holders: PARTICIPANTS });
});
