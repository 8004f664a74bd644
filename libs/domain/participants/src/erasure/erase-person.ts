import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { newId, statement } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { columnsOf } from './catalog';
import { findCredits, redactCredits } from './credits';
import {
  BOOKED,
  type Booked,
  entriesOfBookingAt,
  entriesReachedAt,
  IS_BOOKED,
  isBooker,
  type KnownEntry,
  ownOf,
} from './entries';
import { emptyImportRows, findImportRows } from './import-rows';
import { mentionInIdsOf, mentionOf, mentions } from './mention';
import { lockBooking, redactBooking } from './redact-booking';
import { inBatches, Removal } from './removal';
import { findKeys } from './row-keys';
import { scrubs } from './scrub';
import type { Transactions } from './transactions';

export interface Erasure {
  /** The id of the record in the audit log; `null` for a dry run. */
  id: string | null;
  dryRun: boolean;
  /** The entries of the person. */
  participantIds: string[];
  /** The number of changed rows, by table. */
  removed: Record<string, number>;
  /** Import rows that name the person and are not processed yet: erase again afterwards. */
  importRowsAhead: number;
  /** Records that still have the address: what the organizer wrote, such as codes and URLs, and what arrived at last. */
  kept: { table: string; id: string }[];
}

const IS_EMPTIED = statement({
  parameters: ['uuid', 'uuid', 'uuid[]'],
  columns: { emptied: 'boolean' },
  sql: `
    SELECT NOT EXISTS (SELECT FROM start_list_entries
      WHERE organization_id = $1 AND booking_id = $2 AND id <> ALL ($3) AND NOT gdpr_redacted) AS emptied
  `,
});

