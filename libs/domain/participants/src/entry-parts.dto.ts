import { DateTime, Id, Int, Text, Value } from '#platform/validation';
/** Whether the entry was booked through a reserved group or a partner. */
export type IncrementalStatus = 'INCREMENTAL' | 'NON_INCREMENTAL';

/** An answer to a question of the booking form, with the question as it was asked. */
export class FieldAnswer {
  /** The field's id. */
  @Id() id: string;

  /** The key of the field. `firstName`, `lastName`, `email`, `dateOfBirth` and `gender` are the identity fields. */
  @Text({ example: 'firstName' }) key: string;

  /** The question. */
  @Text({ example: 'First name' }) label: string;

  /** The field's type. */
  @Text({ example: 'TEXT' }) type: string;

  /** The answer. Its JSON type depends on the type of the field. */
  @Value({ example: 'Ada' }) value: unknown;
}

/** The group that the entry starts with. */
export class EntryWave {
  @Id() id: string;
  @Text({ example: 'Wave A' }) title: string;

  /** The start time; `null` until it is confirmed. */
  @DateTime() startDateTime: string | null;

  /** With `features=waves`: the capacity of the wave; `null`: no limit. Approvals respect it, imports do not. */
  @Int({ example: 400 }) capacity?: number | null;
}

/** A change of the status of the entry. */
export class StatusDetail {
  /** The status. */
  @Text({ example: 'CANCELLED' }) status: string;

  /** When the status changed. */
  @DateTime() at: string;

  /** The reason, if one was given. */
  @Text({ example: 'The booking was cancelled through the API.' }) reason: string | null;
}

/** Codes that were used at checkout. */
export class BookingCodesUsed {
  /** Discount codes. */
  @Text({ example: ['SPRING-15'] }) discountCodes: string[];

  /** Referral codes. */
  @Text({ example: ['ADA-9QX2'] }) referralCodes: string[];

  /** Codes of reserved entry groups. */
  @Text({ example: ['CHARITY-2026'] }) reservedEntryCodes: string[];
}

/** Whether the participant agreed to hear from a partner. */
export class PartnerMarketingOptIn {
  @Id() partnerId: string;

  /** The choice of the participant. */
  optedIn: boolean;
}
