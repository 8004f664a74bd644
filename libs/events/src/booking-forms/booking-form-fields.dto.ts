import type { FIELD_TYPES } from '#libs/database';

/** `SELECT` and `MULTI_SELECT` take one, or some, of the field's options. */
export type BookingFormFieldType = (typeof FIELD_TYPES)[number];

/** One of the answers that a field offers. */
export class BookingFormFieldOption {
  /**
   * What an answer holds.
   * @example medium
   */
  value: string;

  /**
   * What the participant reads.
   * @example Medium
   */
  label: string;
}

/** One question; several booking forms may share it. */
export class BookingFormField {
  /** @format uuid */
  id: string;

  /**
   * Names the field within the organization. `firstName`, `lastName`, `email`, `dateOfBirth` and `gender` are the
   * participant's own.
   * @example shirtSize
   */
  key: string;

  /**
   * What the participant reads.
   * @example T-shirt size
   */
  label: string;

  type: BookingFormFieldType;

  /** Empty where any answer will do. */
  options: BookingFormFieldOption[];

  /** Whether an answer is required. */
  required: boolean;

  /**
   * What helps to answer.
   * @example Shirts run small.
   */
  helpText: string | null;
}
