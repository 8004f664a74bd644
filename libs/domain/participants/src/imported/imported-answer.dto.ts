import { Id, Json, Text } from '#platform/validation';
/** An answer to a question of a booking form: either `id` or `key` names the question. */
export class ImportedAnswer {
  /** The id of the booking form field. */
  @Id() id?: string | null;

  /** The key of the booking form field, instead of its id. `GET /v0/booking-form-fields` lists both. */
  @Text({ max: 255, example: 'shirtSize' }) key?: string | null;

  /**
   * The answer: a number for `NUMBER`, a Boolean for `BOOLEAN` and `WAIVER`, an array of option values for
   * `MULTI_SELECT`, and text for all others.
   */
  @Json({ max: 20_000, example: 'M' }) value: string | number | boolean | string[] | null;
}
