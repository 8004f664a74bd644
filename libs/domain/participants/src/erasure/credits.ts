import type { EntityManager } from 'typeorm';
import { statement } from '#platform/database';
import { answerTo } from '../entry.sql';
import type { KnownEntry } from './entries';
import { eraseOwnIds, type IdErasure } from './own-ids';
import { inBatches, type Removal } from './removal';

const FIND = statement({
  parameters: ['uuid', 'text[]'],
  columns: { id: 'uuid' },
  sql: `
    SELECT id FROM credits WHERE organization_id = $1 AND email_normalized = ANY ($2) ORDER BY id
  `,
});

/** The amount stays, for the accounts of the organization. */
const REDACT = statement({
  parameters: ['uuid', 'uuid[]'],
  columns: { id: 'uuid' },
  sql: `
    UPDATE credits SET email = '', email_normalized = '', reason = NULL
    WHERE organization_id = $1 AND id = ANY ($2)
    RETURNING id
  `,
});

/**
 * Addresses that no other entry or booking of the organization has. Entries with only the booker's address do not count
 * if the booker is deleted.
 */
const FREE = statement({
  parameters: ['uuid', 'text[]', 'uuid', 'uuid', 'boolean'],
  columns: { email: 'text' },
  sql: `
    SELECT email FROM unnest($2::text[]) email
    WHERE NOT EXISTS (SELECT FROM start_list_entries e
        WHERE e.organization_id = $1 AND e.email_normalized = email AND e.id <> $3
          AND NOT ($5 AND e.booking_id = $4 AND ${answerTo("'email'", 'e')} IS NULL))
      AND NOT EXISTS (SELECT FROM bookings b
        WHERE b.organization_id = $1 AND lower(normalize(trimmed(b.booker_email), NFC)) = email AND NOT ($5 AND b.id = $4))
  `,
});

/**
 * The addresses whose credits are redacted with the entry. A credit belongs to an address, and stays while another entry
 * or booking has it.
 */
export async function creditEmailsOf(
  manager: EntityManager,
  organizationId: string,
  emails: readonly string[],
  { id, bookingId }: Pick<KnownEntry, 'id' | 'bookingId'>,
  takesBooker: boolean,
): Promise<string[]> {
  const rows = await FREE.rows(manager, [organizationId, emails, id, bookingId, takesBooker]);
  return rows.map(({ email }) => email);
}

/** Ids, in batches. */
export async function findCredits(
  manager: EntityManager,
  organizationId: string,
  emails: readonly string[],
): Promise<string[][]> {
  const rows = await FIND.rows(manager, [organizationId, emails]);
  return inBatches(rows.map(({ id }) => id));
}

export async function redactCredits(
  manager: EntityManager,
  removal: Removal,
  erasure: IdErasure,
  ids: readonly string[],
): Promise<void> {
  await eraseOwnIds(manager, removal, erasure, { credits: ids });
  removal.add('credits', await REDACT.rows(manager, [erasure.organizationId, ids]));
}
