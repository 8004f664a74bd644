import { IsString, Matches, MaxLength } from 'class-validator';

export class RegistrationStatusRequest {
  /**
   * Case and surrounding white space are ignored.
   * @example ada.lovelace@example.com
   */
  @IsString()
  @MaxLength(320)
  @Matches(/^\s*[^\s@]+@[^\s@]+\s*$/u, { message: 'email must be an email address' })
  email: string;
}

/** Whether an email address is registered. */
export class RegistrationStatus {
  /** @format uuid */
  eventOccurrenceId: string;

  /** Whether an approved entry that is not cancelled has the email address. */
  registered: boolean;
}
