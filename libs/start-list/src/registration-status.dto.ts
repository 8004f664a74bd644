import { IsString, MaxLength } from 'class-validator';

export class RegistrationStatusRequest {
  /**
   * Case and surrounding space make no difference.
   * @example ada.lovelace@example.com
   */
  @IsString()
  @MaxLength(320)
  email: string;
}

/** Whether someone is registered. */
export class RegistrationStatus {
  /** @format uuid */
  eventOccurrenceId: string;

  /** Whether an approved entry that is not cancelled has the email. */
  registered: boolean;
}
