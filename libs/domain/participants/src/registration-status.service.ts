import { Injectable } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { Database, statement } from '#platform/database';
import { errors, normalizeEmail } from '#platform/validation';
import { showsEmail } from './entry.filters';
import type { RegistrationStatus } from './registration-status.dto';

/** Returns no row if the occurrence does not exist. Redacted entries have no email. */
const registered = (shown: string) =>
  statement({
    parameters: ['uuid', 'uuid', 'text'],
    columns: { registered: 'boolean' },
    sql: `
    SELECT EXISTS (
      SELECT FROM start_list_entries e
      WHERE e.organization_id = o.organization_id AND e.event_occurrence_id = o.id AND e.email_normalized = $3
        AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL AND NOT e.gdpr_redacted
        ${shown}
    ) AS registered
    FROM event_occurrences o WHERE o.organization_id = $1 AND o.id = $2
  `,
    prepared: true,
  });
/** Organizers see all emails. */
const REGISTERED = registered('');
const REGISTERED_TO_PARTNER = registered(`AND ${showsEmail('e')}`);

@Injectable()
export class RegistrationStatusService {
  constructor(private readonly database: Database) {}

  /** @throws ApiError 404 if the occurrence does not exist */
  async of(caller: Caller, eventOccurrenceId: string, email: string): Promise<RegistrationStatus> {
    const { organizationId, partner } = caller;
    const found = await (partner ? REGISTERED_TO_PARTNER : REGISTERED).first(this.database.of(caller), [
      organizationId,
      eventOccurrenceId,
      normalizeEmail(email),
    ]);
    if (!found) throw errors.notFound();
    return { eventOccurrenceId, registered: found.registered };
  }
}
