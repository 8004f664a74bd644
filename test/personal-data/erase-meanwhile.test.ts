import type { INestApplicationContext } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IDENTITY_FIELDS } from '#domain/catalogue';
import { addPersonJob, erasePerson, personJob, redactParticipant, workOnPerson } from '#domain/participants';
import { booking, bookingFormField, ERASURE_SECRET, ticket } from '#libs/testing';
import { eventually, startApi, startWorker, type TestApi } from '../harness';
import { importRows } from '../imports/import';

const ACTOR = { type: 'COMMAND_LINE', id: 'test', origin: 'test' } as const;

let api: TestApi;
let worker: INestApplicationContext;
let sold: { id: string; eventOccurrenceId: string };
beforeAll(async () => {
  api = await startApi({ ERASURE_SECRET });
  worker = await startWorker(api, { ERASURE_SECRET });
  const { organizationId } = api;
  for (const { key, label, type } of IDENTITY_FIELDS)
    await bookingFormField(api.dataSource, { organizationId, key, label, type });
  sold = await ticket(api.dataSource, { organizationId });
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

let serial = 0;
/** A person of whom nothing is known yet, and another one whose entry they can get. */
async function person() {
  const name = `Needle${++serial}x`;
  const email = `z${serial}@erased.example`;
  const { entries } = await booking(api.dataSource, {
    organizationId: api.organizationId,
    ticketId: sold.id,
    entries: 1,
  });
  const gets = (participantId = entries[0]?.participantId) =>
    api.send('PATCH', `/v0/participants/${participantId}`, { email, lastName: name });
  const isBooked = (externalBookingId: string) =>
    importRows(api, 'bookings/import', {
      bookings: [
        {
          ...{ externalBookingId, eventOccurrenceId: sold.eventOccurrenceId },
          booker: { email, firstName: 'Zoe', lastName: name, phone: `+44 ${name}` },
          participants: [{ ticketId: sold.id, email, firstName: 'Zoe', lastName: name }],
        },
      ],
    });
  return { id: entries[0]?.participantId as string, name, email, gets, isBooked };
}

/** Transactions, with something else before the nth one, and their number. */
function counted(at = -1, meanwhile?: () => Promise<unknown>) {
  const database = {
    transactions: 0,
    transaction: async <T>(work: (manager: EntityManager) => Promise<T>): Promise<T> => {
      if (database.transactions++ === at) await meanwhile?.();
      return api.dataSource.transaction(work);
    },
  };
  return database;
}

/** The erasure of an address, and the number of its transactions. */
async function erase(email: string, at?: number, meanwhile?: () => Promise<unknown>) {
  const database = counted(at, meanwhile);
  const { organizationId } = api;
  const person = { organizationId, email, dryRun: false, secret: ERASURE_SECRET };
  const erasure = await erasePerson(database, person, ACTOR);
  return { ...erasure, transactions: database.transactions };
}

/** The rows of each table that contain the text. */
async function found(text: string): Promise<Record<string, string[]>> {
  const tables: { name: string }[] = await api.dataSource.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const held = await api.dataSource.query(`SELECT t::text AS row FROM "${name}" t WHERE t::text LIKE $1`, [
      `%${text}%`,
    ]);
    if (held.length > 0) rows[name] = held.map(({ row }: { row: string }) => row);
  }
  return rows;
}

/** Whatever the moment: an erasure that took the address alone would hide the rest from every later one. */
describe('data that arrives while a person is erased', () => {
  it('is erased as well, or keeps the address for the next erasure', async () => {
    const first = await person();
    await first.isBooked(`order-${first.email}`);
    const { transactions } = await erase(first.email);
    expect(await found(first.name)).toEqual({});
    expect(transactions).toBeGreaterThan(40);

    const moments = Array.from({ length: 12 }, (_, n) => Math.floor((n * transactions) / 12));
    for (const moment of moments) {
      const { name, email, gets, isBooked } = await person();
      await isBooked(`before-${email}`);
      let arrived = 0;
      const { participantIds } = await erase(email, moment, async () => {
        expect((await gets()).status).toBe(200);
        await isBooked(`meanwhile-${serial}`);
        arrived += 1;
      });
      expect(arrived).toBe(1);
      // Whoever still has the name has the address too.
      const { start_list_entries: entries = [], import_rows: rows = [] } = await found(name);
      for (const row of [...entries, ...rows])
        expect([moment, row]).toEqual([moment, expect.stringContaining(email)]);
      const left = entries.length;
      expect(participantIds.length + left).toBe(3);
      await erase(email);
      expect([moment, await found(name)]).toEqual([moment, {}]);
      expect([moment, await found(email)]).toEqual([moment, {}]);
    }
  });

  it('does not take data of whoever gets the place of the person', async () => {
    const { name, email, gets } = await person();
    const other = await person();
    const { entries } = await booking(api.dataSource, {
      organizationId: api.organizationId,
      ticketId: sold.id,
      entries: 1,
    });
    const participantId = entries[0]?.participantId;
    await gets(participantId);
    // After the search, before the entry is redacted.
    const { removed } = await erase(email, 6, () => other.gets(participantId));
    const { body } = await api.get(`/v0/participants/${participantId}`);
    expect([body.gdprRedacted, JSON.stringify(body.fields)]).toEqual([
      false,
      expect.stringContaining(other.name),
    ]);
    expect(removed.bookings).toBeUndefined();
    expect(await found(name)).toEqual({});
  });
});

describe('a redaction', () => {
  it('searches before the transaction that writes, and begins again if another person got the entry', async () => {
    const redact = async (at?: number) => {
      const { id, name, email, gets, isBooked } = await person();
      await isBooked(`before-${email}`);
      const database = counted(at, async () => expect((await gets()).status).toBe(200));
      await redactParticipant(database, id, ACTOR, ERASURE_SECRET);
      return { transactions: database.transactions, rows: (await found(name)).import_rows };
    };
    const { transactions, rows } = await redact();
    expect([transactions >= 3, rows?.length]).toEqual([true, 1]);
    expect((await redact(0)).rows).toBeUndefined();
    expect(await redact(transactions - 1)).toMatchObject({ transactions: 2 * transactions, rows: undefined });
  });
});

it('a process that was silent for too long does nothing more for a job that another one has', async () => {
  const { organizationId, dataSource } = api;
  const { email, isBooked } = await person();
  await isBooked(`exported-${email}`);
  const jobId = await dataSource.transaction((manager) =>
    addPersonJob(manager, organizationId, { kind: 'EXPORT', email }, ACTOR),
  );
  const others = counted(4, async () => {
    await dataSource.query(`UPDATE person_jobs SET leased_until = now() - interval '1 s' WHERE id = $1`, [
      jobId,
    ]);
    await eventually(async () => {
      await workOnPerson(dataSource, organizationId, { jobId });
      return (await personJob(dataSource, organizationId, jobId)).status === 'COMPLETED';
    });
  });
  const database: typeof dataSource = Object.create(dataSource, {
    transaction: { value: others.transaction },
  });
  expect(await workOnPerson(database, organizationId, { jobId })).toBe(true);
  expect(others.transactions).toBe(5);
  expect((await personJob(dataSource, organizationId, jobId)).status).toBe('COMPLETED');
});
