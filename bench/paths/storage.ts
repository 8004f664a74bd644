import { IMPORTS, mostStored } from '#domain/imports';
import { booking, freePort, importRowsOf, storedBytes, wholeOrganization } from '#libs/testing';
import { announce, type Options } from '../fixtures/compare';
import type { Databases } from '../fixtures/database';
import { imported } from '../fixtures/imports';
import type { Program } from '../fixtures/program';
import { asking, spawnApi, spawnWorker, withDataSource } from '../fixtures/startline';
import type { Result } from '../report/result';

const ROWS = 600;
/** Of bookings with 100 participants, so that the body fits. */
const LARGE_ROWS = 40;

/** The growth of all tables and indexes by an import of each surface, with ordinary rows and with texts that can't be compressed. */
export async function storage(databases: Databases, _: Options): Promise<Result[]> {
  const title = 'Bytes that imports store';
  announce(title);
  const url = await databases.empty('storage');
  const programs: Program[] = [];
  const result: Result = { path: 'storage', title, measurements: [], ratios: [] };
  try {
    await withDataSource(url, async (dataSource) => {
      const api = await spawnApi(url);
      programs.push(api, await spawnWorker(url, await freePort()));
      const whole = await wholeOrganization(dataSource, { mark: 'harbourmile' });
      const { organizationId } = whole;
      const to = await asking(dataSource, 'ORGANIZER', organizationId);
      await dataSource.query('UPDATE reserved_entry_groups SET max_capacity = 1000000');
      const ids: string[] = [];
      for (let i = 0; i < ROWS; i++)
        ids.push((await booking(dataSource, { organizationId, ticketId: whole.ids.tickets })).id);
      for (const { surface, what, participants, tags, row } of importRowsOf(whole, ids)) {
        const { path, collection } = IMPORTS[surface];
        const rows = participants > 1 ? LARGE_ROWS : ROWS;
        const body = JSON.stringify({ [collection]: Array.from({ length: rows }, (_, i) => row(i)) });
        const before = await storedBytes(dataSource);
        await imported(api.url, to, path.replace(/\/import$/, ''), body, rows);
        const stored = (await storedBytes(dataSource)) - before;
        const all = { rows, participants: rows * participants, tags: rows * participants * tags };
        const constant = mostStored(surface, { ...all, bytes: 0 }) / rows;
        const name = `${surface}, ${what}`;
        result.measurements?.push(
          { what: `${name}: accepted`, value: body.length / rows, unit: `bytes a row, ${rows} rows` },
          {
            what: `${name}: stored`,
            value: stored / rows,
            unit: `bytes a row, of ${constant} and the accepted twice`,
          },
        );
        const bytes = body.length;
        result.ratios.push({ what: name, value: stored / mostStored(surface, { ...all, bytes }), atMost: 1 });
      }
    });
    return [result];
  } finally {
    for (const program of programs) await program.stop();
    await databases.drop('storage');
  }
}
