import type { EntityManager } from 'typeorm';
import { type Actor, audit } from '#platform/access';
import { statement } from '#platform/database';
import { normalizeEmail } from '#platform/validation';
import { findEntry } from '../find-entry';
import { creditEmailsOf, findCredits, redactCredits } from './credits';
import { activeOthers, entryOf, isBooker, isReachedAtBooker } from './entries';
import { emptyImportRows, findImportRows } from './import-rows';
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

/**
 * Redacts an entry, its booking, import rows, credits and the race-day log (docs/decisions/erasure.md). The entry and
 * counts stay, and pollers see the change. Running it again redacts data that was received since. Call it in a transaction;
 * it searches import rows before its first write, so that it does not delay pollers.
 *
 * @param id the id of a participant or an application
 * @param secret ERASURE_SECRET
 * @param searched called after each step of the search
 * @returns `undefined` if it does not exist
 */
export async function redactParticipant(
  manager: EntityManager,
  id: string,
  by: Actor,
  secret?: string,
  searched?: Transactions['searched'],
): Promise<Redaction | undefined> {
  const found = await findEntry(manager, id);
  if (!found) return undefined;
  const { organizationId, id: applicationId, participantId, bookingId } = found;
  const entry = await entryOf(manager, organizationId, applicationId);
  const { last } = await IS_LAST.one(manager, [organizationId, bookingId, applicationId]);
  const others = await activeOthers(manager, organizationId, entry);
  const isNeeded = others.some((other) => !other.redacted && isReachedAtBooker(other));
  const takesBooker = last || (isBooker(entry) && !isNeeded);
  const emails = [...new Set([entry.email, takesBooker ? entry.bookerEmail : null])]
    .filter((email) => email !== null)
    .map(normalizeEmail);
  const within: Transactions = { transaction: (work) => work(manager), searched };
  const rows = await findImportRows(within, organizationId, [entry], emails);
  const creditEmails = await creditEmailsOf(manager, organizationId, emails, entry, takesBooker);
  const credits = await findCredits(manager, organizationId, creditEmails);

  const removal = new Removal();
  await lockBooking(manager, organizationId, bookingId);
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
    importRowsAhead: rows.length - done.length,
  };
}
