import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { statement } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { findEntry } from '../find-entry';
import { creditEmailsOf, findCredits, redactCredits } from './credits';
import { activeOthers, entryOf, isBooker, isReachedAtBooker } from './entries';
import { emptyImportRows, findImportRows, type ImportRowKey } from './import-rows';
import { lockBooking, redactBooking } from './redact-booking';
import { Removal } from './removal';
import type { Transactions } from './transactions';

export interface Redaction {
  participantId: string;
  applicationId: string;
  /** False if the entry was already redacted; data that was received since is redacted nevertheless. */
  changed: boolean;
  bookerRedacted: boolean;
  importRows: number;
  raceDayMessages: number;
  credits: number;
  /** Import rows that name the person and are not processed yet: redact again afterwards. */
  importRowsAhead: number;
}

const IS_LAST = statement({
  parameters: ['uuid', 'uuid', 'uuid'],
  columns: { last: 'boolean' },
  sql: `
    SELECT NOT EXISTS (SELECT FROM start_list_entries
      WHERE organization_id = $1 AND booking_id = $2 AND id <> $3 AND NOT gdpr_redacted) AS last
  `,
});

type Person = NonNullable<Awaited<ReturnType<typeof personOf>>>;

/** The entry, what of its booking goes with it, and the addresses of the person. */
async function personOf(manager: EntityManager, id: string) {
  const found = await findEntry(manager, id);
  if (!found) return undefined;
  const { organizationId, id: applicationId, bookingId } = found;
  const entry = await entryOf(manager, organizationId, applicationId);
  const { last } = await IS_LAST.one(manager, [organizationId, bookingId, applicationId]);
  const others = await activeOthers(manager, organizationId, entry);
  const isNeeded = others.some((other) => !other.redacted && isReachedAtBooker(other));
  const takesBooker = last || (isBooker(entry) && !isNeeded);
  const emails = [...new Set([entry.email, takesBooker ? entry.bookerEmail : null])]
    .filter((email) => email !== null)
    .map(normalizeEmail);
  return { organizationId, entry, takesBooker, emails };
}

/**
 * Redacts an entry, its booking, import rows, credits and the race-day log (docs/decisions/erasure.md). The entry and
 * counts stay, and pollers see the change. Running it again redacts data that was received since. Import rows are searched in steps before the
 * only transaction that writes; it begins again if the entry was given to another person meanwhile.
 *
 * @param id the id of a participant or an application
 * @param secret ERASURE_SECRET
 * @returns `undefined` if it does not exist
 */
export async function redactParticipant(
  database: Transactions,
  id: string,
  by: Actor,
  secret?: string,
): Promise<Redaction | undefined> {
  for (;;) {
    const person = await database.transaction((manager) => personOf(manager, id));
    if (!person) return undefined;
    const rows = await findImportRows(database, person.organizationId, [person.entry], person.emails);
    const redaction = await database.transaction(async (manager) => {
      await lockBooking(manager, person.organizationId, person.entry.bookingId);
      return isDeepStrictEqual(await personOf(manager, id), person)
        ? redact(manager, person, rows, by, secret)
        : undefined;
    });
    if (redaction) return redaction;
  }
}

/** Call it with the booking locked. */
async function redact(
  manager: EntityManager,
  { organizationId, entry, takesBooker, emails }: Person,
  rows: readonly ImportRowKey[],
  by: Actor,
  secret: string | undefined,
): Promise<Redaction> {
  const { id: applicationId, participantId, bookingId } = entry;
  const creditEmails = await creditEmailsOf(manager, organizationId, emails, entry, takesBooker);
  const credits = await findCredits(manager, organizationId, creditEmails);
  const removal = new Removal();
  const { bookerRedacted } = await redactBooking(manager, removal, {
    ...{ organizationId, bookingId, entryIds: [applicationId], takesBooker, emails },
    names: [entry],
    secret,
  });
  const done = rows.filter((row) => row.done);
  await emptyImportRows(manager, removal, { organizationId, emails, secret }, done);
  for (const ids of credits)
    await redactCredits(manager, removal, { organizationId, emails: creditEmails, secret }, ids);
  await audit(manager, by, {
    ...{ organizationId, action: 'participant.redact', objectType: 'participant', objectId: participantId },
    details: { applicationId, removed: removal.counts() },
  });
  return {
    participantId,
    applicationId,
    changed: !entry.redacted,
    bookerRedacted,
    importRows: removal.of('import_rows'),
    raceDayMessages: removal.of('race_day_log'),
    credits: removal.of('credits'),
    importRowsAhead: rows.length - removal.of('import_rows'),
  };
}
