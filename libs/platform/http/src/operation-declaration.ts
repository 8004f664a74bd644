import type { Type } from '@nestjs/common';
import type { OperationAccess } from '#platform/access';
import { type ListDeclaration, type Parameters, parametersOf } from '#platform/queries';
import type { Writes } from './rate-limits/writes';
import type { Repeatable } from './repeatable';

/** The resource groups of the reference. */
export type ResourceGroup =
  | 'Marketplace'
  | 'Events'
  | 'EventOccurrences'
  | 'Races'
  | 'Tickets'
  | 'BookingForms'
  | 'BookingFormFields'
  | 'Bookings'
  | 'LineItems'
  | 'AddOns'
  | 'Applications'
  | 'Participants'
  | 'Partners'
  | 'ReservedEntries'
  | 'Referrals'
  | 'DiscountCodes'
  | 'Credits'
  | 'Imports'
  | 'Timing'
  | 'ChangeEvents'
  | 'Webhooks'
  | 'Identity'
  | 'Console';

/** The rate limit class per key. */
export type RateClass = 'import' | 'registrationStatus' | 'timing' | 'webhook' | 'signIn' | 'export' | 'wide';

export interface OperationDeclaration extends OperationAccess {
  group: ResourceGroup;
  /** A short title for the reference. */
  summary: string;
  /** Details for the reference; Markdown. */
  description?: string;
  rate: RateClass;
  /** The operation is for sign-in: it requires no key or session, and requests are counted per address. */
  anonymous?: true;
  /** The class of the response body, or the list. */
  answers: Type | ListDeclaration;
  /**
   * The operation responds with a stream of such items instead, in one of these media types, with an example of each
   * except NDJSON.
   */
  streams?: Record<string, string>;
  /** Query parameters in addition to the list's own. Unknown ones return 400. */
  query?: Parameters;
  /** The class of the request body. */
  body?: Type;
  /** The body can also be an array of 1 to this many items. */
  orArrayOf?: number;
  /** The size limit of the body: see `InputGuard`. */
  bodyLimit?: 'ordinary' | 'timing' | 'catalogue' | 'import';
  /** The handler receives the bytes of the body and parses them itself. */
  rawBody?: boolean;
  /** The response can take megabytes, or reads all rows of a kind: the request waits for its turn, as for a large page. */
  large?: true;
  /** What a request stores at most. Absent: what the kind of its route stores (`writesOf`). */
  writes?: Writes;
  /** The operation accepts the header Idempotency-Key; `true`: its service claims the key itself. */
  idempotent?: true | Repeatable;
  /**
   * The response has an ETag. It may depend only on the request, the caller, the release, and rows of the organization in the
   * tables that `record_write` watches; neither on the clock nor on other organizations.
   */
  etag?: true;
  /** Path parameters that are external ids and can be any text. */
  foreignIds?: readonly string[];
  /** The path parameters are external ids only if this query parameter is present. */
  foreignIdsWith?: string;
}

export const OPERATION = Symbol('operation');
export const PUBLIC_ROUTE = Symbol('public route');

export const isList = (answers: OperationDeclaration['answers']): answers is ListDeclaration =>
  typeof answers !== 'function';

/** All query parameters of the operation. */
export const queryParametersOf = ({ answers, query }: OperationDeclaration): Parameters => ({
  ...(isList(answers) && parametersOf(answers)),
  ...query,
});
