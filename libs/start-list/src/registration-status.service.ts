import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/access';
import { Database } from '#libs/database';
import { errors } from '#libs/errors';
import { normalizeEmail } from './email';
import type { RegistrationStatus } from './registration-status.dto';

/** Returns no row if the occurrence does not exist. Redacted entries have no email. */
const REGISTERED = /* sql */ `
  SELECT EXISTS (
    SELECT FROM start_list_entries e
    WHERE e.organization_id = o.organization_id AND e.event_occurrence_id = o.id AND e.email_normalized = $3
      AND e.approval_status = 'APPROVED' AND e.cancelled_at IS NULL AND NOT e.gdpr_redacted
  )
  FROM event_occurrences o WHERE o.organization_id = $1 AND o.id = $2
`;

@Injectable()
export class RegistrationStatusService {
  constructor(private readonly database: Database) {}

  /** @throws ApiError 404 if the occurrence does not exist */
  async of(caller: Caller, eventOccurrenceId: string, email: string): Promise<RegistrationStatus> {
    const [row] = await this.database
      .of(caller.organizationId)
      .tuples<[boolean]>(REGISTERED, [caller.organizationId, eventOccurrenceId, normalizeEmail(email)]);
    if (!row) throw errors.notFound();
    return { eventOccurrenceId, registered: row[0] };
  }
}
