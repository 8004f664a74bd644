import { DateTime, Decimal, Id, Int, Text } from '#platform/validation';
/** A request with an API key. */
export class RequestItem {
  @Id() id: string;

  /** When it arrived. */
  @DateTime() at: string;
  @Id() keyId: string;

  /** The name of the API key. */
  @Text({ example: 'website' }) keyName: string | null;

  /** The name of the operation in the reference. */
  @Text({ example: 'getBooking' }) operation: string;

  /** The HTTP method. */
  @Text({ example: 'GET' }) method: string;

  /** The pattern of the path. Ids, query parameters and bodies are not kept. */
  @Text({ example: '/v0/bookings/{id}' }) route: string;

  /** The status code of the response. */
  @Int({ example: 200 }) status: number;

  /** From the first byte of the request to the last byte of the response, in milliseconds. */
  @Decimal({ example: 4.21 }) durationMs: number;

  /** The `x-request-id` of the response, which logs contain. */
  @Text({ example: '01990f3e-7a54-7b1e-8f10-2c4d5e6f7a8b' }) requestId: string;
}
