import { Email, Id } from '#platform/validation';

export class RegistrationStatusRequest {
  /** Case, and white space and invisible characters around it, are ignored. */
  @Email({ example: 'ada.lovelace@example.com' }) email: string;
}

/** Whether an email address is registered. */
export class RegistrationStatus {
  @Id() eventOccurrenceId: string;

  /** Whether an approved entry that is not cancelled has the email address. */
  registered: boolean;
}
