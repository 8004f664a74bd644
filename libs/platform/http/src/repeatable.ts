import type { Type } from '@nestjs/common';
import type { Caller } from '#platform/access';
import { JsonText, Reads, type Resource } from '#platform/queries';
import { isId } from '#platform/validation';
import type { Acting } from './acting';

/** A request whose Idempotency-Key an earlier one has. */
export interface Repeated {
  caller: Caller;
  acting: Acting;
  /** The record that the earlier request made, or that the path names. */
  id: string;
  /** The parameters of the path. */
  path: Record<string, unknown>;
  body: unknown;
  get<T>(service: Type<T>): T;
}

/** How an operation honours `Idempotency-Key`. Its first transaction does all of its work. */
export interface Repeatable {
  /**
   * The id of the record that a transaction made, from what it returned; `undefined` if it did nothing. Absent: whatever it did, it did it
   * to the record that the path names.
   */
  made?: (done: unknown) => string | true | undefined;
  /** The response to a repetition: from the record as it is now. Absent: a repetition changes nothing more, so the operation runs again. */
  answer?(repeated: Repeated): Promise<unknown>;
}

/** The id of a record that a transaction returned: as JSON, in a property, or itself. */
export const madeBy =
  (property = 'id') =>
  (done: unknown): string | undefined => {
    const record = done instanceof JsonText ? JSON.parse(done.pieces.map(String).join('')) : done;
    const id = typeof record === 'string' ? record : record?.[property];
    return isId(id) ? id : undefined;
  };

/** The repetition of an operation that answers with a resource. */
export const repeatedAs = (resource: Resource, made?: Repeatable['made']): Repeatable => ({
  made,
  answer: ({ caller, id, get }) => get(Reads).one(resource, caller, id),
});
