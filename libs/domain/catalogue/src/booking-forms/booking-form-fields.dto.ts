import { type FIELD_TYPES, Id, Text } from '#platform/validation';

/** `SELECT` and `MULTI_SELECT` take one, or some, of the field's options. */
export type BookingFormFieldType = (typeof FIELD_TYPES)[number];

/** An option of a field. */
export class BookingFormFieldOption {
  /** The value that answers contain. */
  @Text({ example: 'medium' }) value: string;

  /** The text that participants read. */
  @Text({ example: 'Medium' }) label: string;
}

/**
 * A question. Several booking forms can share it.
 * @mostBytes 21000
 */
export class BookingFormField {
  @Id() id: string;

  /**
   * The key of the field, unique in the organization. `firstName`, `lastName`, `email`, `dateOfBirth` and `gender` are
   * the identity fields of the participant.
   */
  @Text({ example: 'shirtSize' }) key: string;

  /** The text that participants read. */
  @Text({ example: 'T-shirt size' }) label: string;
  type: BookingFormFieldType;

  /** Empty if the field has no options. */
  options: BookingFormFieldOption[];

  /** Whether an answer is required. */
  required: boolean;

  /** A hint for the participant. */
  @Text({ example: 'Shirts run small.' }) helpText: string | null;
}
