import { Id, Int, Items, type ProblemCode, Text, Value } from '#platform/validation';

/** A problem of the body. */
export class BodyProblem {
  /** The property; empty for the body as a whole. */
  @Text({ example: 'bookings[3].booker.email' }) path: string;

  /** In a batch: the index of the row, from 0. */
  @Int({ example: 3 }) row: number | null;

  /** In a batch: the external id of the row, if it has one. */
  @Text({ example: 'order-1815' }) externalId: string | null;

  /** A stable code for the broken rule. More codes may be added. */
  code: ProblemCode;

  /** A sentence that names the property and the rule. */
  @Text({ example: 'bookings[3].booker.email must be an email address' }) message: string;

  /** With `BIB_NUMBER_TAKEN`: the participant who has the bib. */
  @Id() participantId?: string;

  /** With `BELOW_USE`: the used places. */
  @Int({ min: 0, max: 2_147_483_647 }) used?: number;

  /** With `CHANGED_MEANWHILE`: the record as it is now; of several, those that have at most 128,000 bytes together. */
  current?: CurrentRecord;
}

/** A record of the catalogue, as a catalogue file has it, and its version. */
export class CurrentRecord {
  @Id() id: string;

  /** The version to send with the next write. */
  @Text({ max: 22, example: 'mJ0nT0rL5yB2q7Vd1eXw9A' }) version: string;

  /** The record, with ids. */
  @Value({ example: { record: 'event', slug: 'harbour-run', title: 'Harbour Run' } })
  record: Record<string, unknown>;
}

/** The body of every error response. */
export class ApiErrorBody {
  /** The HTTP status. */
  @Int({ example: 400 }) statusCode: number;

  /** The text of the HTTP status. */
  @Text({ example: 'Bad Request' }) error: string;

  /** A description of the problem in English, for developers and logs. Programs must not depend on its wording. */
  @Text({ example: 'page[size] must be a whole number between 1 and 500' }) message: string;

  /** Up to 100 problems of the body; `message` is the first of them. Absent if the error is not about the body. */
  @Items({ max: 100 }) problems?: BodyProblem[];
}
