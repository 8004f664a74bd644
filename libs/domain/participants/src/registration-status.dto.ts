import { IsString } from 'class-validator';

export class RegistrationStatusRequest {
  /**
   * Case and surrounding white space are ignored.
   * @format email
   * @maxLength 320
   * @example ada.lovelace@example.com
   */
  @IsString()
  email: string;
}

/** Whether an email address is registered. */
export class RegistrationStatus {
  /** @format uuid */
  eventOccurrenceId: string;

  /** Whether an approved entry that is not cancelled has the email address. */
  registered: boolean;
}
