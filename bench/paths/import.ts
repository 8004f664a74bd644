import type { DataSource } from 'typeorm';
import { freePort, organization } from '#libs/testing';
import { Booking, LineItem, newId, StartListEntry } from '#platform/database';
import { announce, median, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import {
  bookingsBody,
  discountCodesBody,
  type ImportFixture,
  imported,
  importFixture,
} from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const ROWS = 10_000;
const SAVED_ONE_BY_ONE = 300;
const TABLES = ['bookings', 'start_list_entries', 'line_items'];
const CATALOGUE = ['events', 'event_occurrences', 'races', 'tickets'];

/**
 * 10,000 bookings (booking, entry and line item each) and 10,000 discount codes, from request to completion, compared
 * with plain set-based SQL that writes the same rows with the same indexes and triggers, and with save() for each
 * row.
 */
export async function importing(databases: Databases, options: Options): Promise<Result[]> {
  const url = await databases.empty('import');
  const programs: Program[] = [];
  try {
    return await withDataSource(url, async (dataSource) => {
      const api = await spawnApi(url);
      programs.push(api, await spawnWorker(url, await freePort()));
      return [await bookings(api, dataSource, options), await discountCodes(api, dataSource, options)];
    });
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop('import');
  }
}

async function bookings(api: Program, dataSource: DataSource, options: Options): Promise<Result> {
  const title = `Import of ${ROWS.toLocaleString('en')} bookings, posted to finished`;
  announce(title);
  const warm = await importFixture(dataSource);
  await imported(api.url, warm, 'bookings', bookingsBody(warm, ROWS), ROWS);
  const [accepted, finished, bare, ratios]: number[][] = [[], [], [], []];
  for (let round = 0; round < options.rounds; round++) {
    const to = await importFixture(dataSource);
    const { acceptedMs, finishedMs } = await imported(api.url, to, 'bookings', bookingsBody(to, ROWS), ROWS);
    const bareMs = await bareSql(dataSource, to, TABLES, CATALOGUE);
    accepted?.push(acceptedMs);
    finished?.push(finishedMs);
    bare?.push(bareMs);
    ratios?.push(bareMs / finishedMs);
  }
  const saved = await oneByOne(dataSource, warm);
  const ours = median(finished ?? []);
  return {
    path: 'import',
    title,
    measurements: [
      { what: 'Startline', value: ours, unit: 'ms' },
      { what: 'of which until accepted', value: median(accepted ?? []), unit: 'ms' },
      { what: 'bare set-based SQL of the same rows', value: median(bare ?? []), unit: 'ms' },
      { what: `save() one by one, from ${SAVED_ONE_BY_ONE} rows`, value: saved, unit: 'ms' },
    ],
    ratios: [
      { what: 'of bare set-based SQL', value: median(ratios ?? []), atLeast: 0.4 },
      { what: 'times save() one by one', value: saved / ours, atLeast: 10 },
    ],
  };
}

async function discountCodes(api: Program, dataSource: DataSource, options: Options): Promise<Result> {
  const title = `Import of ${ROWS.toLocaleString('en')} discount codes, posted to finished`;
  announce(title);
  const body = discountCodesBody(ROWS);
  const [finished, bare, ratios]: number[][] = [[], [], []];
  for (let round = 0; round < options.rounds; round++) {
    const to = await importFixture(dataSource);
    const { finishedMs } = await imported(api.url, to, 'discount-codes', body, ROWS);
    const bareMs = await bareSql(dataSource, to, ['discount_codes'], []);
    finished?.push(finishedMs);
    bare?.push(bareMs);
    ratios?.push(bareMs / finishedMs);
  }
  return {
    path: 'import',
    title,
    measurements: [
      { what: 'Startline', value: median(finished ?? []), unit: 'ms' },
      { what: 'bare set-based SQL of the same rows', value: median(bare ?? []), unit: 'ms' },
    ],
    ratios: [{ what: 'of bare set-based SQL', value: median(ratios ?? []) }],
  };
}

/** Copies the rows of an import into another organization, from tables prepared before. */
export async function bareSql(
  dataSource: DataSource,
  { organizationId }: ImportFixture,
  tables: string[],
  before: string[],
): Promise<number> {
  const { id: other } = await organization(dataSource);
  const runner = dataSource.createQueryRunner();
  const copy = async (table: string) => {
    await runner.query(`DROP TABLE IF EXISTS bench_${table}`);
    await runner.query(
      `CREATE UNLOGGED TABLE bench_${table} AS SELECT * FROM ${table} WHERE organization_id = $1`,
      [organizationId],
    );
    await runner.query(`UPDATE bench_${table} SET organization_id = $1`, [other]);
    return `INSERT INTO ${table} SELECT * FROM bench_${table}`;
  };
  for (const table of before) await runner.query(await copy(table));
  const inserts: string[] = [];
  for (const table of tables) inserts.push(await copy(table));
  await runner.query('CHECKPOINT');
  const began = performance.now();
  await runner.startTransaction();
  for (const insert of inserts) await runner.query(insert);
  await runner.commitTransaction();
  const ms = performance.now() - began;
  await runner.release();
  return ms;
}

/** @returns milliseconds for all rows with save(), extrapolated */
async function oneByOne(dataSource: DataSource, { organizationId }: ImportFixture): Promise<number> {
  const { ticket: to, organizationId: other } = await importFixture(dataSource);
  const where = { organizationId };
  const bookings = await dataSource.getRepository(Booking).find({ where, take: SAVED_ONE_BY_ONE });
  const entries = await dataSource.getRepository(StartListEntry).find({ where });
  const items = await dataSource.getRepository(LineItem).find({ where });
  const moved = { organizationId: other, eventId: to.eventId, eventOccurrenceId: to.eventOccurrenceId };
  const entryOf = new Map(entries.map((entry) => [entry.bookingId, entry]));
  const itemOf = new Map(items.map((item) => [item.bookingId, item]));
  const began = performance.now();
  for (const booking of bookings) {
    const { id } = booking;
    await dataSource.getRepository(Booking).save({ ...booking, ...moved });
    await dataSource
      .getRepository(StartListEntry)
      .save({ ...(entryOf.get(id) as StartListEntry), ...moved, raceId: to.raceId, ticketId: to.id });
    await dataSource
      .getRepository(LineItem)
      .save({ ...(itemOf.get(id) as LineItem), id: newId(), organizationId: other });
  }
  return ((performance.now() - began) / bookings.length) * ROWS;
}