const REMOVE_CONTACTS = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE partners SET contacts = (
      SELECT coalesce(jsonb_agg(contact ORDER BY place) FILTER (WHERE NOT ${mentions('contact::text', '$2')}), '[]')
      FROM jsonb_array_elements(contacts) WITH ORDINALITY c (contact, place))
    WHERE organization_id = $1 AND ${mentions('contacts::text', '$2')}
    RETURNING id
  `,
});

/** Records of the organizer that mention the address, which an erasure leaves: people use them, or the log is append-only. */
async function keptBy(
  database: Transactions,
  organizationId: string,
  emails: readonly string[],
): Promise<Erasure['kept']> {
  const kept: Erasure['kept'] = [];
  const organizer = await database.transaction((manager) => columnsOf(manager, ['organizer']));
  for (const [table, columns] of organizer) {
    const where = columns.map(({ column }) => mentions(`t."${column}"::text`, '$2')).join(' OR ');
    const values = [organizationId, mentionInIdsOf(emails)];
    for (const { key } of await findKeys(database, table, { columns, where, values }))
      kept.push({ table, id: key.join('/') });
  }
  return kept;
}

class DryRun extends Error {}

/** Records that arrive during a round, or are processed, are erased by the next one. The last one leaves them, and reports them. */
const ROUNDS = 5;

/**
 * Erases a person from all data of an organization, by email address. Every step is a bounded transaction: one booking, or
 * BATCH rows. It can be killed at any time and run again: rows that are found by other means than the address (import
 * rows by ids) are erased first. It ends when it finds nothing more, and no step takes the address from a record of the person that it
 * does not erase.
 *
 * A dry run rolls back each step and returns the same counts.
 *
 * @param secret ERASURE_SECRET
 */
export async function erasePerson(
  database: Transactions,
  {
    organizationId,
    email: given,
    dryRun,
    secret,
  }: { organizationId: string; email: string; dryRun: boolean; secret?: string },
  by: Actor,
): Promise<Erasure> {
  const removal = new Removal();
  const step = async (work: (manager: EntityManager) => Promise<unknown>) => {
    try {
      await database.transaction(async (transaction) => {
        await work(transaction);
        if (dryRun) throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
  };
  const email = normalizeEmail(given);
  const emails: [string] = [email];
  const erasure = { organizationId, emails, secret };
  const mention = mentionOf(emails);
  const id = newId();
  const record = (details: Record<string, unknown>) =>
    step((transaction) =>
      audit(transaction, by, {
        ...{ organizationId, action: 'person.erase', objectType: 'person', objectId: id, details },
      }),
    );

  const read = <T>(work: (manager: EntityManager) => Promise<T>) => database.transaction(work);
  // As they were found first, with the ids that the erasure replaces.
  const entries = new Map<string, KnownEntry>();
  const bookers = new Map<string, Booked>();
  const know = (own: readonly KnownEntry[]) => {
    for (const entry of own) if (!entries.has(entry.id)) entries.set(entry.id, entry);
  };
  const find = async () => {
    const own = ownOf(await read((manager) => entriesReachedAt(manager, organizationId, email)));
    const booked = await read((manager) => BOOKED.rows(manager, [organizationId, mention]));
    know(own);
    for (const booking of booked) if (!bookers.has(booking.id)) bookers.set(booking.id, booking);
    const [ofPerson, ofBooker] = [[...entries.values()], [...bookers.values()]];
    const rows = await findImportRows(database, organizationId, ofPerson, emails, ofBooker);
    const credits = await read((manager) => findCredits(manager, organizationId, emails));
    const done = rows.filter((row) => row.done);
    return {
      rows: done,
      rowsAhead: rows.length - done.length,
      credits,
      bookings: new Set([...own.map(({ bookingId }) => bookingId), ...booked.map((booking) => booking.id)]),
      records: [
        ...own.map((entry) => ({ table: 'start_list_entries', id: entry.id })),
        ...booked.map((booking) => ({ table: 'bookings', id: booking.id })),
        ...credits.flat().map((credit) => ({ table: 'credits', id: credit })),
      ],
    };
  };

  await record({ status: 'STARTED' });
  let found = await find();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const batch of inBatches(found.rows)) {
      await step((transaction) => emptyImportRows(transaction, removal, erasure, batch));
    }
    for (const ids of found.credits) {
      await step((transaction) => redactCredits(transaction, removal, erasure, ids));
    }
    await step(async (transaction) =>
      removal.add('partners', await REMOVE_CONTACTS.rows(transaction, [organizationId, mention])),
    );
    for (const bookingId of found.bookings) {
      await step(async (transaction) =>
        know(await eraseInBooking(transaction, removal, { ...erasure, mention, bookingId })),
      );
    }
    for await (const { table, sql, batches } of scrubs(
      database,
      organizationId,
      mention,
      mentionInIdsOf(emails),
    )) {
      for (const values of batches) {
        await step(async (transaction) => {
          // TypeORM returns the rows of an UPDATE and their number.
          const [changed] = await transaction.query<[object[], number]>(sql, values);
          removal.add(table, changed);
        });
      }
    }
    if (dryRun) break;
    found = await find();
    if (found.records.length + found.rows.length === 0) break;
  }
  await record({ status: 'DONE', removed: removal.counts(), importRowsAhead: found.rowsAhead });
  return {
    id: dryRun ? null : id,
    dryRun,
    participantIds: [...entries.values()].map(({ participantId }) => participantId),
    removed: removal.counts(),
    importRowsAhead: found.rowsAhead,
    kept: [...(dryRun ? [] : found.records), ...(await keptBy(database, organizationId, emails))],
  };
}

/**
 * Reads the booking again under its lock: its entries can have been given to other people meanwhile.
 *
 * @returns the entries of the person
 */
async function eraseInBooking(
  manager: EntityManager,
  removal: Removal,
  {
    organizationId,
    emails,
    secret,
    mention,
    bookingId,
  }: { organizationId: string; emails: [string]; secret?: string; mention: string[]; bookingId: string },
): Promise<KnownEntry[]> {
  await lockBooking(manager, organizationId, bookingId);
  const entries = ownOf(await entriesOfBookingAt(manager, organizationId, bookingId, emails[0]));
  const booker = await IS_BOOKED.first(manager, [organizationId, mention, bookingId]);
  if (entries.length === 0 && !booker) return [];
  const entryIds = entries.map((entry) => entry.id);
  const { emptied } = await IS_EMPTIED.one(manager, [organizationId, bookingId, entryIds]);
  await redactBooking(manager, removal, {
    ...{ organizationId, bookingId, entryIds, emails },
    takesBooker: emptied || booker !== undefined || entries.some(isBooker),
    bookerEmail: entries[0]?.bookerEmail,
    names: booker ? [...entries, booker] : entries,
    secret,
  });
  return entries;
}
