/** A request with an API key. */
export class RequestItem {
  /** @format uuid */
  id: string;

  /**
   * When it arrived.
   * @format date-time
   */
  at: string;

  /** @format uuid */
  keyId: string;

  /**
   * The name of the API key.
   * @example website
   */
  keyName: string | null;

  /**
   * The name of the operation in the reference.
   * @example getBooking
   */
  operation: string;

  /**
   * The HTTP method.
   * @example GET
   */
  method: string;

  /**
   * The pattern of the path. Ids, query parameters and bodies are not kept.
   * @example /v0/bookings/{id}
   */
  route: string;

  /**
   * The status code of the response.
   * @integer
   * @example 200
   */
  status: number;

  /**
   * From the first byte of the request to the last byte of the response, in milliseconds.
   * @example 4.21
   */
  durationMs: number;

  /**
   * The `x-request-id` of the response, which logs contain.
   * @example 01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b
   */
  requestId: string;
}
