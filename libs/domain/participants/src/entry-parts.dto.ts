/** Whether the entry was booked through a reserved group or a partner. */
export type IncrementalStatus = 'INCREMENTAL' | 'NON_INCREMENTAL';

/** An answer to a question of the booking form, with the question as it was asked. */
export class FieldAnswer {
  /**
   * The field's id.
   * @format uuid
   */
  id: string;

  /**
   * The key of the field. `firstName`, `lastName`, `email`, `dateOfBirth` and `gender` are the identity fields.
   * @example firstName
   */
  key: string;

  /**
   * The question.
   * @example First name
   */
  label: string;

  /**
   * The field's type.
   * @example TEXT
   */
  type: string;

  /**
   * The answer. Its JSON type depends on the type of the field.
   * @example Ada
   */
  value: unknown;
}

/** The group that the entry starts with. */
export class EntryWave {
  /** @format uuid */
  id: string;

  /** @example Wave A */
  title: string;

  /**
   * The start time; `null` until it is confirmed.
   * @format date-time
   */
  startDateTime: string | null;

  /**
   * With `features=waves`: the capacity of the wave; `null`: no limit. Approvals respect it, imports do not.
   * @integer
   * @example 400
   */
  capacity?: number | null;
}

/** A change of the status of the entry. */
export class StatusDetail {
  /**
   * The status.
   * @example CANCELLED
   */
  status: string;

  /**
   * When the status changed.
   * @format date-time
   */
  at: string;

  /**
   * The reason, if one was given.
   * @example The booking was cancelled through the API.
   */
  reason: string | null;
}

/** Codes that were used at checkout. */
export class BookingCodesUsed {
  /**
   * Discount codes.
   * @example ["SPRING-15"]
   */
  discountCodes: string[];

  /**
   * Referral codes.
   * @example ["ADA-9QX2"]
   */
  referralCodes: string[];

  /**
   * Codes of reserved entry groups.
   * @example ["CHARITY-2026"]
   */
  reservedEntryCodes: string[];
}

/** Whether the participant agreed to hear from a partner. */
export class PartnerMarketingOptIn {
  /** @format uuid */
  partnerId: string;

  /** The choice of the participant. */
  optedIn: boolean;
}
