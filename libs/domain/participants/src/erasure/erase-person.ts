import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { newId, type Row, statement } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { findCredits, redactCredits } from './credits';
import { entriesReachedAt, isBooker, type KnownEntry } from './entries';
import { emptyImportRows, findImportRows } from './import-rows';
import { mentionInIdsOf, mentionOf, mentions } from './mention';
import { redactBooking } from './redact-booking';
import { inBatches, Removal } from './removal';
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
  /** Records that still have the address: the codes that people enter, and the URLs that events are sent to. */
  kept: { table: string; id: string }[];
}

type Booked = Row<typeof BOOKED>;

const BOOKED = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid', externalBookingId: 'text?', firstName: 'text?', lastName: 'text?' },
  sql: `
    SELECT id, external_booking_id AS "externalBookingId", booker_first_name AS "firstName",
      booker_last_name AS "lastName" FROM bookings
    WHERE organization_id = $1 AND ${mentions('booker_email', '$2')} ORDER BY id
  `,
});

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

const KEPT = statement({
  parameters: ['uuid', 'text[]'],
  columns: { table: 'text', id: 'uuid' },
  sql: `
    SELECT 'discount_codes' AS table, id FROM discount_codes WHERE organization_id = $1 AND ${mentions('code', '$2')}
    UNION ALL
    SELECT 'webhook_endpoints', id FROM webhook_endpoints WHERE organization_id = $1 AND ${mentions('url', '$2')}
    ORDER BY 1, 2
  `,
});

class DryRun extends Error {}

/**
 * Erases a person from all data of an organization, by email address. Every step is a bounded transaction: one booking, or
 * BATCH rows. It can be killed at any time and run again: rows that are found by other means than the address (import
 * rows by ids) are erased first.
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
  const emails = [email];
  const erasure = { organizationId, emails, secret };
  const mention = mentionOf(emails);
  const id = newId();
  const record = (details: Record<string, unknown>) =>
    step((transaction) =>
      audit(transaction, by, {
        ...{ organizationId, action: 'person.erase', objectType: 'person', objectId: id, details },
      }),
    );

  const reached = await database.transaction((manager) => entriesReachedAt(manager, organizationId, email));
  // A participant with the booker's address is another person, unless the names are equal.
  const own = reached.filter((entry) => entry.email !== null || isBooker(entry));
  const booked = await database.transaction((manager) => BOOKED.rows(manager, [organizationId, mention]));
  const rows = await database.transaction((manager) =>
    findImportRows(manager, organizationId, own, emails, booked),
  );
  const done = rows.filter((row) => row.done);

  await record({ status: 'STARTED' });
  for (const batch of inBatches(done)) {
    await step((transaction) => emptyImportRows(transaction, removal, erasure, batch));
  }
  const credits = await database.transaction((manager) => findCredits(manager, organizationId, emails));
  for (const ids of credits) {
    await step((transaction) => redactCredits(transaction, removal, erasure, ids));
  }
  await step(async (transaction) =>
    removal.add('partners', await REMOVE_CONTACTS.rows(transaction, [organizationId, mention])),
  );
  for (const [bookingId, entries] of byBooking(own, booked)) {
    const entryIds = entries.map((entry) => entry.id);
    const booker = booked.find((each) => each.id === bookingId);
    await step(async (transaction) => {
      const { emptied } = await IS_EMPTIED.one(transaction, [organizationId, bookingId, entryIds]);
      await redactBooking(transaction, removal, {
        ...{ organizationId, bookingId, entryIds, emails },
        takesBooker: emptied || booker !== undefined || entries.some(isBooker),
        names: booker ? [...entries, booker] : entries,
        secret,
      });
    });
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
  await record({ status: 'DONE', removed: removal.counts(), importRowsAhead: rows.length - done.length });
  return {
    id: dryRun ? null : id,
    dryRun,
    participantIds: own.map(({ participantId }) => participantId),
    removed: removal.counts(),
    importRowsAhead: rows.length - done.length,
    kept: await database.transaction((manager) =>
      KEPT.rows(manager, [organizationId, mentionInIdsOf(emails)]),
    ),
  };
}

function byBooking(own: readonly KnownEntry[], booked: readonly Booked[]): Map<string, KnownEntry[]> {
  const bookings = new Map<string, KnownEntry[]>(booked.map(({ id }) => [id, []]));
  for (const entry of own) bookings.set(entry.bookingId, [...(bookings.get(entry.bookingId) ?? []), entry]);
  return bookings;
}
