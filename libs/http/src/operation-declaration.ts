import type { Type } from '@nestjs/common';
import type { OperationAccess } from '#libs/access';
import { type ListDeclaration, type Parameters, parametersOf } from '#libs/resources';

/** The contract's resource groups, and the few that it names elsewhere. */
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

/** The allowance that an operation's requests are counted against, per key. */
export type RateClass = 'import' | 'registrationStatus' | 'timing' | 'webhook' | 'signIn' | 'wide';

export interface OperationDeclaration extends OperationAccess {
  group: ResourceGroup;
  /** A few words, for the reference's table of contents. */
  summary: string;
  /** What a caller should know beyond the summary; Markdown. */
  description?: string;
  rate: RateClass;
  /** It takes no key and no session: whoever calls signs in with it. Counted per address. */
  anonymous?: true;
  /** The class of the answer's body, or the list it answers with. */
  answers: Type | ListDeclaration;
  /** Query parameters besides the list's own. Unknown ones answer 400. */
  query?: Parameters;
  /** The class of the request's body. */
  body?: Type;
  /** The body may also be an array of 1 to so many. */
  orArrayOf?: number;
  /** How many bytes its body may have: BODY_LIMIT, or IMPORT_BODY_LIMIT. */
  bodyLimit?: 'ordinary' | 'import';
  /** The handler takes the body's bytes as they came, and parses them itself. */
  rawBody?: boolean;
  /** It takes the header Idempotency-Key. */
  idempotent?: true;
  /** Path parameters that are other people's ids: they may be any text. */
  foreignIds?: readonly string[];
  /** The query parameter that makes them so; without it they are ids of ours. */
  foreignIdsWith?: string;
}

export const OPERATION = Symbol('operation');
export const PUBLIC_ROUTE = Symbol('public route');

export const isList = (answers: OperationDeclaration['answers']): answers is ListDeclaration =>
  typeof answers !== 'function';

/** Every query parameter that the operation takes. */
export const queryParametersOf = ({ answers, query }: OperationDeclaration): Parameters => ({
  ...(isList(answers) && parametersOf(answers)),
  ...query,
});
